#!/usr/bin/env python3
"""Kills decant in the middle of copying, again and again, and has check.py look at the end.

  kill.py DECANT DATABASE [SEED]

A copy into a new place is killed at random moments and resumed until it is done; then the database is added
to a twin, killed on the way, and the twin must be what it was or hold everything.
"""
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

here = os.path.dirname(os.path.abspath(__file__))


def run(arguments, limit):
    """Runs decant and kills it after `limit` seconds; None where it was killed."""
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace")
    try:
        _, errors = process.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return None
    if process.returncode:
        print(errors.strip(), file=sys.stderr)
    return process.returncode


def check(*arguments):
    done = subprocess.run([sys.executable, os.path.join(here, "check.py"), *arguments], capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit("differs: " + done.stdout[:2000] + done.stderr[-500:])


def main(decant, database, seed):
    random.seed(seed)
    with tempfile.TemporaryDirectory() as folder:
        out = os.path.join(folder, "out.sqlite")
        copy = [decant, "copy", "sqlite:" + database, "sqlite:" + out, "--progress", "none", "--batch-size", "20"]
        began = time.monotonic()
        # --resume has rows copied one batch after the other; the pages at once would be too quick to kill.
        code = run(copy + ["--resume"], 600)
        whole = time.monotonic() - began
        if code:
            sys.exit(f"exit {code}")
        os.remove(out)
        kills = 0
        while (code := run(copy + ["--resume"], random.uniform(0.02, whole / 2))) is None:
            kills += 1
            if os.path.exists(out):
                check("new", database, out)
                break
            if kills > 60:
                code = run(copy + ["--resume"], 600)
                break
        if code:
            sys.exit(f"exit {code} after {kills} kills")
        check("new", database, out)
        before = os.path.join(folder, "before.sqlite")
        subprocess.run([sys.executable, os.path.join(here, "twin.py"), database, before], check=True)
        undone = 0
        for _ in range(8):
            shutil.copyfile(before, out)
            add = copy + ["--append", "--no-triggers"] + sys.argv[4:]
            code = run(add, random.uniform(0.05, whole))
            if code is None:
                # Whoever opens it next undoes what was cut off, or finds it done.
                subprocess.run(["sqlite3", out, "SELECT count(*) FROM sqlite_schema"], check=True, stdout=subprocess.DEVNULL)
                same = [hashlib.sha256(subprocess.run(["sqlite3", path, ".dump"], capture_output=True).stdout).digest() for path in (before, out)]
                if same[0] == same[1]:
                    undone += 1
                    continue
            elif code:
                sys.exit(f"exit {code} while adding")
            check("append", before, database, out)
        print(f"{os.path.basename(database)}: {kills} kills resumed, {undone} of 8 additions cut off and undone")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3] if len(sys.argv) > 3 else "1")
