"""Where C code can be changed by a small step, and what the step is.

A scan of the tokens, so that comments, strings and preprocessor lines stay as they are; the exception
is `#define NAME NUMBER`, since limits are written so. The code is formatted by clang-format, hence
`a * b` with two spaces is a product and `char *b` with one is not.
"""

import re
from dataclasses import dataclass

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<define>(?m:^)\#[ ]*define[ ]+\w+[ ]+(?P<limit>\d\w*)[ ]*(?=\n|/\*))
      | (?P<directive>(?m:^)[ \t]*\#(?:[^\n\\]|\\.)*)
      | (?P<string>"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')
      | (?P<number>\d(?:[eEpP][+-]|[\w.])*)
      | (?P<word>[A-Za-z_]\w*)
      | (?P<mark><<=|>>=|\.\.\.|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[^\s\w])""",
    re.S | re.X)

SWAPS = {
    "==": ["!="], "!=": ["=="], "<": ["<=", ">="], "<=": ["<", ">"], ">": [">=", "<="],
    ">=": [">", "<"], "&&": ["||"], "||": ["&&"], "+=": ["-="], "-=": ["+="], "++": ["--"],
    "--": ["++"], "|=": ["&="], "&=": ["|="], "true": ["false"], "false": ["true"],
}
BETWEEN = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "*", "&": "|", "|": "&", "<<": ">>",
           ">>": "<<"}
COMPARES = {"==", "!=", "<", ">", "<=", ">=", "&&", "||", "!"}
NOT_CALLED = {"if", "while", "for", "switch", "return", "sizeof", "assert", "static_assert",
              "_Static_assert", "va_start", "va_end"}
TYPES = {"char", "int", "unsigned", "long", "short", "struct", "const", "static", "size_t",
         "uint8_t", "uint16_t", "uint32_t", "uint64_t", "bool", "enum", "extern"}


@dataclass
class Token:
    kind: str
    text: str
    start: int
    end: int
    depth: int = 0  # of braces
    mate: int = -1  # where the bracket that belongs to this one stands in the list
    within: str = ""  # the innermost bracket that is open here


@dataclass
class Mutant:
    """One step: the bytes from start to end become text."""
    file: str
    line: int
    scope: str  # the function or table
    before: str  # the lines that change, with single spaces
    after: str
    start: int
    end: int
    text: str

    def key(self):
        """What the list of equivalent mutants knows a mutant by: no number of a line."""
        return (f"{self.file} {self.scope}", self.before, self.after)


def tokens_of(code):
    """The tokens that can matter, each bracket knowing its mate."""
    tokens, open_brackets, depth = [], [], 0
    for match in TOKEN.finditer(code):
        kind = match.lastgroup if match.lastgroup != "limit" else "define"
        if kind == "define" or match.group("define"):
            tokens.append(Token("limit", match.group("limit"), match.start("limit"),
                                match.end("limit")))
            continue
        if kind in ("comment", "directive"):
            continue
        token = Token(kind, match.group(), match.start(), match.end())
        token.within = tokens[open_brackets[-1]].text if open_brackets else ""
        if token.text in ("(", "[", "{"):
            open_brackets.append(len(tokens))
        elif token.text in (")", "]", "}") and open_brackets:
            token.mate = open_brackets.pop()
            tokens[token.mate].mate = len(tokens)
        if token.text == "}":
            depth -= 1
        token.depth = depth
        if token.text == "{":
            depth += 1
        tokens.append(token)
    return tokens


def scopes_of(tokens):
    """For each token the name of the function or table that it stands in."""
    scopes, current, last = [], "", ""
    for i, token in enumerate(tokens):
        if token.kind == "limit":
            scopes.append("define")
            continue
        if not token.within and token.kind == "word" and i + 1 < len(tokens) \
                and tokens[i + 1].text in ("(", "[", "=", ";"):
            last = token.text
        if token.depth == 0 and token.text == "{":
            current = last
        scopes.append(current if token.depth else last)
    return scopes


def changed_number(text):
    """The number's neighbour: an error by one, or none for what is no whole number."""
    match = re.fullmatch(r"(0[xX])?(0(?=[0-7]))?([0-9a-fA-F]+?)([uUlL]*)", text)
    if not match:
        return None
    prefix, octal, digits, suffix = match.groups()
    base = 16 if prefix else 8 if octal else 10
    value = int(digits, base)
    changed = 0 if value == 1 else value + 1
    return {16: f"0x{changed:x}", 8: f"0{changed:o}", 10: str(changed)}[base] + suffix


def is_dimension(token, first_word):
    """Whether the token says how large an array is: one more is no other behaviour."""
    return token.within == "[" and (token.depth == 0 or first_word in TYPES)


def first_words(code, tokens):
    """For each token the first word of its line."""
    return [code[code.rfind("\n", 0, t.start) + 1:t.end].split(maxsplit=1)[0].rstrip("*")
            for t in tokens]


def begins_statement(tokens, i):
    before = tokens[i - 1]
    if before.text in (";", "{", "}", ":", "else"):
        return True
    return before.text == ")" and before.mate > 0 and \
        tokens[before.mate - 1].text in ("if", "while", "for")


def begins_row(tokens, i):
    """Whether a row of a table begins here: `{ … },` or `[X] = { … },` among others like it."""
    if tokens[i - 1].text == "{":
        among = i > 1 and tokens[i - 2].text == "="
    else:
        among = tokens[i - 1].text == "," and tokens[i - 1].depth > 0
    if not among or tokens[i].depth < 1:
        return -1
    end = i
    if tokens[i].text == "[" and tokens[tokens[i].mate + 1].text == "=":
        end = tokens[i].mate + 2
    if tokens[end].text != "{" or tokens[end].mate < 0 or tokens[end].mate + 1 >= len(tokens):
        return -1
    end = tokens[end].mate + 1
    return end if tokens[end].text == "," else -1


def steps_at(code, tokens, i, words):
    """The (start, end, text) that change the token or what begins with it."""
    token, last = tokens[i], len(tokens) - 1
    if is_dimension(token, words[i]):
        return
    if token.kind in ("number", "limit"):
        changed = changed_number(token.text)
        if changed:
            yield token.start, token.end, changed
    elif token.text in SWAPS and token.kind in ("mark", "word"):
        if token.text in ("<", ">") and code[token.start - 1] != " ":
            return
        for text in SWAPS[token.text]:
            yield token.start, token.end, text
    elif token.kind == "mark" and token.text in BETWEEN:
        if code[token.start - 1] == " " and code[token.end] in " \n":
            yield token.start, token.end, BETWEEN[token.text]
    elif token.text == "!" and tokens[i - 1].text != "!" and tokens[i + 1].text != "!":
        yield token.start, token.end, ""
    elif token.text in ("if", "while") and i < last and tokens[i + 1].mate > 0:
        inside = tokens[i + 2:tokens[i + 1].mate]
        if not any(t.text in COMPARES for t in inside):
            yield tokens[i + 1].end, tokens[tokens[i + 1].mate].start, \
                f"!({code[tokens[i + 1].end:tokens[tokens[i + 1].mate].start]})"
    elif token.kind == "word" and token.depth and i + 1 < last and tokens[i + 1].text == "(":
        end = tokens[i + 1].mate + 1
        if token.text not in NOT_CALLED and 0 < end <= last and tokens[end].text == ";" \
                and begins_statement(tokens, i):
            yield token.start, tokens[end].start, "(void)0"
    elif i > 1 and token.text in ("{", "["):
        end = begins_row(tokens, i)
        if end > 0:
            yield token.start, tokens[end].end, ""


def lines_around(code, start, end, text):
    """The whole lines that a step changes, before and after, with single spaces."""
    head, tail = code.rfind("\n", 0, start) + 1, code.find("\n", end)
    tail = len(code) if tail < 0 else tail
    return (" ".join(code[head:tail].split()),
            " ".join((code[head:start] + text + code[end:tail]).split()) or "(nothing)")


def mutants_of(file, code):
    """For each place in the code the steps that are possible there."""
    tokens = tokens_of(code)
    scopes, words = scopes_of(tokens), first_words(code, tokens)
    for i in range(len(tokens)):
        place = []
        for start, end, text in steps_at(code, tokens, i, words):
            before, after = lines_around(code, start, end, text)
            place.append(Mutant(file, code.count("\n", 0, start) + 1, scopes[i], before, after,
                                start, end, text))
        if place:
            yield place
