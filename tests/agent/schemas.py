#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every answer holds its JSON Schema: all commands that have one, over all recordings that come with Lanescope, in the
bounded form and the whole; what doctor, run and calibrate print; and the examples of docs/definitions.md. The validator
is Debian's python3-jsonschema. Keys that a schema does not name are errors here, though not for those who use the
schemas: a later version may add keys.
"""
import argparse
import concurrent.futures
import copy
import glob
import json
import os
import re
import shutil
import sys
import tempfile

from answers import Lanes, too_long

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is missing: apt install python3-jsonschema")
    sys.exit(1 if os.environ.get("LANES_TEST_ALL") else 77)


def strict(schema):
    """The same, in which an object has no other keys than those that are named."""
    if isinstance(schema, dict):
        schema = {key: strict(value) for key, value in schema.items()}
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
    elif isinstance(schema, list):
        schema = [strict(each) for each in schema]
    return schema


def questions(file):
    yield "report", ["report", file]
    yield "report", ["report", file, "--iterations"]
    yield "report-brief", ["report", file, "--brief"]
    yield "why", ["why", file]
    yield "why-overlap", ["why", file, "--overlap"]
    yield "whatif", ["whatif", file]
    yield "summary", ["summary", file]
    yield "summary", ["summary", file, "--by", "family", "--by", "module", "--by", "counter"]
    yield "compare", ["compare", file, file, "--gate", "wall<5%"]
    yield "ranks", ["ranks", file]
    for table in ("operations", "calls", "ranges"):
        yield "rows", ["rows", file, table]


def of_no_file(folder):
    """What asks for no recording: of the model device, as there is no GPU everywhere."""
    yield "doctor", ["doctor"]
    yield "list", ["list"]
    yield "show", ["show", "copy-results-back"]
    yield "run", ["run", "copy-results-back", "--device", "model", "--repeat", "2", "-o", folder]
    yield "run", ["run", "copy-results-back", "--device", "model", "--no-probe"]
    yield "calibrate", ["calibrate", "--device", "model", "--rounds", "1", "-o", os.path.join(folder, "mine.yaml")]


def completed(example):
    """An example of the docs as JSON: `…` is a value that is left out, or what follows in a list or an object."""
    text = example.replace("REPORT", "null")
    text = re.sub(r"\"…\"", "null", text)
    text = re.sub(r"(?<=[{\[,])\s*…\s*,|,\s*…\s*(?=[\]}])|(?<=[{\[])\s*…\s*(?=[\]}])", "", text)
    return json.loads(re.sub(r"…", "null", text))


def of_examples(schema):
    """The same for examples, in which any value may be left out."""
    made = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            made[key] = {name: of_examples(each) for name, each in value.items()}
        elif key == "type":
            made[key] = sorted({"null", *([value] if isinstance(value, str) else value)})
        elif key == "enum":
            made[key] = [None, *value]
        elif key not in ("required", "pattern", "const", "minLength"):
            made[key] = of_examples(value) if isinstance(value, dict) else value
    return made


def examples(page):
    """[(schema, example)] of the sections `lanes COMMAND ... --json` that begin with an object."""
    names = {"report FILE --brief": "report-brief"}
    for section in re.split(r"^### ", page, flags=re.M)[1:]:
        title = re.match(r"`lanes (.+?) --json`", section)
        if not title or title[1] == "doctor":
            continue
        name = names.get(title[1], title[1].split()[0])
        for text in re.findall(r"^```\n(\{.*?)^```|`(\{\"schema\".*?\})`", section, flags=re.M | re.S):
            yield ("why-overlap" if '"best"' in "".join(text) and name == "why" else name), "".join(text)


def main():
    words = argparse.ArgumentParser()
    words.add_argument("--lanes", required=True)
    words.add_argument("--source", required=True)
    words.add_argument("--every", type=int, default=4, help="one recording in so many, the others are of the same kind")
    given = words.parse_args()
    lanes = Lanes(given.lanes, given.source)
    listed = lanes.run(["schema"])
    schemas, loose = {}, {}
    for name in listed.text.split():
        schema = json.loads(lanes.run(["schema", name]).text)
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[name] = jsonschema.Draft202012Validator(strict(schema))
        loose[name] = jsonschema.Draft202012Validator(of_examples(strict(schema)))
    files = sorted(glob.glob(os.path.join(given.source, "resources", "recordings", "*", "*.sqlite")))[::given.every]
    files += sorted(glob.glob(os.path.join(given.source, "resources", "traces", "*.sqlite")))
    # Of copies: `lanes ranks` keeps a summary beside its file.
    folder = tempfile.TemporaryDirectory()
    files = [shutil.copy(file, os.path.join(folder.name, f"{i}.{os.path.basename(file)}")) for i, file in enumerate(files)]
    wrong, checked = [], 0
    no_file = [(name, question, "--json") for name, question in of_no_file(folder.name)]
    of_a_machine = {name for name, _, _ in no_file}  # and of workloads: what they print is not bounded

    def check(job):
        name, question, form = job
        answer = lanes.run([*question, form])
        if answer.status not in (0, 1, 2) or answer.status == 2 and not answer.errors:
            return f"{question}: exit {answer.status}: {answer.errors}"
        if not answer.text:
            return None if answer.errors else f"{question}: no answer"
        error = next(schemas[name].iter_errors(answer.json()), None)
        long = too_long([*question, form], answer) if name not in of_a_machine else None
        if error is None and long is None:
            return None
        return f"{' '.join(question)} {form}: " + (
            long or f"{error.json_path}: {error.message[:300]}")

    shown = 0
    with open(os.path.join(given.source, "docs", "definitions.md"), encoding="utf-8") as page:
        for name, text in examples(page.read()):
            if name not in loose:
                continue
            shown += 1
            try:
                error = next(loose[name].iter_errors(completed(text)), None)
                said = error and f"{error.json_path}: {error.message[:300]}"
            except json.JSONDecodeError as bad:
                said = f"{bad}: {text[max(0, bad.pos - 60):bad.pos + 60]}"
            if said:
                wrong.append(f"docs/definitions.md, {name}: {said}")
    jobs = [(name, question, form) for file in files for name, question in questions(file)
            for form in ("--json", "--json=full")]
    jobs += no_file
    left = set(schemas) - {name for name, _, _ in jobs}
    wrong += [f"nothing is asked that has the schema {name}" for name in sorted(left)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for said in pool.map(check, jobs):
            checked += 1
            if said:
                wrong.append(said)
    for said in wrong[:20]:
        print(said)
    print(f"{shown} examples, {checked} answers of {len(files)} recordings by {len(schemas)} schemas, {len(wrong)} wrong")
    return 1 if wrong or not checked or not shown or not schemas else 0


if __name__ == "__main__":
    sys.exit(main())
