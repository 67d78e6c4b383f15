# SPDX-License-Identifier: MIT
"""The sentences of resources/text/en.yaml, and which of them a text is: its id and its arguments."""

import re

# What arguments of these names look like in every sentence; others may be any text.
TIME = r"-?\d[\d.]* (?:ns|µs|ms|s)"
SHARE = r"(?:[<>] )?\d+ %"
NUMBER = r"\d+"
SHAPES = {
    **dict.fromkeys(("wall", "idle", "blocked", "held", "exposed", "free", "cost", "gain", "longest", "length",
                     "least", "most"), TIME),
    **dict.fromkeys(("hidden", "together", "overlap"), SHARE),
    "busy": f"(?:{TIME}|{SHARE})",
    **dict.fromkeys(("gpus", "code"), NUMBER),
}


def load(path):
    """{id: sentence}. Reads the part of YAML that the file uses: nested keys and texts in quotation marks.
    Throws ValueError with the line for anything else."""
    found, stack = {}, []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            parts = re.match(r'^( *)([\w-]+):(?:\s+"((?:[^"\\]|\\.)*)")?\s*(?:#.*)?$', line.rstrip("\n"))
            if not parts:
                raise ValueError(f"{path}:{number}: neither a key nor a text in quotation marks")
            depth = len(parts[1])
            while stack and stack[-1][0] >= depth:
                stack.pop()
            name = ".".join([key for _, key in stack] + [parts[2]])
            if parts[3] is None:
                stack.append((depth, parts[2]))
            else:
                found[name] = re.sub(r"\\(.)", lambda m: {"n": "\n", "t": "\t"}.get(m[1], m[1]), parts[3])
    return found


class Matcher:
    """Finds the sentences that a text may be."""

    def __init__(self, sentences):
        self.sentences = sentences
        self.patterns = {name: self._pattern(text) for name, text in sentences.items()}

    @staticmethod
    def _pattern(text):
        """A regular expression with a group for each argument, and the number of letters that it fixes."""
        pattern, fixed, seen = "", 0, set()
        for piece in re.split(r"(\{[^{}]*\})", text):
            if not (piece.startswith("{") and piece.endswith("}")):
                pattern += re.escape(piece)
                fixed += len(piece)
                continue
            name, _, forms = piece[1:-1].partition("|")
            group = name.replace("-", "_")
            if forms:
                pattern += "(?:" + "|".join(re.escape(form) for form in forms.split("|")) + ")"
            elif group in seen:
                pattern += f"(?P={group})"
            else:
                pattern += f"(?P<{group}>{SHAPES.get(name, '.*?')})"
                seen.add(group)
        return re.compile(pattern, re.DOTALL), fixed

    def match(self, text, prefixes):
        """[(id, arguments)] of the sentences with such an id that make the whole text, the most specific one first."""
        found = []
        for name, (pattern, fixed) in self.patterns.items():
            if fixed > 0 and any(name == p or name.startswith(p + ".") for p in prefixes):
                match = pattern.fullmatch(text)
                if match and self._forms_agree(name, match.groupdict(), text):
                    found.append((fixed, name, match.groupdict()))
        found.sort(key=lambda each: -each[0])
        return [(name, arguments) for _, name, arguments in found]

    def split_behind(self, text, names):
        """(what comes before, id, arguments) of a text that ends with one of these sentences, None if none does."""
        for name in names:
            opening = self.sentences[name].partition("{")[0]
            place = text.find(" " + opening)
            if opening and place >= 0:
                match = self.patterns[name][0].fullmatch(text[place + 1:])
                if match:
                    return text[:place], name, match.groupdict()
        return None

    def _forms_agree(self, name, arguments, text):
        """Whether "1 record was" and "2 records were" are told apart where the number is an argument."""
        return self.write(name, arguments) == text

    def write(self, name, arguments):
        """The sentence with these arguments; one that is not given stays as it is."""
        def put(match):
            key, _, forms = match[1].partition("|")
            value = arguments.get(key.replace("-", "_"))
            if value is None:
                # The number behind a word's form may be no argument of its own: then any form is right.
                return match[0]
            if forms:
                one, _, many = forms.partition("|")
                return one if value == "1" else many
            return value

        return re.sub(r"\{([^{}]*)\}", put, self.sentences[name])
