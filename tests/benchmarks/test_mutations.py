"""The mistakes by which `benchmarks/mutations.py` tests the tests, and its table."""

import pytest
from mutants import mistakes, mutants
from mutations import modules
from repository import ROOT

MODULES = modules()
EXAMPLE = '''
"""A module."""
from contextlib import nullcontext


def left(rows: list[int], *, most: int = 3) -> int:
    """Return how many are left without the first one."""
    for row in sorted(rows):
        if row > 2 and row != most:
            with nullcontext():
                rows.remove(row)
            return len(rows)
        if row == 0:
            rows.append(most)
            return row
    raise ValueError(f"None of {len(rows) + 1} is right.")
'''


def test_a_mutant_is_a_module_with_one_mistake():
    """It can be run, it is not the module, and what cannot be wrong is not touched."""
    found = mutants(EXAMPLE)
    sources = {mutant.source for mutant in found}
    assert len(sources) == len(found)
    for mutant in found:
        compile(mutant.source, "mutant", "exec")
        assert '"""A module."""' in mutant.source
        assert "rows: list[int], *, most: int" in mutant.source
    assert {
        "3 → 4", "sorted(rows) → rows", "row > 2 and row != most → True", "row > 2 and row != most → row > 2",
        "row > 2 → row >= 2", "row != most → row == most", "without with nullcontext():", "without rows.remove(row)",
        "with nullcontext(): after return len(rows)",
    } <= {mutant.change for mutant in found}  # fmt: skip
    assert mistakes(EXAMPLE) == {(mutant.text, mutant.change) for mutant in found}
    assert not any("after return row" in mutant.change for mutant in found)
    assert not any("len(rows) + 1 →" in mutant.change for mutant in found)


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.path)
def test_every_reason_is_for_a_mistake(module):
    """Reasons for lines that are no longer there are removed, and every test of the table exists."""
    assert module.outdated == []
    assert all((ROOT / test).exists() for test in module.tests)
