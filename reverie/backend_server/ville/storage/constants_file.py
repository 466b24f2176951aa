"""Read the constants of a utils.py by its syntax tree, without running it.

Such a file may import packages that are not installed, or call a provider. Assignments are evaluated, also inside of
conditions, with texts, numbers and the functions of `os` that these files use. Settings of the OpenAI and Google
clients, as in `genai.configure(api_key=...)`, are returned as `google.api_key`.
"""

import ast
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ville.storage.files import read_file

CLIENTS = ("openai", "google")
"""Packages whose settings a utils.py may make by a call or by setting an attribute."""
PATHS = ("abspath", "basename", "dirname", "expanduser", "join", "normpath", "realpath")
TEXTS = ("lower", "lstrip", "rstrip", "strip", "upper")
Operation = Callable[..., Any]
"""It refuses operands that do not suit it."""
NUMBERS: Mapping[type[ast.operator], Operation] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
}  # fmt: skip
COMPARISONS: Mapping[type[ast.cmpop], Operation] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.In: lambda item, items: item in items, ast.NotIn: lambda item, items: item not in items,
}  # fmt: skip
SIGNS: Mapping[type[ast.unaryop], Operation] = {ast.Not: operator.not_, ast.USub: operator.neg}
BUILT_IN: Mapping[str, Operation] = {"bool": bool, "float": float, "int": int, "str": str}


@dataclass(frozen=True)
class Computed:
    """A value that cannot be found without running the file."""

    line: int


class _Unknown(Exception):  # noqa: N818 - not shown to users
    """The value of an expression cannot be found."""


def read_constants(path: Path, environment: Mapping[str, str]) -> dict[str, object]:
    """Return the names that the file sets, with their values or `Computed`.

    `environment` is what `os.getenv` answers there. Raises OSError, SyntaxError and ValueError.
    """
    reader = _Reader(path, environment)
    reader.follow(ast.parse(read_file(path), filename=str(path)).body)
    return reader.values


