"""Has Firefox make a profile and fill it with history, bookmarks and icons: firefox_profile.py FOLDER.

Speaks Marionette, the protocol that Firefox offers to programs, over its socket.
"""
import json
import os
import socket
import subprocess
import sys
import time

profile = sys.argv[1]
os.makedirs(profile, exist_ok=True)
with open(os.path.join(profile, "user.js"), "w") as stream:
    stream.write('user_pref("marionette.port", 28292);\nuser_pref("datareporting.policy.dataSubmissionEnabled", false);\n')
browser = subprocess.Popen(
    ["firefox-esr", "--headless", "--no-remote", "--marionette", "-remote-allow-system-access", "--profile", profile],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
)

SCRIPT = """
const done = arguments[arguments.length - 1];
(async () => {
  const { PlacesUtils } = ChromeUtils.importESModule("resource://gre/modules/PlacesUtils.sys.mjs");
  const pages = [];
  for (let i = 0; i < 60; i++) {
    pages.push({ url: `https://host${i % 7}.example.org/pâge/${i}`, title: `Page ${i} é`,
      visits: [{ date: new Date(1700000000000 + i * 1000), transition: 1 }, { date: new Date(1700000500000 + i * 1000), transition: 1 }] });
  }
  await PlacesUtils.history.insertMany(pages);
  const folder = await PlacesUtils.bookmarks.insert({ parentGuid: PlacesUtils.bookmarks.unfiledGuid, type: 2, title: "Soups" });
  for (let i = 0; i < 10; i++) {
    await PlacesUtils.bookmarks.insert({ parentGuid: folder.guid, url: pages[i].url, title: `Bookmark ${i}` });
    await PlacesUtils.keywords.insert({ keyword: `k${i}`, url: pages[i].url });
    PlacesUtils.tagging.tagURI(Services.io.newURI(pages[i].url), ["tag" + (i % 3)]);
  }
  const { NetUtil } = ChromeUtils.importESModule("resource://gre/modules/NetUtil.sys.mjs");
  for (let i = 0; i < 5; i++) {
    const icon = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    try { await PlacesUtils.favicons.setFaviconForPage(Services.io.newURI(pages[i].url),
      Services.io.newURI(`https://host${i % 7}.example.org/icon${i}.png`), Services.io.newURI(icon)); } catch (e) {}
  }
  done("filled");
})().catch(error => done("error: " + error));
"""


class Marionette:
    """One connection: commands out, answers back, each with its length before it."""

    def __init__(self):
        for _ in range(120):
            try:
                self.socket = socket.create_connection(("127.0.0.1", 28292), 5)
                break
            except OSError:
                time.sleep(0.5)
        else:
            sys.exit("Firefox does not answer")
        self.socket.settimeout(60)
        self.number = 0
        self.receive()

    def receive(self):
        length = b""
        while not length.endswith(b":"):
            byte = self.socket.recv(1)
            if not byte:
                sys.exit("Firefox went away")
            length += byte
        left, data = int(length[:-1]), b""
        while len(data) < left:
            data += self.socket.recv(left - len(data))
        return json.loads(data)

    def send(self, name, **parameters):
        self.number += 1
        text = json.dumps([0, self.number, name, parameters])
        self.socket.sendall(f"{len(text.encode())}:{text}".encode())
        answer = self.receive()
        if answer[2]:
            raise RuntimeError(answer[2])
        return answer[3]


try:
    marionette = Marionette()
    marionette.send("WebDriver:NewSession", capabilities={})
    marionette.send("Marionette:SetContext", value="chrome")
    print(marionette.send("WebDriver:ExecuteAsyncScript", script=SCRIPT, args=[]), file=sys.stderr)
    time.sleep(3)
    marionette.send("Marionette:Quit", flags=["eAttemptQuit"])
    browser.wait(60)
finally:
    if browser.poll() is None:
        browser.terminate()
        browser.wait(30)
