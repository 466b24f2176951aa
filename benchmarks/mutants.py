"""Mutants: copies of a module in which one thing is wrong.

What can go wrong with an expression is in tables; a statement can be left out, or change places with the next one.
Annotations, decorators, texts, and what is raised are left alone.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from types import CodeType
from typing import Any, NamedTuple


@dataclass(frozen=True)
class Mutant:
    """A module with one mistake."""

    line: int
    """Where the mistake begins."""
    text: str
    """This line as it should be."""
    change: str
    """The mistake, for example `count < 3 → count <= 3`, `without continue`, or `write(row) after send(row)`."""
    source: str
    """The whole module."""
    code: CodeType
    """The same, compiled, with the lines that it has without the mistake."""
    within: bool
    """Whether the mistake is in the body of a function: if not, it is made when the module is imported."""


Block = list[ast.stmt]


class Mistake(NamedTuple):
    """A mistake."""

    words: str
    wrong: Any
    """The content of the tree then: an expression, or the statements of a block."""
    line: int


UNTOUCHED = ("annotation", "bases", "cause", "decorator_list", "exc", "names", "returns")
"""Fields of the tree in which no mistake is made."""
COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATIONS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult,
}  # fmt: skip
OF_SETS = (ast.BitOr, ast.BitAnd, ast.Sub)
"""Operations of sets and dictionaries, one side of which may be forgotten."""
FUNCTIONS = {"min": "max", "max": "min", "any": "all", "all": "any"}
FORGOTTEN_FUNCTIONS = ("abs", "bool", "float", "int", "reversed", "round", "sorted", "str")
"""Functions instead of which their first argument may be used."""
ASSERTION = "strict"
"""Named argument of `zip` that says what is so anyway, and makes no difference then."""
FORGOTTEN_METHODS = ("lower", "removeprefix", "removesuffix", "strip", "upper")
SHORT = 80
"""Characters of a statement that are shown."""


def mutants(source: str, path: str = "mutant") -> list[Mutant]:
    """Return the mutants of a module, from its first line to its last."""
    tree, lines, found = _parsed(source), source.splitlines(), {}
    for place in _places(tree):
        right = place.content
        for words, wrong, line in _changes(place, right):
            place.put(wrong)
            code = compile(ast.fix_missing_locations(tree), path, "exec")
            text, wrong_source = lines[line - 1].strip(), f"{ast.unparse(tree)}\n"
            found[line, words] = Mutant(line, text, words, wrong_source, code, place.within)
        place.put(right)
    return sorted(found.values(), key=lambda mutant: mutant.line)


def mistakes(source: str) -> set[tuple[str, str]]:
    """Return text and change of all mutants of a module, without making them."""
    tree, lines = _parsed(source), source.splitlines()
    found = (mistake for place in _places(tree) for mistake in _changes(place, place.content))
    return {(lines[mistake.line - 1].strip(), mistake.words) for mistake in found}


def _parsed(source: str) -> ast.Module:
    """Return a tree in which the parts of a formatted text have the line of that text."""
    tree = ast.parse(source)
    for text in ast.walk(tree):
        if isinstance(text, ast.JoinedStr):
            for part in ast.walk(text):
                part.lineno = text.lineno  # type: ignore[attr-defined]
    return tree


@dataclass(frozen=True)
class TreePlace:
    """An expression, or a block of statements, in a tree."""

    owner: ast.AST
    field: str
    within: bool
    """Whether it is in the body of a function."""
    index: int | None = None
    """Of an expression in a list."""

    @property
    def content(self) -> Any:
        value = getattr(self.owner, self.field)
        return value if self.index is None else value[self.index]

    def put(self, content: Any) -> None:
        if self.index is None:
            setattr(self.owner, self.field, content)
        else:
            getattr(self.owner, self.field)[self.index] = content


def _places(node: ast.AST, *, within: bool = False) -> Iterator[TreePlace]:
    """Yield all expressions and blocks, the outer ones first."""
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED:
            continue
        inner = within or (field == "body" and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))
        several = isinstance(value, list)
        if several and value and isinstance(value[0], ast.stmt):
            yield TreePlace(node, field, inner)
        for index, child in enumerate(value if several else [value]):
            if isinstance(child, ast.keyword) and child.arg == ASSERTION:
                continue
            if isinstance(child, ast.expr):
                yield TreePlace(node, field, inner, index if several else None)
            if isinstance(child, ast.AST):
                yield from _places(child, within=inner)


def _changes(place: TreePlace, content: Any) -> Iterator[Mistake]:
    """Yield all mistakes that begin at a place."""
    if isinstance(content, list):
        yield from _statement_forgotten(content)
        yield from _statement_late(content)
        if isinstance(place.owner, ast.ExceptHandler) and not isinstance(content[0], ast.Raise):
            yield Mistake("without this handler", [ast.Raise()], place.owner.lineno)
        return
    before = ast.unparse(content)
    for wrong in (*_truths(place), *EXPRESSIONS.get(type(content), _nothing)(content)):
        yield Mistake(f"{before} → {ast.unparse(wrong)}", wrong, content.lineno)
    for without, wrong in _with_less(content):
        yield Mistake(f"without {without}", wrong, content.lineno)


def _truths(place: TreePlace) -> Iterator[ast.expr]:
    """Yield wrong conditions; no loop goes on for ever."""
    if place.field in {"test", "ifs"}:
        yield ast.Constant(False)  # noqa: FBT003 - a constant of the tree
        if not isinstance(place.owner, ast.While):
            yield ast.Constant(True)  # noqa: FBT003


def _nothing(_: Any) -> Iterator[ast.expr]:
    return iter(())


def _compared(node: ast.Compare) -> Iterator[ast.expr]:
    for index, operator in enumerate(node.ops):
        yield ast.Compare(node.left, _with(node.ops, index, COMPARISONS[type(operator)]()), node.comparators)


def _combined(node: ast.BoolOp) -> Iterator[ast.expr]:
    for index in range(len(node.values)):
        rest = _with(node.values, index)
        yield ast.BoolOp(node.op, rest) if len(rest) > 1 else rest[0]


def _computed(node: ast.BinOp) -> Iterator[ast.expr]:
    if other := OPERATIONS.get(type(node.op)):
        yield ast.BinOp(node.left, other(), node.right)
    if isinstance(node.op, OF_SETS):
        yield node.left
    if isinstance(node.op, ast.BitOr | ast.BitAnd):
        yield node.right
    if isinstance(node.op, ast.BitOr):
        yield ast.BinOp(node.right, node.op, node.left)


def _constant(node: ast.Constant) -> Iterator[ast.expr]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield from (ast.Constant(node.value + 1), ast.Constant(node.value - 1))
    elif isinstance(node.value, float):
        yield ast.Constant(2 * node.value or 1.0)


def _called(node: ast.Call) -> Iterator[ast.expr]:
    name, function = getattr(node.func, "id", ""), node.func
    if name in FUNCTIONS:
        yield ast.Call(ast.Name(FUNCTIONS[name], ast.Load()), node.args, node.keywords)
    if name in FORGOTTEN_FUNCTIONS:
        yield node.args[0]
    if isinstance(function, ast.Attribute) and function.attr in FORGOTTEN_METHODS:
        yield function.value


def _cut(node: ast.Slice) -> Iterator[ast.expr]:
    if node.lower and node.upper:
        yield from (ast.Slice(None, node.upper, node.step), ast.Slice(node.lower, None, node.step))


EXPRESSIONS: dict[type[ast.AST], Callable[[Any], Iterator[ast.expr]]] = {
    ast.Compare: _compared,
    ast.BoolOp: _combined,
    ast.BinOp: _computed,
    ast.UnaryOp: lambda node: iter([node.operand]),
    ast.Constant: _constant,
    ast.Call: _called,
    ast.Slice: _cut,
}
"""Functions that yield wrong expressions instead of one."""


def _with_less(node: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Yield an expression without one of its named arguments, or of the collections that are unpacked in it."""
    if isinstance(node, ast.Call):
        for index, argument in ((index, each) for index, each in enumerate(node.keywords) if each.arg != ASSERTION):
            yield ast.unparse(argument), ast.Call(node.func, node.args, _with(node.keywords, index))
    if isinstance(node, ast.Dict):
        for index in (index for index, key in enumerate(node.keys) if key is None):
            rest = ast.Dict(_with(node.keys, index), _with(node.values, index))
            yield f"**{ast.unparse(node.values[index])}", rest
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        for index in (index for index, item in enumerate(node.elts) if isinstance(item, ast.Starred)):
            rest = copy(node)
            rest.elts = _with(node.elts, index)
            yield ast.unparse(node.elts[index]), rest


