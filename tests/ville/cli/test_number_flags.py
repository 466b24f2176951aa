"""Numbers in command lines that cannot be meant are refused in a line, before anything is read."""

import pytest

from ville.cli import believability_command, study_command


@pytest.mark.parametrize(
    ("main", "typed", "says"),
    [
        (study_command.main, "audit party.yaml --seeds -1", "'-1' is not a number of seeds; give 1 or more"),
        (study_command.main, "audit party.yaml --seeds 0", "'0' is not a number of seeds; give 1 or more"),
        (study_command.main, "statistics party --to-see 0", "'0' is not a number above 0"),
        (study_command.main, "statistics party --to-see -3", "'-3' is not a number above 0"),
        (study_command.main, "statistics party --to-see nan", "'nan' is not a number above 0"),
        (study_command.main, "statistics party --to-see inf", "'inf' is not a number above 0"),
        (believability_command.main, "judge party --tasks -3", "'-3' is not a number of rankings; give 1 or more"),
    ],
)
def test_a_number_that_cannot_be_meant_is_refused(main, typed, says, capsys):
    with pytest.raises(SystemExit):
        main(typed.split())
    assert capsys.readouterr().err.splitlines()[-1].endswith(says)
