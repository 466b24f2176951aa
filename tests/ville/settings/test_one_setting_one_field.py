"""A setting is one field: its default, flag, name in the environment, help, and who may set it."""

from pathlib import Path

from changed_copy import ChangedCopy

MODELS = Path(__file__).resolve().parents[3] / "docs" / "models.md"
FIELD = """
    shyness: Count = Field(
        default=3, description="how shy everybody is", json_schema_extra=BY_STUDIES | FLAG
    )
    preset: Literal["""
PROGRAM = """
import argparse, json, sys, ville
from pathlib import Path
from ville import settings
from ville.errors import ReverieError
parser = argparse.ArgumentParser()
settings.add_flags(parser, settings.FLAGS)
flags = vars(parser.parse_args(["--shyness", "5"]))
none = {name: None for name in flags}
def of(flags, environment=None):
    return settings.load_settings(flags, environment or {}).shyness
def refusal(environment):
    try:
        of(none, environment)
    except ReverieError as fault:
        return str(fault)
print(json.dumps({
    "package": ville.__file__, "default": of(none), "flag": of(flags),
    "environment": of(none, {"VILLE_SHYNESS": "7"}), "both": of(flags, {"VILLE_SHYNESS": "7"}),
    "help": " ".join(parser.format_help().split()), "refused": refusal({"VILLE_SHYNESS": "very"}),
    "study": "shyness" in settings.settable_by("study"), "request": "shyness" in settings.settable_by("request"),
    "undocumented": [name for name in settings.FIELDS if f"`{name}`" not in Path(sys.argv[1]).read_text("utf-8")],
}))
"""


def test_a_setting_that_is_added_is_known_everywhere(tmp_path):
    """To the command line, the environment, study files and requests; the documents want a row for it."""
    copy = ChangedCopy.of_package(tmp_path, "settings/model.py", "\n    preset: Literal[", FIELD)
    told = copy.tells(PROGRAM, str(MODELS))
    assert told["package"].startswith(str(tmp_path))
    assert (told["default"], told["flag"], told["environment"], told["both"]) == (3, 5, 7, 5)
    assert "--shyness SHYNESS how shy everybody is" in told["help"]
    assert "shyness" in told["refused"]
    assert (told["study"], told["request"]) == (True, False)
    assert told["undocumented"] == ["shyness"]
