"""Values of a YAML file know where they are, and what is wrong with them is told with its line."""

import pytest

from ville.errors import BadYaml, CorruptFile, Fault
from ville.simulation.interventions.intervention_file import read_objects
from ville.yaml_lines import read_yaml

BILLIONS = "".join(f"- &a{n} [{', '.join([f'*a{n - 1}' if n else 'x'] * 9)}]\n" for n in range(20))


def read(text, most=1000):
    return read_yaml(text, "plan.yaml", most=most, name="the plan")


def test_all_faults_are_kept_in_the_order_of_the_file_each_once():
    """Whichever is found first, and however often it is met."""
    plan = read("step: many\nstops: 3\nwho: [Ada]\n")
    found = plan.fields(("step", "who"))
    for _ in range(2):
        found["who"].text()
        found["step"].integer()
    assert [(fault.line, fault.message.split()[0]) for fault in plan.faults.all] == [
        (1, "step"), (2, "'stops'"), (3, "who")
    ]  # fmt: skip
    assert all(fault.fix and fault.file == "plan.yaml" for fault in plan.faults.all)


def test_a_message_that_says_both_stays_as_it_was_written():
    """Whatever marks it has: nothing reads our own sentences."""
    said = "There is no 'a; b'. Name one: x, y; or none"
    assert str(Fault(said, file="plan.yaml", line=3)) == f"plan.yaml:3: {said}"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("a: 1\nb: [", 2, "not YAML"),
        ("a: 1\nb: c: d\n", 2, "not YAML"),
        ("a: 1\nb: \x01\n", 2, "U+0001"),
        ("[" * 5000, 1, "nested"),
        (BILLIONS, 1, "1,000 values"),
        ("&a [*a]", 1, "1,000 values"),
    ],
)
def test_what_is_no_document_is_refused_with_its_line(text, line, words):
    with pytest.raises(BadYaml, match=words.replace("+", r"\+")) as raised:
        read(text)
    assert raised.value.fault.line == line


@pytest.mark.parametrize(
    ("row", "words"), [("!!python/name:os.system {}", "tag"), ("{time: 2023-02-30}", "day is out of range")]
)
def test_what_is_no_plain_value_is_refused_with_the_reason(tmp_path, row, words):
    """In a plan of interventions, too, which nothing else checks before."""
    (path := tmp_path / "plan.yaml").write_text(f"- {{kind: whisper}}\n- {row}\n", "utf-8")
    with pytest.raises(CorruptFile, match=words) as raised:
        read_objects(path)
    assert len(str(raised.value).splitlines()) == 1


def test_a_line_leads_to_its_innermost_value():
    """Of mappings and lists in each other; a line within a value of several lines, too."""
    words = "      words: |\n        one\n        two\n"
    arms = f"arms:\n  a:\n    told:\n    - kind: whisper\n{words}    - kind: event\n  b: {{}}\n"
    plan = read(f"title: x\n{arms}seeds: 3\n")
    paths = [(line, plan.path_at(line)) for line in (1, 4, 6, 8, 9, 10, 11)]
    told = ["arms", "a", "told"]
    assert paths == [
        (1, ["title"]), (4, told), (6, [*told, 0, "words"]), (8, [*told, 0, "words"]), (9, [*told, 1, "kind"]),
        (10, ["arms", "b"]), (11, ["seeds"]),
    ]  # fmt: skip
