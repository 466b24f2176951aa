"""Model files are known by their headers: what they are is said before anything is loaded."""

from contextlib import suppress

import pytest
from gguf_headers import TEMPLATE, write_header
from hypothesis import given
from hypothesis import strategies as st

from ville.errors import BadSetting
from ville.llm.local.model_file import model_file
from ville.llm.local.server_plan import CONTEXT, MOST_SLOTS, ServerPlan
from ville.machine import processors

SHAPE = {
    "tiny__context_length": 2048, "tiny__embedding_length": 64, "tiny__block_count": 3,
    "tiny__attention__head_count": 4, "tiny__attention__head_count_kv": 2,
}  # fmt: skip


def test_a_header_says_what_a_model_is(tmp_path):
    """Two heads of 16 numbers are kept twice, as keys and as values, in each of three layers."""
    path = write_header(tmp_path / "small.gguf", **SHAPE, **TEMPLATE)
    found = model_file(path, "model_file")
    assert (found.name, found.context, found.vector_size, found.attention) == ("small", 2048, 64, 3 * 2 * (16 + 16))
    assert (found.talks, found.pools) == (True, False)


def test_layers_may_differ(tmp_path):
    """Room is kept for the largest."""
    path = write_header(tmp_path / "a.gguf", **SHAPE | {"tiny__attention__head_count_kv": [1, 4, 2]})
    assert model_file(path, "model_file").attention == 3 * 4 * (16 + 16)


def test_a_file_that_changes_is_read_again(tmp_path):
    path = write_header(tmp_path / "a.gguf", **SHAPE)
    assert not model_file(path, "model_file").talks
    write_header(path, **SHAPE, **TEMPLATE)
    assert model_file(path, "model_file").talks


@pytest.mark.parametrize(
    ("content", "said"),
    [(None, "cannot be read"), (b"", "not a GGUF file"), (b"PK\3\4 a wheel", "not a GGUF file"), (b"GGUF", "damaged")],
)
def test_what_is_not_a_model_is_refused_in_one_line(tmp_path, content, said):
    """With the name of the setting and of the file."""
    path = tmp_path / "some.gguf"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadSetting, match=said) as caught:
        model_file(path, "embedding_file")
    assert str(caught.value).startswith(f"embedding_file: {path}")
    assert "\n" not in str(caught.value)


@given(cut=st.integers(4, 200), noise=st.binary(max_size=40))
def test_no_file_is_read_without_end(tmp_path_factory, cut, noise):
    """Cut off anywhere and continued by anything, it is a model or refused."""
    folder = tmp_path_factory.mktemp("cut")
    whole = write_header(folder / "a.gguf", **SHAPE, **TEMPLATE).read_bytes()
    path = folder / "b.gguf"
    path.write_bytes(whole[:cut] + noise)
    with suppress(BadSetting):
        assert model_file(path, "model_file").path == path


def test_a_plan_leaves_a_core_free(tmp_path):
    """There are no more slots than threads, and one text is embedded at a time."""
    model = model_file(write_header(tmp_path / "a.gguf", **SHAPE, **TEMPLATE), "model_file")
    plan = ServerPlan.of(model, embeds=False)
    assert plan.threads == max(1, processors() - 1)
    assert 1 <= plan.slots <= min(plan.threads, MOST_SLOTS)
    assert plan.context == 2048 < CONTEXT
    assert ServerPlan.of(model, embeds=True).slots == 1
    assert ServerPlan.read(plan.text) == plan
