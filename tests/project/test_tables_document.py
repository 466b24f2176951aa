"""docs/tables.md has the columns that tables have."""

import tables_document


def test_the_document_of_tables_is_up_to_date():
    """Write it anew with `python tests/project/tables_document.py`."""
    assert tables_document.DOCUMENT.read_text("utf-8") == tables_document.document()
