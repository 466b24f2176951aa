"""The words of two prompts are told apart, and questions are matched whatever their order within a step is."""

from hypothesis import given
from hypothesis import strategies as st

from ville.analysis.comparison.prompts import AskedQuestion, changed_prompts, differing_lines

PROMPT = st.lists(st.lists(st.sampled_from(["one", "two", "three"])).map(" ".join)).map("\n".join)


def asked(step: int, prompt: str, *, persona: str = "Ada", question: str = "plan/day_plan") -> AskedQuestion:
    return AskedQuestion(step, persona, question, prompt, "")


@given(PROMPT, PROMPT)
def test_the_marked_words_make_both_prompts(a, b):
    """Without the words of one, the differing lines are lines of the other; equal prompts have none."""
    lines = differing_lines(a, b)
    for mine, other, prompt in (("a", "b", a), ("b", "a", b)):
        texts = ["".join(span.words for span in line if span.of in {mine, "both"}) for line in lines]
        assert {text for text in texts if text} <= set(prompt.splitlines())
        assert mine != other
    assert (lines == ()) == (a.splitlines() == b.splitlines())


@given(st.lists(PROMPT), st.randoms())
def test_the_order_within_a_step_does_not_matter(prompts, lots):
    """The same questions in another order are equal."""
    mine = [asked(1, prompt) for prompt in prompts]
    other = list(mine)
    lots.shuffle(other)
    assert changed_prompts(mine, other) == []


def test_a_changed_prompt_is_matched_with_its_counterpart():
    """By step, persona and question; what only one run asked stands alone, and what users ask does not count."""
    a = [asked(1, "same"), asked(2, "old"), asked(2, "same"), asked(3, "only in a")]
    b = [asked(1, "whisper", question="talk/whispered"), asked(1, "same"), asked(2, "same"), asked(2, "new")]
    assert changed_prompts(a, b) == [(asked(2, "old"), asked(2, "new")), (asked(3, "only in a"), None)]
    assert changed_prompts(a, b, most=1) == [(asked(2, "old"), asked(2, "new"))]
