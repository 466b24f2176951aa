"""How many runs a difference takes to be found: as in textbooks, and never with too few."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.run_counts import (
    LEVEL,
    MOST_RUNS,
    POWER,
    cautious_spread,
    found_share,
    runs_needed,
    runs_to_see,
    seen_from,
    smallest_p,
)

EFFECTS = st.floats(0.2, 5)
TESTS = st.integers(1, 20)


def test_power_is_that_of_published_examples():
    """The documentation of R, `power.t.test(n = 20, delta = 1, sd = 1)`, says 0.8689528. Cohen (1988, table 2.4.1)
    needs 26 runs on each side for a large effect, 64 for a medium and 393 for a small one; the manual of G*Power 3.1
    needs 34 pairs for a medium one.
    """
    assert found_share(1, 20, 20, paired=False) == pytest.approx(0.8689528, abs=1e-6)
    assert [runs_to_see(effect, 1, paired=False) for effect in (0.8, 0.5, 0.2)] in ([26, 64, 393], [26, 64, 394])
    assert runs_to_see(0.5, 1, paired=True) == 34


@given(EFFECTS, TESTS, st.booleans())
def test_as_many_runs_as_are_said_find_it_and_one_less_does_not(effect, tests, paired):
    """Or there would be too few to find anything. Twice the difference of runs that vary twice as much is the same."""
    size = runs_to_see(effect, 1, paired=paired, tests=tests)
    assert runs_to_see(-2 * effect, 2, paired=paired, tests=tests) == size
    assert found_share(effect, size, size, paired=paired, tests=tests) >= POWER
    assert size == runs_needed(paired=paired, tests=tests) or (
        found_share(effect, size - 1, size - 1, paired=paired, tests=tests) < POWER
    )


@given(st.integers(9, 60), st.integers(9, 60), TESTS, st.booleans(), st.floats(0.1, 9))
def test_what_is_seen_is_found_in_four_studies_of_five(a, b, tests, paired, spread):
    """By runs that vary as much; in the unit of the measure."""
    sizes = (a, a) if paired else (a, b)
    seen = seen_from(spread, *sizes, paired=paired, tests=tests)
    if seen is None:
        assert smallest_p(*sizes, paired=paired) * tests > LEVEL
    else:
        assert found_share(seen / spread, *sizes, paired=paired, tests=tests) == pytest.approx(POWER, abs=1e-6)


@pytest.mark.parametrize(("paired", "few"), [(True, 5), (False, 3)])
def test_too_few_runs_see_nothing_however_large(paired, few):
    """Nor does one see how much is noise among runs that do not vary; and what takes too many is not to be found."""
    assert found_share(1e3, few, few, paired=paired) == 0
    assert seen_from(1, few, few, paired=paired) is None
    assert runs_needed(paired=paired) == few + 1
    assert runs_to_see(1e3, 1, paired=paired) == few + 1
    assert seen_from(0, 50, 50, paired=paired) is runs_to_see(1, 0, paired=paired) is None
    assert runs_to_see(0, 1, paired=paired) is runs_to_see(1e-9 / MOST_RUNS, 1, paired=paired) is None


def test_a_small_pilot_may_have_varied_too_little_by_chance():
    """The 20 % quantile of chi-squared with four degrees of freedom is 1.649 (as in any table of it)."""
    assert cautious_spread(3, 4) == pytest.approx(3 * (4 / 1.649) ** 0.5, rel=1e-3)
    assert cautious_spread(1, 2) > cautious_spread(1, 9) > cautious_spread(1, 99) > 1