def _statement_forgotten(block: Block) -> Iterator[Mistake]:
    """Yield a block without one of its statements, or with a wrong sign in one."""
    for index, statement in enumerate(block):
        if _acts(statement, (ast.Expr, ast.AugAssign, ast.Raise, ast.Delete, ast.Continue, ast.Break)):
            rest = _with(block, index, *([ast.Pass()] if len(block) == 1 else []))
            yield Mistake(f"without {_short(statement)}", rest, statement.lineno)
        if isinstance(statement, ast.With | ast.AsyncWith) and not any(each.optional_vars for each in statement.items):
            yield Mistake(f"without {_short(statement)}", _with(block, index, *statement.body), statement.lineno)
        if isinstance(statement, ast.AugAssign) and (other := OPERATIONS.get(type(statement.op))):
            wrong = ast.AugAssign(statement.target, other(), statement.value)
            yield Mistake(f"{_short(statement)} → {_short(wrong)}", _with(block, index, wrong), statement.lineno)


def _statement_late(block: Block) -> Iterator[Mistake]:
    """Yield a block in which a statement comes after the next one."""
    movable = (ast.Expr, ast.AugAssign, ast.If, ast.For, ast.With)
    for index, (statement, following) in enumerate(pairwise(block)):
        if not _acts(statement, movable) or (_is_guard(statement) and isinstance(following, ast.Return | ast.If)):
            continue
        if isinstance(following, ast.Return) and _leaves_alone(statement, following.value):
            continue
        if _only_notes(statement) and _only_notes(following):
            continue
        before, after = block[:index], block[index + 2 :]
        words = f"{_short(statement)} after {_short(following)}"
        if isinstance(following, ast.Return) and not isinstance(following.value, ast.Constant | None):
            result = ast.Assign([ast.Name("result", ast.Store())], following.value, lineno=following.lineno)
            swapped = [*before, result, statement, ast.Return(ast.Name("result", ast.Load())), *after]
            yield Mistake(words, swapped, statement.lineno)
        elif _acts(following, movable):
            yield Mistake(words, [*before, following, statement, *after], statement.lineno)


