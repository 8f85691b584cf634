#!/usr/bin/env python3
"""Holds copies of SQLite databases against their sources; a second reader that shares nothing with decant.

  check.py new A B [--left-out TABLE]…
                                     B is an exact copy of A
  check.py append BEFORE A AFTER [--link 'table.column -> target']… [--ignore TABLE]…
                                       AFTER is BEFORE with the rows of A added under new keys

Prints what differs, a line each, and exits 1; what is worth knowing but no difference begins with
“note:”.
"""
import sys

import added
import copied


def options(arguments, name):
    return [arguments[index + 1] for index, each in enumerate(arguments) if each == name]


def read(link):
    """Table, column and target of “table.column -> target”; a table's name may have points in it."""
    column, target = link.rsplit("->", 1)
    return *column.strip().rsplit(".", 1), target.strip()


def main(arguments):
    if arguments[:1] == ["new"] and len(arguments) >= 3:
        findings = copied.differences(arguments[1], arguments[2], set(options(arguments, "--left-out")))
    elif arguments[:1] == ["append"] and len(arguments) >= 4:
        links = [read(link) for link in options(arguments, "--link")]
        findings = added.differences(
            *arguments[1:4],
            links,
            set(options(arguments, "--ignore")),
        )
    else:
        sys.exit(__doc__)
    differs = False
    for finding in findings:
        print(finding)
        differs = differs or not finding.startswith("note:")
    return 1 if differs else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
