"""Times commands in turn: every round runs each of them once, so that a drift of the machine hits all alike.

A command is a text for sh or a list of words; `before` runs first and is not timed. Figures of one run are its seconds by the clock and of the
processor (its own and those of its children) and the peak memory of its largest process in MiB. A ratio is taken round by
round, and its median is what is told.
"""
import os
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass, field


@dataclass
class Command:
    run: str
    before: str = ""
    runs: list = field(default_factory=list)
    fine: tuple = (0,)


@dataclass
class Figures:
    clock: float
    processor: float
    memory: float


def measure(command, fine=(0,)):
    """Runs a command. It ends the program with what the command said when that does not succeed."""
    words = ["sh", "-c", command] if isinstance(command, str) else command
    with open(os.devnull, "w") as null, subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=null, stderr=subprocess.PIPE) as child:
        start = time.monotonic()
        said = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        taken = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in fine:
        sys.exit(f"bench: exit status {child.returncode} of {command}\n{said.decode(errors='replace')}")
    return Figures(taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def rounds(commands, count, warmup=1):
    """Runs the commands, a dictionary by name, in turn; then prints what each took, beside the first."""
    for turn in range(count + warmup):
        for command in commands.values():
            if command.before:
                measure(command.before)
            figures = measure(command.run, command.fine)
            if turn >= warmup:
                command.runs.append(figures)
    first = next(iter(commands))
    width = max(map(len, commands))
    print(f"  {'':{width}}  {'clock s':>9} {'CPU s':>9} {'MiB':>7} {'clock ×':>8} {'CPU ×':>8}")
    for name, command in commands.items():
        clock, processor, memory = (statistics.median(getattr(run, part) for run in command.runs) for part in ("clock", "processor", "memory"))
        print(
            f"  {name:{width}}  {clock:9.3f} {processor:9.3f} {memory:7.1f} "
            f"{ratio(commands, name, first):8.2f} {ratio(commands, name, first, part='processor'):8.2f}",
            flush=True,
        )


def ratio(commands, name, *others, part="clock"):
    """What a command took, divided by the least that one of the others took in the same round: the median of the rounds."""
    return statistics.median(
        getattr(run, part) / max(1e-4, min(getattr(commands[other].runs[turn], part) for other in others))
        for turn, run in enumerate(commands[name].runs)
    )


def peak(command):
    """The most memory that a command took, in MiB."""
    return measure(command).memory
