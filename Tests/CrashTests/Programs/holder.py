"""Runs SQL on a connection and keeps that open until its input ends: holder.py DATABASE SQL."""
import sqlite3
import sys

connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2].split(";"):
    connection.execute(statement).fetchall()
print("ready", flush=True)
sys.stdin.read()
