"""Secrets are removed from texts in every form; other texts stay as they are."""

import json
from base64 import b64encode, urlsafe_b64encode
from urllib.parse import quote

from hypothesis import given
from hypothesis import strategies as st

from ville.llm.wire.masking import MASKED, Mask

KEY = "sk-proj-0123456789abcdef"
ADDRESS = "https://ada:p%40ssw0rd!@gateway.example:9/t0ken-in-path/openai/v1"
SECRETS = (KEY, "ada:p@ssw0rd!", "p@ssw0rd!", "t0ken-in-path")


def base64(text):
    return b64encode(text.encode()).decode()


FORMS = {
    "as it is": str,
    "in an address": lambda text: f"https://host/{quote(text, safe='')}/x",
    "in base64": base64,
    "in base64 for addresses": lambda text: urlsafe_b64encode(text.encode()).decode(),
    "in base64 without its end": lambda text: base64(text).rstrip("="),
    "in the midst of base64": lambda text: base64(f"user:{text}\n"),
    "as a header": lambda text: f"authorization: Basic {base64(text)}",
    "as JSON": lambda text: json.dumps({"headers": {"Authorization": f"Bearer {text}"}}),
    "in base64 of JSON": lambda text: base64(json.dumps({"key": text})),
}


@given(st.sampled_from(SECRETS), st.sampled_from(sorted(FORMS)), st.text(max_size=20), st.text(max_size=20))
def test_every_form_of_a_secret_is_removed(secret, form, before, after):
    """Whatever stands around it."""
    quoted = FORMS[form](secret)
    for masked in (
        Mask(KEY, ADDRESS).text(f"{before} {quoted} {after}"),
        Mask(KEY, ADDRESS).line(f"{before} {quoted}"),
    ):
        assert secret not in masked
        assert base64(secret).rstrip("=") not in masked
        assert quote(secret, safe="") not in masked
        assert MASKED in masked or len(masked) > 20


@given(st.text())
def test_other_text_is_unchanged(text):
    """Also without secrets."""
    assert Mask("", "http://localhost:8000/v1").text(text) == text
    if not any(part in text for part in ("sk-p", "ada:", "p@ss", "p%40", "t0ke")):
        assert Mask(KEY, ADDRESS).text(text) == text


def test_a_message_is_shortened_after_masking():
    """So that no half key is left at its end."""
    for length in range(270, 310):
        assert "sk-proj" not in Mask(KEY).line("x " * (length // 2) + KEY)
