# SPDX-License-Identifier: Apache-2.0
"""Tells what coverage was measured, and whether it is enough: report.py LINES BRANCHES...

LINES is what llvm-cov exports as lcov, BRANCHES what it exports as text (which is JSON), a pair of
them for each way to build: reached is what was reached in one of them. A line or branch that was
not reached counts as reached if tests/coverage/exclusions names it. An exclusion that excludes
nothing is told.
"""

import collections
import json
import os
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXCLUSIONS = os.path.join(ROOT, "tests", "coverage", "exclusions")
PROGRAM_BOUND = 95.0
# The same throughout a build.
BUILD_CONDITIONS = ("IS_SMALL", "!IS_SMALL", "IS_LITTLE_ENDIAN")

# What was not reached: a line, or a condition that was never true or never false.
Gap = collections.namedtuple("Gap", "path line text what")


class Exclusions:
    """Rows of FILE | TEXT | never true, never false or line | REASON; FILE may be *."""

    def __init__(self):
        self.rows = []
        with open(EXCLUSIONS, encoding="utf-8") as file:
            for line in file:
                if line.strip() and not line.startswith("#"):
                    parts = [part.strip() for part in line.split(" | ")]
                    if len(parts) != 4:
                        sys.exit("coverage: not four parts: " + line)
                    self.rows.append(parts)
        self.used = [False] * len(self.rows)

    def names(self, gap):
        for i, (path, text, what, _) in enumerate(self.rows):
            if path in ("*", gap.path) and what == gap.what and gap.text.startswith(text):
                self.used[i] = True
                return True
        return False

    def unused(self):
        return [" | ".join(row) for row, used in zip(self.rows, self.used) if not used]


def source_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def name_of(path):
    return os.path.relpath(path, ROOT)


def read_lines(path, counts):
    """Adds for each file how often each line ran."""
    with open(path, encoding="utf-8") as file:
        for line in file:
            key, _, value = line.rstrip("\n").partition(":")
            if key == "SF":
                lines = counts[value]
            elif key == "DA":
                number, count = value.split(",")[:2]
                lines[int(number)] = lines.get(int(number), 0) + int(count)


def read_branches(path, counts):
    """Adds for each file how often each condition was true and false; its place is the key."""
    with open(path, encoding="utf-8") as file:
        for entry in json.load(file)["data"][0]["files"]:
            for branch in entry["branches"]:
                total = counts[entry["filename"]].setdefault(tuple(branch[:4]), [0, 0])
                total[0] += branch[4]
                total[1] += branch[5]


def is_code(text):
    """Braces alone, directives, remarks and empty lines, inside of a function, are counted by
    llvm-cov; not here."""
    return text not in ("", "{", "}") and not text.startswith(("#", "/*"))


def line_gaps(path, lines):
    source = source_of(path)
    return [Gap(name_of(path), number, source[number - 1].strip(), "line")
            for number, count in sorted(lines.items())
            if count == 0 and is_code(source[number - 1].strip())]


def branch_gaps(path, branches):
    source = source_of(path)
    gaps = []
    for (line, column, last, end), (true, false) in sorted(branches.items()):
        stop = end - 1 if last == line else None
        text = source[line - 1][column - 1:stop]
        if text in BUILD_CONDITIONS:
            continue
        gaps += [Gap(name_of(path), line, text, "never " + word)
                 for word, count in (("true", true), ("false", false)) if count == 0]
    return gaps


class Sum:
    """Reached of all, lines and branches."""

    def __init__(self):
        self.lines = [0, 0]
        self.branches = [0, 0]
        self.excluded = 0

    def add(self, other):
        for mine, its in ((self.lines, other.lines), (self.branches, other.branches)):
            mine[0] += its[0]
            mine[1] += its[1]
        self.excluded += other.excluded

    def row(self, name):
        return "%-26s %6d %7.2f %%   %6d %7.2f %%   %4d" % (
            name, self.lines[1], percent(self.lines), self.branches[1], percent(self.branches),
            self.excluded)


def percent(pair):
    return 100.0 * pair[0] / pair[1] if pair[1] else 100.0


def sum_up(path, lines, branches, exclusions, left):
    gaps = {"lines": line_gaps(path, lines), "branches": branch_gaps(path, branches)}
    total = Sum()
    for pair, kind, size in ((total.lines, "lines", len(lines)),
                             (total.branches, "branches", 2 * len(branches))):
        open_gaps = [gap for gap in gaps[kind] if not exclusions.names(gap)]
        total.excluded += len(gaps[kind]) - len(open_gaps)
        pair[0], pair[1] = size - len(open_gaps), size
        left += open_gaps
    return total


def main():
    lines, branches = collections.defaultdict(dict), collections.defaultdict(dict)
    for path in sys.argv[1::2]:
        read_lines(path, lines)
    for path in sys.argv[2::2]:
        read_branches(path, branches)
    exclusions = Exclusions()
    library, program, left = Sum(), Sum(), []
    print("%-26s %6s %9s   %6s %9s   %s" %
          ("file", "lines", "reached", "branch", "reached", "excluded"))
    for path in sorted(lines):
        total = sum_up(path, lines[path], branches[path], exclusions, left)
        print(total.row(name_of(path)))
        (program if name_of(path).startswith("src/cli/") else library).add(total)
    print(library.row("the library"))
    print(program.row("the program"))
    for gap in left:
        print("not reached: %s:%d | %s | %s" % gap)
    for row in exclusions.unused():
        print("excludes nothing: " + row)
    missed = min(percent(library.lines), percent(library.branches)) < 100 or \
        min(percent(program.lines), percent(program.branches)) < PROGRAM_BOUND
    if missed:
        print("FAILED: coverage")
        return 1
    print("passed: coverage")
    return 0


if __name__ == "__main__":
    sys.exit(main())
