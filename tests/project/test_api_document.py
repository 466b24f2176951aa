"""docs/api.md says what the docstrings say."""

import api_document


def test_the_api_document_is_up_to_date():
    """Write it anew with `python tests/project/api_document.py`."""
    assert api_document.DOCUMENT.read_text("utf-8") == api_document.document()
