"""The town file, read into typed values."""
