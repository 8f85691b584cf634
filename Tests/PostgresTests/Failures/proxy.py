#!/usr/bin/env python3
"""A proxy of a PostgreSQL server's socket that fails: proxy.py FOLDER SERVER WHEN COUNT WHAT

WHEN: up (COUNT bytes were sent to the server), down (COUNT bytes came from it), commit (the COUNT-th COMMIT was sent), publish (new tables are to be moved to
      their place for the COUNT-th time), lock (a run is to be locked for the COUNT-th time), schema (a schema is to be made for the COUNT-th time), keys (the
      COMMIT of the COUNT-th transaction that requires values in a table is about to be sent, but is not), cancel (requests to
      end a statement are held back for COUNT milliseconds, and nothing fails)
WHAT: cut (the connection is cut; after a COMMIT only its answer is lost), half (it is cut, but the server does not notice), client (it is killed), backend (the server's
      process of this connection is killed), server (all of it ends as in a crash)

It fails once, prints that it did, and lets everything through afterwards.
"""
import os, signal, socket, struct, sys, threading, time

folder, server, when, count, what = sys.argv[1:6]
lock = threading.Lock()
total = {"up": 0, "down": 0, "commit": 0, "publish": 0, "lock": 0, "schema": 0, "keys": 0}
left = [] if when == "cancel" else [int(count)]
# Sockets stay open as long as they are kept here.
connections = []


class Connection:
    def __init__(self, client):
        self.client, self.server = client, socket.socket(socket.AF_UNIX)
        self.process = struct.unpack("3i", client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        self.backend = None
        self.is_silent = self.is_half_open = self.requires_values = False
        connections.append(self)
        self.server.connect(f"{server}/.s.PGSQL.5432")
        threading.Thread(target=self.pump, args=(client, self.server, "up"), daemon=True).start()
        threading.Thread(target=self.pump, args=(self.server, client, "down"), daemon=True).start()

    def pump(self, source, target, name):
        try:
            while data := source.recv(4096):
                if when == "cancel" and name == "up" and data[4:8] == struct.pack(">I", 80877102):
                    time.sleep(int(count) / 1000)
                with lock:
                    fails = self.count(data, name)
                    # The answer may come at once.
                    self.is_silent = self.is_silent or fails and when == "commit" and what == "cut"
                if self.is_silent and name == "down":
                    break
                if fails and when == "commit":
                    target.sendall(data)
                if fails and not self.fail():
                    break
                if not (fails and when == "commit"):
                    target.sendall(data)
        except OSError:
            pass
        if self.is_half_open:
            try:
                self.client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            return
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def count(self, data, name):
        """Counts what passes; returns whether it is the time to fail."""
        if name == "down" and self.backend is None and (at := data.find(b"K\0\0\0\x0c")) >= 0:
            self.backend = struct.unpack(">I", data[at + 5 : at + 9])[0]
        total[name] += len(data)
        total["commit"] += name == "up" and b"COMMIT\0" in data
        self.requires_values = self.requires_values or name == "up" and b"SET NOT NULL" in data
        total["keys"] += name == "up" and b"COMMIT\0" in data and self.requires_values
        total["lock"] += name == "up" and b"pg_advisory_lock(" in data
        total["schema"] += name == "up" and b"CREATE SCHEMA" in data
        total["publish"] += name == "up" and b"DROP TABLE" in data
        if not left or total[when] < left[0]:
            return False
        left.clear()
        print("failed", flush=True)
        return True

    def fail(self):
        """Fails; returns whether the connection goes on."""
        if what == "half":
            self.is_half_open = True
            return False
        if what == "cut":
            return self.is_silent
        if what == "server":
            with open(f"{server}/data/postmaster.pid") as file:
                os.kill(int(file.readline()), signal.SIGQUIT)
            return True
        os.kill(self.process if what == "client" else self.backend, signal.SIGKILL)
        return True


listening = socket.socket(socket.AF_UNIX)
listening.bind(f"{folder}/.s.PGSQL.5432")
listening.listen(20)
print("ready", flush=True)
while True:
    client, _ = listening.accept()
    try:
        Connection(client)
    except OSError:
        client.close()
