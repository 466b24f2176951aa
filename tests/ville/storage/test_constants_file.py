"""A utils.py is read without being run: what it says is understood, what it would do is not done."""

import ast
import os
import runpy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ville.storage.constants_file import Computed, read_constants

AGA = """
import os
import google.generativeai as genai

key_type = {kind!r}
assert key_type in ["openai", "azure", "llama", "gemini"], f"{{key_type}} is none of them"
openai_api_key = "k-openai"
key_owner = "Ada"
if key_type == "azure":
    openai_api_key = "k-azure"
    openai_api_base = "https://ada.openai.azure.com/"
    openai_api_type = "azure"
    openai_api_version = "2023-05-15"
elif key_type == "llama":
    openai_api_key = "none"
    openai_api_base = os.getenv("LLAMA", "http://localhost:9/v1")
if key_type == "gemini":
    genai.configure(api_key="k-gemini")
fs_storage = "../../environment/frontend_server/storage"
pool = os.path.join(fs_storage, "public", "pool.json")
fold = None
def set_fold(path):
    global fold
    fold = path
use_policy = True
"""


@pytest.fixture
def said(tmp_path):
    """Return the constants of a file with this text."""

    def read(text, **environment):
        (tmp_path / "utils.py").write_text(text, "utf-8")
        return read_constants(tmp_path / "utils.py", environment)

    return read


def test_nothing_of_a_file_is_run(said, tmp_path):
    """No import, no call, no file, no process; and what is missing here is not missed."""
    trace = tmp_path / "trace"
    acts = [f"open({str(trace)!r}, 'w')", f"__import__('os').system('touch {trace}')", "exit(3)", "1 / 0", "input()"]
    text = "import no_such_package\nfrom google import genai\nseed = 7\n" + "\n".join(acts)
    assert said(text)["seed"] == 7
    assert not trace.exists()


@pytest.mark.parametrize(
    ("kind", "key", "address"),
    [
        ("openai", "k-openai", None),
        ("azure", "k-azure", "https://ada.openai.azure.com/"),
        ("llama", "none", "http://localhost:9/v1"),
    ],
)
def test_a_file_in_agas_form_says_what_its_branch_says(said, kind, key, address):
    """Whatever it imports; the branches that are not chosen say nothing."""
    constants = said(AGA.format(kind=kind))
    assert (constants["openai_api_key"], constants.get("openai_api_base")) == (key, address)
    assert constants["pool"] == os.path.join(constants["fs_storage"], "public", "pool.json")  # noqa: PTH118 - as there
    assert "google.api_key" not in constants


def test_what_is_given_to_a_client_is_kept_under_its_package(said):
    """By a call or by an attribute, whatever the file calls the package."""
    assert said(AGA.format(kind="gemini"))["google.api_key"] == "k-gemini"
    clients = said(
        "import openai as o\nfrom openai import OpenAI as O\no.api_key = 'a'\nc = O(base_url='http://b/v1')\n"
    )
    assert (clients["openai.api_key"], clients["openai.base_url"]) == ("a", "http://b/v1")


def test_the_environment_is_asked_as_the_file_asks_it(said):
    """With its default, and only the environment that is handed over."""
    text = "from os import getenv, environ\na = getenv('A')\nb = getenv('B', 'none') or 'x'\nc = environ['C']\n"
    assert said(text, A="1") == {
        "__file__": said("")["__file__"], "getenv": Computed(1), "environ": Computed(1), "a": "1", "b": "none",
        "c": Computed(4),
    }  # fmt: skip


@pytest.mark.parametrize(
    "text",
    ["a = f()", "from b import a", "for a in [1]: pass", "if f(): a = 1", "try:\n    a = 1\nexcept E: pass", "a = b"],
)
def test_what_only_running_it_would_tell_is_said_to_be_computed(said, text):
    """With its line; never a guess."""
    assert said(f"a = 0\n{text}")["a"] == Computed(2 + text.count("\n    "))


OPERATORS = ("+", "-", "==", "!=", "in", "or", "and", "<")
literals = st.recursive(
    st.integers(-99, 99) | st.text(max_size=4) | st.booleans() | st.none(), lambda inner: st.lists(inner, max_size=3)
)
expressions = st.recursive(
    literals.map(repr) | st.sampled_from(["a", "b"]),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(OPERATORS), inner).map("({0[0]} {0[1]} {0[2]})".format),
        inner.map("(not {})".format),
        st.tuples(inner, inner, inner).map("({0[0]} if {0[1]} else {0[2]})".format),
        inner.map("str({})".format),
    ),
    max_leaves=6,
)  # fmt: skip
programs = st.lists(st.tuples(st.sampled_from("abc"), expressions, expressions), max_size=5)


@given(programs)
def test_whatever_is_told_is_what_running_the_file_would_give(tmp_path_factory, program):
    """Python itself is the oracle: a value is the same, or said to be computed."""
    lines = [f"if {test}:\n    {name} = {value}\nelse:\n    {name} = 1" for name, value, test in program]
    file = tmp_path_factory.mktemp("program") / "utils.py"
    file.write_text("a = 1\nb = 'x'\n" + "\n".join(lines), "utf-8")
    ast.parse(file.read_text("utf-8"))
    told = read_constants(file, {})
    try:
        true = runpy.run_path(str(file))
    except (TypeError, ValueError):
        return
    for name in "abc":
        if not isinstance(told.get(name), Computed):
            assert told.get(name) == true.get(name)
