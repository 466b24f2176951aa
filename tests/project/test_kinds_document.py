"""docs/interventions.md has a row for each kind of intervention."""

import kinds_document


def test_the_table_of_kinds_is_up_to_date():
    """Write it anew with `python tests/project/kinds_document.py`."""
    assert kinds_document.table() in kinds_document.DOCUMENT.read_text("utf-8")
