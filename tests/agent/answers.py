# SPDX-License-Identifier: MIT
"""Runs `lanes` for the tests beside it."""
import json
import os
import subprocess

BOUND, BRIEF_BOUND, ROWS = 16_000, 4_000, 20


class Answer:
    def __init__(self, done):
        self.status, self.text, self.errors = done.returncode, done.stdout, done.stderr

    def json(self):
        return json.loads(self.text)


class Lanes:
    def __init__(self, program, source):
        self.program = program
        self.environment = dict(os.environ, LANES_RESOURCES=os.path.join(source, "resources"))

    def run(self, words):
        done = subprocess.run([self.program, *words], capture_output=True, text=True, env=self.environment)
        return Answer(done)


def too_long(words, answer):
    """Why an answer is longer than a command promises; None: it is not, or the user asked for all."""
    if "--json=full" in words or "--limit" in words:
        return None
    bound = BRIEF_BOUND if "--brief" in words else BOUND if "--json" in words else None
    size = len(answer.text.encode())
    if bound and size > bound:
        return f"{size} bytes, at most {bound}"
    if bound == BOUND and answer.text:
        longest = longest_list(answer.json())
        if longest > ROWS:
            return f"a list of {longest}, at most {ROWS}"
    return None


def longest_list(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    own = len(value) if isinstance(value, list) else 0
    return max([own, *map(longest_list, inner)])
