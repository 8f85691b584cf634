#!/usr/bin/env python3
"""Types a line and a tab into a real shell that has decant's completions, and prints what the shell then shows.

    type.py SHELL PROGRAM LINE [TEXT ...]

SHELL is bash, zsh or fish. It runs in a terminal of its own, in the folder where this is called, and reads nobody's settings.
As soon as it shows every TEXT behind the tab, nothing more is waited for; without them, silence is.
"""
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

shell, program, line, *expected = sys.argv[1:]
home = tempfile.mkdtemp()
script = os.path.join(home, "_decant" if shell == "zsh" else "decant." + shell)
with open(script, "w") as file:
    subprocess.run([program, "--generate-completion-script", shell], stdout=file, check=True)

commands = {
    "bash": (["bash", "--noprofile", "--norc", "-i"],
             f"bind 'set bell-style none'; bind 'set show-all-if-ambiguous on'; bind 'set page-completions off'; source {script}\n"),
    "zsh": (["zsh", "-f", "-i"],
            f"fpath=({home} $fpath); autoload -Uz compinit; compinit -u -d {home}/dump; LISTMAX=1000; PS1='$ '\n"),
    "fish": (["fish", "--no-config", "-i"], f"source {script}\n"),
}
arguments, setup = commands[shell]
environment = {
    "PATH": os.path.dirname(os.path.abspath(program)) + ":/usr/bin:/bin", "HOME": home, "XDG_CONFIG_HOME": home,
    "XDG_DATA_HOME": home, "TERM": "dumb" if shell == "bash" else "xterm", "LANG": "C.UTF-8", "COLUMNS": "200", "LINES": "60",
}
process, terminal = pty.fork()
if process == 0:
    os.execvpe(arguments[0], arguments, environment)
import fcntl, struct, termios
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))


def plain(text):
    return re.sub(r"\x1b\[[0-9;?=>]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]|[\r\x07\x08\x0f]", "", text)


def shown(quiet, texts=(), limit=20.0):
    """What the shell writes until it shows all `texts`, or is silent for `quiet` seconds."""
    text, end = b"", time.monotonic() + limit
    while time.monotonic() < end:
        if texts and all(each in plain(text.decode("utf-8", "replace")) for each in texts):
            break
        ready, _, _ = select.select([terminal], [], [], quiet)
        if not ready:
            break
        try:
            piece = os.read(terminal, 65536)
        except OSError:
            break
        text += piece
    return text.decode("utf-8", "replace")


# The shell reads what is typed when it is ready; its answer, and not the echo of the question, says that it is.
os.write(terminal, setup.encode() + b"echo rea''dy\n")
shown(5.0, ["ready\n"])
shown(0.2)
os.write(terminal, line.encode())
shown(0.5, [line[-3:]])
os.write(terminal, b"\t")
text = shown(3.0, expected)
if shell == "zsh" and not (expected and all(each in plain(text) for each in expected)):
    # The first tab fills in what all have in common, the next lists.
    os.write(terminal, b"\t")
    text += shown(1.0, expected)
os.write(terminal, b"\x03exit\n")
shown(0.1)
os.close(terminal)
print(plain(text))
