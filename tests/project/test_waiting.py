"""Tests of pages wait: a page is read before it has settled where the machine is busy."""

import ast
from collections.abc import Iterator

import pytest
from repository import tracked, tree_of

AT_ONCE = {
    "all_inner_texts", "all_text_contents", "aria_snapshot", "bounding_box", "content", "count", "evaluate",
    "evaluate_all", "get_attribute", "inner_html", "inner_text", "input_value", "is_checked", "is_disabled",
    "is_editable", "is_enabled", "is_hidden", "is_visible", "text_content", "title",
}  # fmt: skip
"""Methods of Playwright that say what a page is now."""
ALSO_OF_TEXTS = {"content", "count", "title"}
"""Those of a page have no arguments."""
TESTS = tracked("tests/pages/*.py", "tests/front_door/*.py", "tests/servers/page_*.py")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and those below it, but for functions in it, which are called later, and again and again."""
    yield node
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.Lambda | Function):
            yield from walk(child)


def reads(node: ast.AST, readers: set[str], names: set[str]) -> bool:
    """Whether an expression reads a page at once, itself or by a function, or uses a name for what was read."""
    for each in walk(node):
        match each:
            case ast.Call(func=ast.Attribute(attr=name), args=arguments):
                if name in AT_ONCE and not (name in ALSO_OF_TEXTS and arguments):
                    return True
            case ast.Call(func=ast.Name(id=name)) if name in readers:
                return True
            case ast.Name(id=name) if name in names:
                return True
    return False


def names_in(body: ast.Module, readers: set[str]) -> set[str]:
    """Names that are given to what is read."""
    found = set()
    for node in walk(body):
        match node:
            case ast.Assign(targets=[target], value=value) | ast.NamedExpr(target=target, value=value):
                given = value
            case ast.For(target=target, iter=given):
                pass
            case _:
                continue
        if reads(given, readers, found):
            found |= {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
    return found


def bodies(tree: ast.Module) -> list[tuple[str, ast.Module]]:
    """Functions, by name, each without those within it."""
    return [(node.name, ast.Module(node.body, [])) for node in ast.walk(tree) if isinstance(node, Function)]


def hasty(tree: ast.Module) -> list[int]:
    """Lines of assertions about what was read at once."""
    readers: set[str] = set()
    for name, body in 2 * bodies(tree):  # one may call another
        names = names_in(body, readers)
        if any(isinstance(each, ast.Return) and reads(each, readers, names) for each in walk(body)):
            readers.add(name)
    return [
        each.lineno
        for _, body in bodies(tree)
        for each in walk(body)
        if isinstance(each, ast.Assert) and reads(each.test, readers, names_in(body, readers))
    ]


def test_no_assertion_is_about_what_a_page_was_read_to_be_at_once() -> None:
    """`expect`, `wait_for_function`, and `shows`, `comes_to` and `until` of tests/servers wait for it."""
    assert [f"{name}:{line}" for name in TESTS for line in hasty(tree_of(name))] == []


@pytest.mark.parametrize(
    "code",
    [
        "assert page.locator('h3').count() == 2",
        "assert not back.is_visible()",
        "texts = [text.lower() for text in rows.all_inner_texts()]\n    assert texts",
        "assert shown(page) == 1\ndef shown(page):\n    return page.evaluate('ville.step')",
    ],
)
def test_what_is_read_at_once_is_found(code) -> None:
    """Directly, by a name, and by a function; what is read again and again is not."""
    assert hasty(ast.parse(f"def test_it():\n    {code}"))
    assert not hasty(ast.parse("def test_it():\n    assert until(lambda: page.locator('h3').count() == 2)"))
    assert not hasty(ast.parse("def test_it():\n    assert words.count('tea') == 2"))
