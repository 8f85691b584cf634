"""Writes to a database until its input ends: writer.py DATABASE SEED PAUSE.

Each transaction moves an amount from a row of one table to a row of another, and adds a parent with three
children. Prints "ready" after the first one, and at the end how many there were and how many failed.
"""
import random
import select
import sqlite3
import sys
import time

path, seed, pause = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
connection = sqlite3.connect(path, isolation_level=None, timeout=120)
numbers = random.Random(seed)
done = failed = 0
while not select.select([sys.stdin], [], [], pause)[0]:
    amount, taker, giver = (numbers.randrange(1, 100) for _ in range(3))
    try:
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE a SET v = v - ? WHERE id = ?", (amount, giver))
        connection.execute("UPDATE z SET v = v + ? WHERE id = ?", (amount, taker))
        parent = connection.execute("INSERT INTO parent (n) VALUES (3)").lastrowid
        for _ in range(3):
            connection.execute("INSERT INTO child (parent) VALUES (?)", (parent,))
        connection.execute("COMMIT")
        done += 1
    except sqlite3.OperationalError as error:
        print(error, file=sys.stderr)
        failed += 1
        if connection.in_transaction:
            connection.execute("ROLLBACK")
    if done == 1:
        print("ready", flush=True)
print(done, failed)
