import Foundation
import TestSupport
import Testing

/// The forms in which `decant query` prints rows, read by programs that share no code with it.
@Suite struct QueryFormTests {
  private let folder: CommandFolder

  init() throws {
    folder = try CommandFolder()
    // What is hard to keep: quotes, separators, line ends, a backslash in front of letters, nothing at all.
    _ = try Program.run(["python3", "-c", Self.make], in: folder.url)
  }

  private static let make = """
    import sqlite3
    c = sqlite3.connect("hard.db")
    c.execute('CREATE TABLE t (id INTEGER PRIMARY KEY, "a,b" TEXT, "tab\\there" BLOB)')
    texts = ["", None, "a,b", 'say "x"', "tab\\there", "two\\nlines", "cr\\rlf\\r\\n", "\\\\N", "\\\\t",
      "\\\\", " blank ", "K\\u00e4se \\U0001f9c0", "'", "=1+1", "\\u2028", "\\x07", "NULL", "1"]
    for n, t in enumerate(texts):
      c.execute("INSERT INTO t VALUES (?, ?, ?)", (n, t, None if n % 3 == 0 else bytes(range(n))))
    c.commit()
    """

  /// Compares what a form gives with the database itself; prints what differs.
  private static let compare = """
    import base64, csv, json, sqlite3, sys
    form, path = sys.argv[1:3]
    rows = sqlite3.connect("hard.db").execute('SELECT id, "a,b", "tab\\there" FROM t ORDER BY id').fetchall()
    names = ["_id", "a,b", "tab\\there"]
    text = open(path, encoding="utf-8", newline="").read()
    def blob(value):
      if value is None: return None
      assert value["bytes"] == len(base64.b64decode(value["base64"], validate=True)), value
      assert sorted(value) == ["base64", "bytes", "type"], value
      return base64.b64decode(value["base64"])
    def unescape(field):
      if field == "\\\\N": return None
      out, escaped = "", False
      for c in field:
        if escaped: out += {"t": "\\t", "n": "\\n", "r": "\\r", "\\\\": "\\\\"}[c]; escaped = False
        elif c == "\\\\": escaped = True
        else: out += c
      assert not escaped
      return out
    if form == "--json": objects = json.loads(text)
    elif form == "--jsonl": objects = [json.loads(line) for line in text.split("\\n")[:-1]]
    elif form == "--csv":
      read = list(csv.reader(text.splitlines(keepends=True), strict=True)) if False else \\
        list(csv.reader(open(path, encoding="utf-8", newline=""), strict=True))
      lines = [[None if f == "" else f for f in r[:2]] for r in read[1:]]
      assert read[0] == names, read[0]
    else:
      read = [line.split("\\t") for line in text.split("\\n")[:-1]]
      assert [unescape(f) for f in read[0]] == names, read[0]
      lines = [[unescape(f) for f in r[:2]] for r in read[1:]]
    if form.startswith("--json"):
      assert all(list(o) == names for o in objects)
      got = [(o[names[0]], o[names[1]], blob(o[names[2]])) for o in objects]
      want = rows
    else:
      got = [(int(i), t) for i, t in lines]
      want = [(i, (t or None) if form == "--csv" else t) for i, t, _ in rows]
    for g, w in zip(got, want):
      if g != w: print("got", g, "want", w)
    print(len(got) - len(rows))
    """

  @Test(arguments: ["--csv", "--tsv", "--json", "--jsonl"])
  func `every value is what the database holds`(_ form: String) throws {
    let sql = "SELECT _id, \"a,b\", \"tab\there\" FROM t ORDER BY _id"
    let run = try folder.run(["query", "hard.db", sql, form])
    #expect(run.status == 0, "\(run.errors)")
    try Data(run.output.utf8).write(to: folder.url.appendingPathComponent("out"))
    let read = try Program.run(["python3", "-c", Self.compare, form, "out"], in: folder.url)
    #expect(read.output == "0\n", "\(read.output)\(read.errors)")
  }

  @Test func `an empty text is told from none where the form has a way to`() throws {
    let sql = "SELECT NULL AS a, '' AS b"
    func output(_ form: String) throws -> String {
      try folder.run(["query", "hard.db", sql, form]).output
    }
    #expect(try output("--csv") == "a,b\n,\"\"\n")
    #expect(try output("--tsv") == "a\tb\n\\N\t\n")
    #expect(try output("--jsonl") == "{\"a\":null,\"b\":\"\"}\n")
    #expect(try output("--json") == "[\n{\"a\":null,\"b\":\"\"}\n]\n")
  }

  @Test(arguments: [("--jsonl", ""), ("--json", "[]\n"), ("--tsv", "x\n"), ("--csv", "x\n")])
  func `no rows are no rows in every form`(_ form: String, _ expected: String) throws {
    #expect(try folder.run(["query", "hard.db", "SELECT 1 AS x WHERE 0", form]).output == expected)
  }

  @Test(arguments: [["--tsv", "--csv"], ["--json", "--jsonl"], ["--csv", "--jsonl"]])
  func `one form is printed at a time`(_ forms: [String]) throws {
    try folder.expect(["query", "hard.db", "SELECT 1"] + forms, 64, "cannot be combined")
  }

  @Test(
    .disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"),
    arguments: ["--csv", "--tsv", "--json", "--jsonl"]
  )
  func `memory does not grow with the rows`(_ form: String) throws {
    func peak(_ rows: Int) throws -> Int {
      let sql = """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(rows))
        SELECT i, hex(randomblob(1000)) AS t, randomblob(3000) AS b FROM n
        """
      return try PeakMemory.of(["query", "Kitchen.sqlite", sql, form], in: folder.url)
    }
    let (few, many) = try (peak(200), peak(20_000))
    // A hundred times the rows, 60 MB of bytes and 40 MB of text.
    #expect(many < few + (8 << 20), "\(few) and \(many) bytes")
  }
}
