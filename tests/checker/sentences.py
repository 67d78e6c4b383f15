# SPDX-License-Identifier: MIT
"""The sentences of resources/text/en.yaml, and which of them a text is: its id and its arguments."""

import re

# What arguments of these names look like in every sentence; others may be any text.
MANY = "many"
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
    """Finds the sentences that a text may be. A number that a sentence has only as the form of a word ("the other GPU
    loses", "the others lose") is the argument "1" or MANY."""

    def __init__(self, sentences):
        self.sentences = sentences
        self.patterns = {name: self._pattern(text) for name, text in sentences.items()}

    @staticmethod
    def _pattern(text):
        """A regular expression with a group for each argument, the number of letters that it fixes, and the numbers
        that are only forms: their group is the form for one, or nothing."""
        pattern, fixed, seen, only_forms = "", 0, set(), set()
        numbers = {name.replace("-", "_") for name in re.findall(r"\{([^{}|]*)\}", text)}
        for piece in re.split(r"(\{[^{}]*\})", text):
            if not (piece.startswith("{") and piece.endswith("}")):
                pattern += re.escape(piece)
                fixed += len(piece)
                continue
            name, _, forms = piece[1:-1].partition("|")
            group = name.replace("-", "_")
            if forms:
                one, _, many = (re.escape(form) for form in forms.partition("|"))
                is_first = group not in numbers | only_forms
                pattern += f"(?:(?P<{group}>{one})|{many})" if is_first else f"(?:{one}|{many})"
                only_forms |= {group} - numbers
            elif group in seen:
                pattern += f"(?P={group})"
            else:
                pattern += f"(?P<{group}>{SHAPES.get(name, '.*?')})"
                seen.add(group)
        return re.compile(pattern, re.DOTALL), fixed, only_forms

    def _arguments(self, name, text):
        """Those with which the sentence is the text, None if it is not."""
        pattern, _, only_forms = self.patterns[name]
        match = pattern.fullmatch(text)
        if not match:
            return None
        found = {key: value if key not in only_forms else MANY if value is None else "1"
                 for key, value in match.groupdict().items()}
        return found if self.write(name, found) == text else None  # "1 record was" and "2 records were"

    def match(self, text, prefixes):
        """[(id, arguments)] of the sentences with such an id that make the whole text, the most specific one first."""
        found = []
        for name, (_, fixed, _) in self.patterns.items():
            if fixed > 0 and any(name == p or name.startswith(p + ".") for p in prefixes):
                arguments = self._arguments(name, text)
                if arguments is not None:
                    found.append((fixed, name, arguments))
        found.sort(key=lambda each: -each[0])
        return [(name, arguments) for _, name, arguments in found]

    def split_behind(self, text, names):
        """(what comes before, id, arguments) of a text that ends with one of these sentences, None if none does."""
        for name in names:
            opening = self.sentences[name].partition("{")[0]
            place = text.find(" " + opening)
            if opening and place >= 0:
                arguments = self._arguments(name, text[place + 1:])
                if arguments is not None:
                    return text[:place], name, arguments
        return None

    def write(self, name, arguments):
        """The sentence with these arguments; one that is not given stays as it is."""
        def put(match):
            key, _, forms = match[1].partition("|")
            value = arguments.get(key.replace("-", "_"))
            if value is None:
                return match[0]
            if forms:
                one, _, many = forms.partition("|")
                return one if value == "1" else many
            return value

        return re.sub(r"\{([^{}]*)\}", put, self.sentences[name])
