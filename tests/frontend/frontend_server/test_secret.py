"""The key that signs cookies."""

import stat

from frontend_server.secret import secret_key


def test_a_key_is_made_once(tmp_path):
    """The next start signs with the same one."""
    first = secret_key(tmp_path / ".secret_key")
    assert secret_key(tmp_path / ".secret_key") == first
    assert len(first) >= 50
    assert [path.name for path in tmp_path.iterdir()] == [".secret_key"]


def test_only_its_owner_reads_it(tmp_path):
    """It is a secret."""
    secret_key(tmp_path / ".secret_key")
    assert stat.S_IMODE((tmp_path / ".secret_key").stat().st_mode) == 0o600


def test_two_houses_have_two_keys(tmp_path):
    """It cannot be guessed."""
    assert secret_key(tmp_path / "a") != secret_key(tmp_path / "b")
