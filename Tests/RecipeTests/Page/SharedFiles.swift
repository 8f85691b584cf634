import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Pages and mails of a test's own stores, written into a folder and read without decant.
struct SharedFiles {
  let folder: TemporaryFolder
  var page: String { folder.path("page.html") }
  var mail: String { folder.path("mail.eml") }
  var store: String { folder.path("store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  /// A folder with a copy of the sample kitchen.
  static func kitchen() throws -> SharedFiles {
    let files = try SharedFiles()
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path
    try FileManager.default.copyItem(atPath: sample, toPath: files.store)
    return files
  }

  /// Writes the page of the store, in pieces as they come.
  @discardableResult
  func writePage(
    of place: String? = nil,
    _ scope: SharedScope = SharedScope(),
    title: String? = nil,
    model: String? = nil,
    archive: ByteGiver? = nil
  ) throws -> SharedReport {
    var options = CopyOptions()
    options.model = model
    let location = StoreKinds.location(place ?? store)
    let source = try StoreKinds.known.openSource(location, options: options)
    return try write(to: page) { take in
      try SharedPage(of: source, scope, title: title).write(archive: archive, to: take)
    }
  }

  /// Writes the mail of the store.
  @discardableResult
  func writeMail(
    _ scope: SharedScope = SharedScope(),
    title: String? = nil,
    pictureByteLimit: Int = 15_000_000,
    attachment: (name: String, bytes: ByteGiver)? = nil
  ) throws -> SharedReport {
    let source = try StoreKinds.known.openSource(StoreKinds.location(store), options: CopyOptions())
    return try write(to: mail) { take in
      try SharedMail(of: source, scope, title: title, pictureByteLimit: pictureByteLimit)
        .write(attachment: attachment, to: take)
    }
  }

  private func write(to path: String, _ body: (@escaping ByteTaker) throws -> SharedReport) throws -> SharedReport {
    try Data().write(to: URL(fileURLWithPath: path))
    let handle = try #require(FileHandle(forWritingAtPath: path))
    let report = try body { piece throws(DecantError) in handle.write(Data(piece)) }
    try handle.close()
    return report
  }

  /// Gives `bytes` in pieces of `count` bytes.
  static func giver(_ bytes: [UInt8], count: Int = 5) -> ByteGiver {
    { take throws(DecantError) in
      for start in stride(from: 0, to: bytes.count, by: count) {
        let piece = Array(bytes[start..<min(start + count, bytes.count)])
        var failure: DecantError?
        piece.withUnsafeBytes { piece in
          do throws(DecantError) { try take(piece) } catch { failure = error }
        }
        if let failure { throw failure }
      }
    }
  }

  /// What Python's own reader of HTML finds in the page.
  func readPage() throws -> PageContent { try python(Self.pageReader, [page]) }

  /// Runs a Python program that prints JSON.
  func python<Result: Decodable>(_ script: String, _ arguments: [String]) throws -> Result {
    let run = try Program.run(["python3", "-c", script] + arguments)
    guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
    return try JSONDecoder().decode(Result.self, from: Data(run.output.utf8))
  }

  /// Runs `sql` on the store with Python and returns the first column as text, in the hashes of bytes.
  func column(_ sql: String) throws -> [String] {
    try python(
      """
      import sqlite3, sys, json, hashlib
      rows = sqlite3.connect(sys.argv[1]).execute(sys.argv[2])
      print(json.dumps([hashlib.sha256(r[0]).hexdigest() if isinstance(r[0], bytes) else str(r[0])
                        for r in rows]))
      """,
      [store, sql]
    )
  }

  private static let pageReader = """
    import base64, hashlib, html.parser, json, sys
    class Reader(html.parser.HTMLParser):
        def __init__(self):
            super().__init__(convert_charrefs=True)
            self.out = dict(scripts=[], pictures=[], downloads=[], links=[], ids=[], tags=[], titles=[],
                            policy="", text="", addresses=[], handlers=[])
            self.open = []
        def handle_starttag(self, tag, attributes):
            out = self.out
            out["tags"].append(tag)
            for name, value in attributes:
                if name == "id": out["ids"].append(value)
                if name.startswith("on"): out["handlers"].append(name)
                if name in ("src", "href", "srcset", "action", "data", "poster"):
                    if value.startswith("data:"):
                        kind, content = value[5:].split(";base64,")
                        digest = hashlib.sha256(base64.b64decode(content, validate=True)).hexdigest()
                        out["pictures" if tag == "img" else "downloads"].append(f"{kind} {digest}")
                    elif value.startswith("#"): out["links"].append(value[1:])
                    else: out["addresses"].append(f"{tag} {value}")
            values = dict(attributes)
            if values.get("http-equiv") == "Content-Security-Policy": out["policy"] = values["content"]
            if tag == "script": out["scripts"].append(dict(type=values.get("type", ""), text=""))
            if tag not in ("meta", "br", "img", "col", "input"): self.open.append(tag)
            if tag in ("h1", "h2", "h3"): out["titles"].append("")
        def handle_endtag(self, tag):
            assert self.open and self.open[-1] == tag, f"{tag} ends within {self.open[-1:]}"
            self.open.pop()
        def handle_data(self, text):
            here = self.open[-1] if self.open else ""
            if here == "script": self.out["scripts"][-1]["text"] += text
            elif here != "style":
                self.out["text"] += text
                if here in ("h1", "h2", "h3"): self.out["titles"][-1] += text
    reader = Reader()
    reader.feed(open(sys.argv[1], "rb").read().decode("utf-8", "strict"))
    reader.close()
    assert not reader.open, reader.open
    print(json.dumps(reader.out))
    """
}

/// What is in a page.
struct PageContent: Decodable {
  struct Script: Decodable {
    let type: String
    let text: String
  }

  let scripts: [Script]
  /// The type and the SHA-256 of each picture, and of each file that is offered.
  let pictures: [String]
  let downloads: [String]
  let links: [String]
  let ids: [String]
  let tags: [String]
  let titles: [String]
  let policy: String
  let text: String
  /// Elements and what they lead to outside of the page.
  let addresses: [String]
  let handlers: [String]

  /// The words of all text, parted by single blanks.
  var words: String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// What no page may have, whatever it shows.
  func checkHarmless() {
    #expect(handlers.isEmpty)
    #expect(scripts.allSatisfy { ["application/vnd.decant", "application/ld+json"].contains($0.type) })
    #expect(addresses.allSatisfy { $0.hasPrefix("a http://") || $0.hasPrefix("a https://") })
    #expect(policy.contains("default-src 'none'"))
    #expect(!policy.contains("script-src"))
    #expect(Set(ids).count == ids.count)
    #expect(Set(links).isSubset(of: Set(ids)))
    let known: Set<String> = [
      "html", "head", "meta", "title", "style", "body", "main", "header", "footer", "nav",
      "section",
      "article", "h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "ul", "ol", "li", "dl", "div", "dt",
      "dd", "a", "b", "i", "bdi", "small", "span", "strong", "del", "ins", "figure", "figcaption", "img", "script",
      "code", "label", "input",
      "table", "colgroup", "col", "thead", "tbody", "tr", "th", "td",
    ]
    #expect(Set(tags).isSubset(of: known))
  }
}

/// A reader of HTML that goes by the standard and counts what it has to mend: Debian's python3-html5lib.
enum HTML5 {
  /// Whether it is there.
  static let isAvailable: Bool = {
    let run = try? Program.run([Program.python, "-c", "import html5lib"])
    if run?.status == 0 { return true }
    print("pages: validity is not checked, there is no html5lib (Debian: python3-html5lib)")
    return false
  }()

  /// What is wrong with the page at `path`.
  static func errors(in path: String) throws -> String {
    let script = """
      import html5lib, sys
      parser = html5lib.HTMLParser()
      parser.parse(open(sys.argv[1], "rb"))
      for error in parser.errors[:5]: print(error)
      """
    let run = try Program.run([Program.python, "-c", script, path])
    return run.output + run.errors
  }
}