def _acts(statement: ast.stmt, kinds: tuple[type[ast.stmt], ...]) -> bool:
    """Return whether a statement is of one of these kinds, or sets an attribute or an item. A text does nothing."""
    if isinstance(statement, ast.Assign):
        return isinstance(statement.targets[0], ast.Attribute | ast.Subscript)
    return isinstance(statement, kinds) and not isinstance(getattr(statement, "value", None), ast.Constant)


def _is_guard(statement: ast.stmt) -> bool:
    """Return whether a statement only decides that nothing is done: it rarely matters which of two comes first."""
    leaves = ast.Return | ast.Raise | ast.Continue | ast.Break
    return isinstance(statement, ast.If) and isinstance(statement.body[-1], leaves)


def _leaves_alone(statement: ast.stmt, result: ast.expr | None) -> bool:
    """Return whether a result is a variable that a statement does not set: it is the same before and after."""
    names = [each for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return isinstance(result, ast.Name) and result.id not in {name.id for name in names}


def _only_notes(statement: ast.stmt) -> bool:
    """Return whether a statement only gives an attribute the value of variables: others may come first."""
    kinds = (ast.Attribute, ast.Call, ast.Await, ast.Subscript)
    simple = isinstance(statement, ast.Assign) and not any(
        isinstance(each, kinds) for each in ast.walk(statement.value)
    )
    return simple and isinstance(statement.targets[0], ast.Attribute)


def _short(statement: ast.stmt) -> str:
    """Return the beginning of a statement."""
    return ast.unparse(statement).partition("\n")[0][:SHORT]


def _with(items: Sequence[Any], index: int, *others: Any) -> list[Any]:
    """Return items with others instead of one of them, or without it."""
    return [*items[:index], *others, *items[index + 1 :]]