class _Expressions(ast.NodeVisitor):
    """Evaluates expressions. Raises _Unknown, and the errors of Python's own operators."""

    def __init__(self, path: Path, environment: Mapping[str, str]) -> None:
        self.values: dict[str, object] = {"__file__": str(path)}
        self._environment = environment
        self._imported: dict[str, str] = {}
        """Local names to full names: `genai` to `google.generativeai`."""

    def value(self, node: ast.expr) -> object:
        """Return the value of an expression, or `Computed`."""
        try:
            return self.visit(node)
        except (_Unknown, ArithmeticError, AttributeError, LookupError, TypeError, ValueError):
            return Computed(node.lineno)

    def generic_visit(self, _node: ast.AST) -> object:
        raise _Unknown

    def visit_Constant(self, node: ast.Constant) -> object:
        return node.value

    def visit_Name(self, node: ast.Name) -> object:
        return self._known(node.id)

    def visit_Attribute(self, node: ast.Attribute) -> object:
        return self._known(f"{self.path_of(node).partition('.')[0]}.{node.attr}")

    def visit_JoinedStr(self, node: ast.JoinedStr) -> str:
        return "".join(str(self.visit(part)) for part in node.values)

    def visit_FormattedValue(self, node: ast.FormattedValue) -> object:
        if node.conversion != -1 or node.format_spec:
            raise _Unknown
        return self.visit(node.value)

    def visit_List(self, node: ast.List | ast.Tuple | ast.Set) -> list[object]:
        return [self.visit(item) for item in node.elts]

    visit_Tuple = visit_Set = visit_List  # noqa: N815 - the names are those of the syntax tree

    def visit_BinOp(self, node: ast.BinOp) -> object:
        """Calculate with numbers, and join texts or lists. Other products could be too long for the memory."""
        operation, left, right = NUMBERS.get(type(node.op)), self.visit(node.left), self.visit(node.right)
        numbers = isinstance(left, int | float) and isinstance(right, int | float)
        if operation is None or not (numbers or (type(left) is type(right) and operation is operator.add)):
            raise _Unknown
        return operation(left, right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> object:
        return SIGNS[type(node.op)](self.visit(node.operand))

    def visit_BoolOp(self, node: ast.BoolOp) -> object:
        """Return the first part that decides `or` or `and`, else the last one."""
        value = None
        for part in node.values:
            value = self.visit(part)
            if bool(value) is isinstance(node.op, ast.Or):
                break
        return value

    def visit_Compare(self, node: ast.Compare) -> object:
        if len(node.ops) > 1:
            raise _Unknown
        return COMPARISONS[type(node.ops[0])](self.visit(node.left), self.visit(node.comparators[0]))

    def visit_IfExp(self, node: ast.IfExp) -> object:
        return self.visit(node.body if self.visit(node.test) else node.orelse)

    def visit_Subscript(self, node: ast.Subscript) -> object:
        whole = self._environment if self.path_of(node.value) == "os.environ" else self.visit(node.value)
        return whole[self.visit(node.slice)]

    def visit_Call(self, node: ast.Call) -> object:
        path, function = self.path_of(node.func), node.func
        for keyword in node.keywords:
            self.set_client_option(path, keyword.arg or "", self.value(keyword.value))
        given = [self.visit(argument) for argument in node.args]
        if path in {"os.getenv", "os.environ.get"}:
            return self._environment.get(*given, *(self.visit(keyword.value) for keyword in node.keywords))
        if path.startswith("os.path.") and path.removeprefix("os.path.") in PATHS:
            return getattr(os.path, path.removeprefix("os.path."))(*given)
        match function:
            case ast.Name(id=name) if name in BUILT_IN and name not in self.values:
                return BUILT_IN[name](*given)
            case ast.Attribute(value=value, attr=method) if method in TEXTS:
                return getattr(str, method)(self.visit(value), *given)
        raise _Unknown

    def _known(self, name: str) -> object:
        if isinstance(value := self.values.get(name, Computed(0)), Computed):
            raise _Unknown
        return value

    def path_of(self, node: ast.expr) -> str:
        """Return the full name of an imported object, for example `os.path.join`; empty if it is not imported."""
        if isinstance(node, ast.Name):
            return self._imported.get(node.id, "")
        inner = self.path_of(node.value) if isinstance(node, ast.Attribute) else ""
        return f"{inner}.{node.attr}" if isinstance(node, ast.Attribute) and inner else ""

    def set_client_option(self, path: str, name: str, value: object) -> None:
        """Store a setting of a client package."""
        package = path.partition(".")[0]
        if package in CLIENTS:
            self.values[f"{package}.{name}"] = value


class _Reader(_Expressions):
    """Evaluates statements in their order."""

    def follow(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            self.visit(statement)

    def generic_visit(self, node: ast.AST) -> None:
        if not isinstance(node, ast.stmt):
            raise _Unknown
        self._mark_computed(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            self._imported[bound] = alias.name if alias.asname else bound

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for alias in node.names:
            self._imported[alias.asname or alias.name] = f"{node.module}.{alias.name}"
            self.values[alias.asname or alias.name] = Computed(node.lineno)

    def visit_Expr(self, node: ast.Expr) -> None:
        self.value(node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            self._bind(target, value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value:
            self._bind(node.target, self.value(node.value))

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
        self.values.pop(node.name, None)

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef  # noqa: N815 - as above

    def visit_If(self, node: ast.If) -> None:
        test = self.value(node.test)
        if isinstance(test, Computed):
            self._mark_computed(node)
        else:
            self.follow(node.body if test else node.orelse)

    def _bind(self, target: ast.expr, value: object) -> None:
        match target:
            case ast.Name(id=name):
                self.values[name] = value
            case ast.Attribute(attr=attribute):
                self.set_client_option(self.path_of(target), attribute, value)
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                values = value if isinstance(value, list) else []
                if len(values) != len(parts):
                    values = [Computed(target.lineno)] * len(parts)
                for part, each in zip(parts, values, strict=True):
                    self._bind(part, each)

    def _mark_computed(self, statement: ast.stmt) -> None:
        """Mark what a statement sets as computed: whether it runs is unknown."""
        for node in ast.walk(statement):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.visit(node)
            elif isinstance(node, ast.Call):
                self.value(node)
        for node in ast.walk(statement):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                self.values[node.id] = Computed(node.lineno)
