"""The run loop."""

import os
import signal

import pytest

from ville.errors import BudgetSpent, CannotWrite, Unreachable
from ville.simulation.running.run_loop import (
    END_SIGNALS,
    MAX_FAILED_STEPS,
    EndSignal,
    StopRequest,
    on_end_signal,
    raise_end_signal,
    run,
    stop_on_interrupt,
)
from ville.storage.steps import held_steps


class Faulty:
    """Chat client that always fails with the same error."""

    def __init__(self, fault):
        self.fault = fault

    async def complete(self, _request):
        raise self.fault


async def test_a_run_goes_as_far_as_it_is_told(opened, run_for):
    """One report for each step, in order; nothing is saved unless asked for."""
    simulation = opened("new")
    reports = await run_for(simulation, 7)
    assert [report.step for report in reports] == list(range(7))
    assert (simulation.clock.step, simulation.folder.meta.step) == (7, 0)


async def test_a_run_is_saved_every_so_many_steps(opened, run_for):
    """At multiples of the setting, wherever the run started."""
    simulation = opened("new")
    await run_for(simulation, 3, autosave=5)
    assert simulation.folder.meta.step == 0
    await run_for(simulation, 9, autosave=5)
    assert simulation.folder.meta.step == 10


async def test_a_stop_request_ends_the_run_after_the_step_and_saves(opened):
    """The current step is finished, and its state is on disk."""
    simulation, stop = opened("new"), StopRequest()
    await run(simulation, 100, autosave=0, watch=lambda report: stop.request() if report.step == 4 else None, stop=stop)
    assert simulation.clock.step == simulation.folder.meta.step == 5


async def test_a_fatal_error_stops_at_once(opened, run_for):
    """The step is finished and saved, then the error is raised."""
    simulation = opened("new")
    object.__setattr__(simulation.models, "chat", Faulty(BudgetSpent("The money is gone.")))
    with pytest.raises(BudgetSpent, match="money"):
        await run_for(simulation, 100)
    assert simulation.folder.meta.step == 1


async def test_a_provider_that_keeps_failing_stops_the_run(opened, run_for):
    """After a few failed steps the run is saved and the error raised."""
    simulation = opened("new")
    object.__setattr__(simulation.models, "chat", Faulty(Unreachable("Nobody answers.")))
    with pytest.raises(Unreachable):
        await run_for(simulation, 100)
    assert simulation.folder.meta.step == MAX_FAILED_STEPS


async def test_a_full_disk_loses_no_step(opened, run_for, monkeypatch):
    """A step that could not be written is written as soon as there is room, and computed only once."""
    simulation = opened("new")
    await run_for(simulation, 3)
    whole = opened("whole")
    await run_for(whole, 6)

    def full(*_):
        raise CannotWrite("No room.")

    with monkeypatch.context() as patch:
        patch.setattr(held_steps, "write_bytes", full)
        with pytest.raises(CannotWrite):
            await run_for(simulation, 3)
    await run_for(simulation, 3)
    assert [simulation.folder.read_environment(n) for n in range(7)] == [
        whole.folder.read_environment(n) for n in range(7)
    ]


def test_the_first_interrupt_requests_a_stop_the_second_is_final():
    """Afterwards the previous handler is back."""
    before, stop, told = signal.getsignal(signal.SIGINT), StopRequest(), []
    with pytest.raises(KeyboardInterrupt), stop_on_interrupt(stop, lambda: told.append(1)):
        os.kill(os.getpid(), signal.SIGINT)
        assert stop.requested
        assert told == [1]
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is before


@pytest.fixture
def handlers():
    """Restore the signal handlers afterwards."""
    before = {number: signal.getsignal(number) for number in END_SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("number", END_SIGNALS)
@pytest.mark.usefixtures("handlers")
def test_repeated_end_signals_request_one_stop(number):
    """A process group may receive several; the run still finishes its step."""
    stop, told = StopRequest(), []
    signal.signal(number, signal.SIG_DFL)  # the shell of the tests may have ignored it, as nohup does
    with on_end_signal(raise_end_signal), stop_on_interrupt(stop, lambda: told.append(1)):
        for each in (number, *END_SIGNALS):
            os.kill(os.getpid(), each)
    os.kill(os.getpid(), number)
    assert (stop.requested, stop.signal_number, stop.code, told) == (True, number, 128 + number, [1])


@pytest.mark.usefixtures("handlers")
def test_a_signal_that_was_ignored_stays_ignored():
    """As SIGHUP under nohup."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with on_end_signal(raise_end_signal):
        os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


@pytest.mark.usefixtures("handlers")
def test_an_end_signal_between_commands_ends_the_program():
    """With the usual exit code for that signal."""
    with pytest.raises(EndSignal) as ended, on_end_signal(raise_end_signal):
        os.kill(os.getpid(), signal.SIGTERM)
    assert ended.value.code == 128 + signal.SIGTERM
