# SPDX-License-Identifier: Apache-2.0
"""Finds what can be changed in a C file: each change is one mutant.

A file is taken apart into tokens; comments, strings and preprocessor lines stay as they are. No
mutant is made of array sizes, of declarations without a value, or of `case` labels.
"""

import collections
import re

# `begin` and `end` are offsets in the file; `line` counts from 1.
Mutant = collections.namedtuple("Mutant", "path line begin end new what")

TOKEN = re.compile(
    r"(?P<skip>/\*.*?\*/|//[^\n]*|^[ \t]*\#(?:[^\n\\]|\\.|\\\n)*|\s+)"
    r"|(?P<string>\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*')"
    r"|(?P<number>0[xX][0-9A-Fa-f]+[uUlL]*|[0-9]+[uUlL]*)"
    r"|(?P<word>[A-Za-z_]\w*)"
    r"|(?P<mark><<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||\+=|-=|\*=|\|=|&=|.)",
    re.DOTALL | re.MULTILINE)

SWAPS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "+=": "-=", "-=": "+=",
}
WORDS = {"true": "false", "false": "true"}
# What stands before a binary operator.
OPERAND_ENDS = ("number", "word", "string")
NOT_OPERANDS = ("return", "case", "sizeof")

# A statement of one line that can be left out: a call, an assignment, a step.
STATEMENT = re.compile(
    r"^[ \t]+(?!return\b|goto\b|break\b|continue\b|case\b|default\b|else\b|if\b|for\b|while\b|do\b)"
    r"(?:\(void\))?(?:[*(]*[A-Za-z_][\w\]\[.>()*-]*)[ \t]*"
    r"(?:(?:[-+*|&^]|<<|>>)?=[^=].*|\(.*\)|\+\+|--);[ \t]*$")
STEP = re.compile(r"^[ \t]+(?:\+\+|--)[\w.>\[\]*-]+;[ \t]*$")
DECLARATION = re.compile(
    r"^[ \t]*(?:static |const |extern |unsigned |struct |enum |union )*[A-Za-z_]\w*[ \t]+\**"
    r"[A-Za-z_]\w*(?:\[[^\]]*\])*(?:[ \t]*[=;,]|\()")

Token = collections.namedtuple("Token", "kind text begin end")


def tokens_of(source):
    """Tokens without white space, comments and preprocessor lines."""
    found = []
    at = 0
    while at < len(source):
        match = TOKEN.match(source, at)
        at = match.end()
        if match.lastgroup != "skip":
            found.append(Token(match.lastgroup, match.group(), match.start(), match.end()))
    return found


def closing(tokens, index):
    """The index of the bracket that closes the one at `index`."""
    depth = 0
    for i in range(index, len(tokens)):
        if tokens[i].text == "(":
            depth += 1
        elif tokens[i].text == ")":
            depth -= 1
            if depth == 0:
                return i
    raise ValueError("a bracket is not closed")


def is_binary(tokens, index):
    before = tokens[index - 1]
    return (before.kind in OPERAND_ENDS and before.text not in NOT_OPERANDS) or \
        before.text in (")", "]")


def number_changes(text):
    """A number one larger and one smaller, written alike."""
    digits = re.match(r"0[xX][0-9A-Fa-f]+|[0-9]+", text).group()
    suffix = text[len(digits):]
    value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits, 10)
    form = "0x%X%s" if digits[:2] in ("0x", "0X") else "%d%s"
    yield form % (value + 1, suffix)
    if value > 0:
        yield form % (value - 1, suffix)


class Finder:
    def __init__(self, path, source):
        self.path = path
        self.source = source
        self.tokens = tokens_of(source)
        self.found = []

    def add(self, begin, end, new, what):
        line = self.source.count("\n", 0, begin) + 1
        self.found.append(Mutant(self.path, line, begin, end, new, what))

    def line_of(self, offset):
        begin = self.source.rfind("\n", 0, offset) + 1
        end = self.source.find("\n", offset)
        return self.source[begin:end if end >= 0 else len(self.source)]

    def is_array_size(self, index):
        """Whether a number stands in the brackets of a declaration."""
        return self.tokens[index - 1].text == "[" and \
            DECLARATION.match(self.line_of(self.tokens[index].begin)) is not None and \
            self.tokens[index + 1].text == "]" and self.tokens[index + 2].text in (";", "=", ",", "[", ")")

    def find_in_tokens(self):
        tokens = self.tokens
        for i, token in enumerate(tokens):
            if i == 0 or i + 2 >= len(tokens):
                continue
            if tokens[i - 1].text == "case":
                continue
            if token.text in SWAPS and is_binary(tokens, i):
                self.add(token.begin, token.end, SWAPS[token.text],
                         "%s -> %s" % (token.text, SWAPS[token.text]))
            elif token.kind == "number" and not self.is_array_size(i):
                for new in number_changes(token.text):
                    self.add(token.begin, token.end, new, "%s -> %s" % (token.text, new))
            elif token.text in WORDS:
                self.add(token.begin, token.end, WORDS[token.text],
                         "%s -> %s" % (token.text, WORDS[token.text]))
            elif token.text == "!":
                self.add(token.begin, token.end, "", "! left out")
            elif token.text in ("if", "while") and tokens[i + 1].text == "(":
                end = closing(tokens, i + 1)
                inside = self.source[tokens[i + 1].end:tokens[end].begin]
                self.add(tokens[i + 1].end, tokens[end].begin, "0 && (%s)" % inside,
                         "%s never" % token.text)

    def find_statements(self):
        at = 0
        for line in self.source.splitlines(keepends=True):
            text = line.rstrip("\n")
            is_step = STATEMENT.match(text) is not None or STEP.match(text) is not None
            if is_step and text.count("(") == text.count(")") and not self.is_declaration(text) \
                    and self.follows_statement(at):
                begin = at + len(text) - len(text.lstrip())
                self.add(begin, at + len(text), ";", "left out")
            at += len(line)

    def follows_statement(self, at):
        """Whether a line at `at` begins a statement: the code before it ends one."""
        before = re.sub(r"/\*.*?\*/", "", self.source[max(0, at - 2000):at], flags=re.DOTALL).rstrip()
        return before.endswith((";", "{", "}", ":", ")", "else"))

    @staticmethod
    def is_declaration(text):
        return re.match(r"^[ \t]*(?:static |const |unsigned |struct |enum )*[A-Za-z_]\w*[ \t]+\**"
                        r"[A-Za-z_]\w*", text) is not None

    def find(self):
        self.find_in_tokens()
        self.find_statements()
        return list(numbered(sorted(self.found, key=lambda m: (m.begin, m.end, m.new))))


def numbered(found):
    """Where a line has the same change more than once, they are told apart: #1, #2, ..."""
    count = collections.Counter((mutant.line, mutant.what) for mutant in found)
    seen = collections.Counter()
    for mutant in found:
        key = mutant.line, mutant.what
        seen[key] += 1
        yield mutant if count[key] == 1 else \
            mutant._replace(what="%s #%d" % (mutant.what, seen[key]))


def mutants_of(path, source):
    """All mutants of a file, in order."""
    return Finder(path, source).find()


def apply(mutant, source):
    return source[:mutant.begin] + mutant.new + source[mutant.end:]
