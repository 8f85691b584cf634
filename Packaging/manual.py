#!/usr/bin/env python3
"""Writes the manual pages of decant, one for the program and one for each verb.

    manual.py PROGRAM DATE FOLDER

The pages are generated from the same declarations as `decant help`. The plugin of swift-argument-parser is not used: it
omits options that the short help omits, formats examples as running text, and builds the program again.
"""
import json
import os
import re
import subprocess
import sys


def escaped(text):
    """The text escaped for groff, in ASCII."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("~", "\\(ti").replace("^", "\\(ha").replace('"', "\\(dq")
    return re.sub(r"[^\x00-\x7f]", lambda match: "\\[u%04X]" % ord(match[0]), text)


def line(text):
    return "\\&" + text if text.startswith((".", "'")) else text


def bold(text):
    return "\\fB" + escaped(text) + "\\fR"


def italic(text):
    return "\\fI" + escaped(text) + "\\fR"


def paragraphs(text):
    """The lines of a text in paragraphs; a paragraph with indented lines is kept unchanged."""
    lines = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        rows = paragraph.split("\n")
        is_literal = rows[0].startswith(" ") or any("  " in row.strip() for row in rows[1:])
        lines += [".PP"] if lines else []
        if is_literal:
            indent = min(len(row) - len(row.lstrip()) for row in rows)
            lines += [".RS 4", ".nf"] + [line(escaped(row[indent:])) for row in rows] + [".fi", ".RE"]
        else:
            lines += [line(escaped(row)) for row in rows]
    return lines


def sections(discussion):
    """The description, and its parts under headings of their own, which are lines that end with a colon."""
    found, title = {"DESCRIPTION": []}, "DESCRIPTION"
    for paragraph in re.split(r"\n\s*\n", discussion or ""):
        heading = re.match(r"(Examples?|Exit codes):\n", paragraph)
        if heading:
            title = {"Exit codes": "EXIT STATUS"}.get(heading[1], "EXAMPLES")
            paragraph = paragraph[heading.end():]
        found.setdefault(title, []).append(paragraph)
        title = "DESCRIPTION"
    return {title: "\n\n".join(parts) for title, parts in found.items()}


def label(argument):
    """The notation of an option or a positional argument."""
    value = italic(argument.get("valueName", ""))
    if argument["kind"] == "positional":
        return value
    names = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    text = ", ".join(bold(("-" if name["kind"] == "short" else "--") + name["name"]) for name in names)
    return text + (" " + value if argument["kind"] == "option" else "")


def listed(argument):
    """An item of a list: its notation, its meaning and its values."""
    text = argument.get("abstract", "")
    values, default = argument.get("allValues"), argument.get("defaultValue")
    notes = ["values: " + ", ".join(values)] if values and argument["kind"] == "option" else []
    notes += ["default: " + default] if default else []
    if notes:
        text += " (" + "; ".join(notes) + ")"
    lines = [".TP", label(argument), line(escaped(text))]
    if argument.get("discussion"):
        lines.append(line(escaped(argument["discussion"])))
    return lines


def page(command, usage, version, date, others):
    name = "-".join(command.get("superCommands", []) + [command["commandName"]])
    arguments = command.get("arguments", [])
    positional = [argument for argument in arguments if argument["kind"] == "positional"]
    options = [argument for argument in arguments if argument["kind"] != "positional"]
    verbs = [verb for verb in command.get("subcommands", []) if verb["commandName"] != "help"]
    parts = sections(command.get("discussion"))

    lines = [".TH %s 1 %s %s decant" % (name.upper(), date, quoted("decant " + version))]
    # Names of options and files must not be hyphenated.
    lines += [".nh", ".ad l", ".SH NAME", name + " \\- " + escaped(command["abstract"].rstrip("."))]
    call = " ".join(command.get("superCommands", []) + [command["commandName"]])
    words = re.sub(r"<([^>]+)>", lambda match: "\0" + match[1] + "\1", usage.removeprefix(call))
    lines += [".SH SYNOPSIS", bold(call) + escaped(words).replace("\0", "\\fI").replace("\1", "\\fR")]
    lines += [".SH DESCRIPTION", escaped(command["abstract"])]
    lines += [".PP"] + paragraphs(parts["DESCRIPTION"])
    if verbs:
        lines.append(".SH VERBS")
        for verb in verbs:
            lines += [".TP", "\\fB" + escaped(name + "-" + verb["commandName"]) + "\\fR(1)", escaped(verb["abstract"])]
    if positional:
        lines.append(".SH ARGUMENTS")
        for argument in positional:
            lines += listed(argument)
    lines.append(".SH OPTIONS")
    titles = dict.fromkeys(option.get("sectionTitle") for option in options if option.get("sectionTitle"))
    for title in list(titles) + [None]:
        group = [option for option in options if option.get("sectionTitle") == title]
        if titles and group:
            lines.append(".SS " + escaped(title or "General"))
        for option in group:
            lines += listed(option)
    for title in ["EXIT STATUS", "EXAMPLES"]:
        if title in parts:
            lines += [".SH " + title] + paragraphs(parts[title])
    others = [other for other in others if other != name]
    lines += [".SH SEE ALSO", ",\n".join("\\fB%s\\fR(1)" % escaped(other) for other in others)]
    return name, "\n".join(lines) + "\n"


def quoted(text):
    return '"' + escaped(text) + '"'


def main():
    program, date, folder = sys.argv[1:]

    def output(*arguments):
        return subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout

    version = output("--version").split()[1]
    root = json.loads(output("--experimental-dump-help"))["command"]
    verbs = [verb for verb in root["subcommands"] if verb["commandName"] != "help"]
    names = ["decant"] + ["decant-" + verb["commandName"] for verb in verbs]
    os.makedirs(folder, exist_ok=True)
    for command in [root] + verbs:
        verb = [] if command is root else [command["commandName"]]
        usage = re.search(r"^USAGE: (.*)$", output(*verb, "--help"), re.MULTILINE)[1]
        name, text = page(command, usage, version, date, names)
        with open(os.path.join(folder, name + ".1"), "w", encoding="ascii") as file:
            file.write(text)


main()
