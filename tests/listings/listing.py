# SPDX-License-Identifier: MIT
"""The listings of a workload, and the programs made from them and their frames.

WORKLOAD.py in resources/listings is run before the listing, with each parameter of the workload as a variable (sizes in bytes, times in
                      ns, choices as words). Comments in it: `# environment: NAME=VALUE # only VARIANT`, `# skip VARIANT: why`.
frames/WORKLOAD.cu    includes given.h; `// LISTING` is where the listing's statements go, `// FUNCTIONS` where its
                      functions do. Parameters are in namespace p, choices as words. `// nvcc: OPTIONS`, `// skip VARIANT: why`.
"""
import ast
import builtins
import json
import os
import re
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
FRAMES = next(path for path in (os.path.join(HERE, "frames"), os.path.join(HERE, "..", "..", "resources", "listings"))
              if os.path.isdir(path))
SIZES = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
TIMES = {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9}


def output(command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def names(lanes):
    return [each["name"] for each in json.loads(output([lanes, "list", "--json"]))]


def value_of(kind, text):
    if kind in ("bytes", "time"):
        number, unit = text.split()
        return int(float(number) * (SIZES if kind == "bytes" else TIMES)[unit])
    if kind == "boolean":
        return text == "true"
    return text if kind == "choice" else int(float(text))


class Workload:
    def __init__(self, shown):
        self.name = shown["name"]
        self.code = shown["code"]
        self.gpus = shown["gpus"]
        self.allocates = re.search(r"^\s*- alloc:", shown["text"], re.M) is not None
        self.lines = {language: sorted({int(line) for lines in re.findall(r"lines: \{([^}]*)\}", shown["text"])
                                        for line in re.findall(language + r": (\d+)", lines)})
                      for language in ("pytorch", "cuda")}
        types = {each["name"]: each["type"] for each in shown["parameters"]}
        defaults = {each["name"]: each["default"] for each in shown["parameters"]}
        self.variants = {each["name"]: {name: value_of(types[name], text)
                                        for name, text in {**defaults, **each["values"]}.items()}
                         for each in shown["variants"]}

    @staticmethod
    def of(lanes, name):
        return Workload(json.loads(output([lanes, "show", name, "--json"])))


def frame_path(workload, language):
    return os.path.join(FRAMES, workload.name + (".py" if language == "pytorch" else ".cu"))


def frame(workload, language):
    with open(frame_path(workload, language)) as file:
        return file.read()


def frame_lines(workload, language, key):
    return [match.strip() for match in re.findall(r"^(?://|#)? ?" + re.escape(key) + r"(.*)$", frame(workload, language), re.M)]


def applies(line, variant):
    only = re.search(r"# only (.*)$", line)
    return only is None or variant in only.group(1).split()


def skipped(workload, variant, language):
    for line in frame_lines(workload, language, "skip "):
        which, why = line.split(":", 1)
        if which.strip() == variant:
            return why.strip()
    return None


def split(workload, language):
    """Set-up and the rest: the first statement that a step points into, or that follows it."""
    lines = workload.code[language].split("\n")
    first = workload.lines[language][0] - 1
    comment = "#" if language == "pytorch" else "//"
    while first > 0 and (not lines[first].strip() or lines[first][0] in " })" or lines[first].startswith(("else", "elif"))):
        first -= 1
    while first > 0 and lines[first - 1].startswith(comment):
        first -= 1
    return "\n".join(lines[:first]) + "\n", "\n".join(lines[first:]) + "\n"


def python_program(workload, variant):
    setup, body = split_python(workload)
    values = "".join("%s = %r\n" % item for item in workload.variants[variant].items())
    return (values + "variant = %r\n" % variant + frame(workload, "pytorch") + "\nimport torch\n"
            + "SETUP = %r\nBODY = %r\n" % (setup, body)
            + "for again in (False, True):\n"
            + "    names = dict(globals())\n"
            + "    exec(compile(SETUP, 'set-up', 'exec'), names)\n"
            + "    for gpu in range(torch.cuda.device_count()):\n"
            + "        torch.cuda.synchronize(gpu)\n"
            + "    if again:\n"
            + "        torch.cuda.nvtx.range_push('listing')\n"
            + "    exec(compile(BODY, %r, 'exec'), names)\n" % workload.name
            + "    if again:\n"
            + "        torch.cuda.nvtx.range_pop()\n"
            + "    for gpu in range(torch.cuda.device_count()):\n"
            + "        torch.cuda.synchronize(gpu)\n")


def split_python(workload):
    """As split(); definitions of functions and classes are set-up even if steps point into them."""
    setup, body = split(workload, "pytorch")
    while True:
        match = re.match(r"(?:#.*\n)*(?:class|def) .*\n(?:(?: .*)?\n)*", body)
        if match is None:
            break
        setup, body = setup + match.group(0), body[match.end():]
    return setup, body


def names_in(code):
    """The names that Python code defines, and those that it uses."""
    made, used = set(), set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else made).add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.add(node.name)
        elif isinstance(node, ast.arg):
            made.add(node.arg)
        elif isinstance(node, ast.alias):
            made.add((node.asname or node.name).split(".")[0])
    return made, used


def undefined_names(workload):
    """The names that a PyTorch listing uses but neither defines nor declares as given."""
    made, used = names_in(workload.code["pytorch"])
    with open(os.path.join(FRAMES, "given.py")) as file:
        shared = names_in(file.read())[0]
    given = names_in(frame(workload, "pytorch"))[0] | shared | {name for values in workload.variants.values() for name in values}
    return sorted(used - made - given - set(dir(builtins)))


FUNCTION = re.compile(r"^(?://[^\n]*\n)*[a-z_]\w*[\w\s\*&]* \**\w+\([^;{]*\)\s*\{\n(?:(?:[ ].*)?\n)*\}\n", re.M)


def cuda_program(workload, variant):
    setup, body = split(workload, "cuda")
    functions = "".join(match.group(0) for match in FUNCTION.finditer(setup + body))
    setup, body = FUNCTION.sub("", setup), FUNCTION.sub("", body)
    values = "#include <cstdint>\nnamespace p {\n"
    for name, value in workload.variants[variant].items():
        kind = "bool" if isinstance(value, bool) else "int64_t" if isinstance(value, int) else "char* const"
        text = ("true" if value else "false") if isinstance(value, bool) else str(value) if isinstance(value, int) else '"%s"' % value
        values += "constexpr %s%s %s = %s;\n" % ("const " if kind.startswith("char") else "", kind, name, text)
    values += "}\n"
    text = frame(workload, "cuda")
    text = text.replace("// FUNCTIONS", functions)
    statements = setup + ("begin_listing();\n" + body + "end_listing();\n" if body.strip() else "")
    return values + text.replace("// LISTING", statements)
