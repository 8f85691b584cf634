import Decant
import Foundation
import TestSupport
import Testing

/// Pages in a real browser: Debian's chromium, without a screen and without a network.
@Suite(.enabled(if: Browser.isAvailable, "there is no chromium"), .serialized) struct BrowserTests {
  @Test(arguments: [390, 1280]) func `a page is shown, fits, and asks for nothing`(_ width: Int)
    throws
  {
    let files = try SharedFiles.kitchen()
    try files.writePage(archive: SharedFiles.giver(Array("{\"decant\":1}\n".utf8)))
    let browser = try Browser(files, width: width)
    #expect(browser.messages.isEmpty, "\(browser.messages)")
    #expect(browser.requests.isEmpty, "\(browser.requests)")
    // Everything the page holds is in the tree that the browser made of it.
    let page = try files.readPage()
    for title in page.titles {
      #expect(browser.tree.contains(title.replacingOccurrences(of: "&", with: "&amp;")))
    }
    let pictures = try Program.sqlite3(files.store, "SELECT count(*) FROM ZIMAGE")
    #expect(browser.tree.components(separatedBy: "<img ").count - 1 == Int(pictures))
  }

  /// A colour that is nowhere else on the page is found in what was drawn only if the picture was.
  @Test func `a picture is drawn`() throws {
    let files = try SharedFiles()
    let colour: [Int] = try files.python(
      """
      import json, sqlite3, struct, sys, zlib
      def chunk(kind, data):
          return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
      rows = b"".join(b"\\0" + bytes((17, 201, 113)) * 64 for _ in range(64))
      png = b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)) \\
          + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
      db = sqlite3.connect(sys.argv[1])
      db.execute("CREATE TABLE photo (id INTEGER PRIMARY KEY, title TEXT, data BLOB)")
      db.execute("INSERT INTO photo VALUES (1, 'Green', ?)", (png,))
      db.commit()
      print(json.dumps([17, 201, 113]))
      """,
      [files.store]
    )
    try files.writePage()
    let picture = try Browser.screenshot(of: files, width: 390)
    let count: Int = try files.python(
      """
      import json, struct, sys, zlib
      data, position, packed = open(sys.argv[1], "rb").read(), 8, b""
      while position < len(data):
          length, kind = struct.unpack(">I4s", data[position:position + 8])
          body = data[position + 8:position + 8 + length]
          if kind == b"IHDR": width, height, depth, colours = struct.unpack(">IIBB", body[:10])
          if kind == b"IDAT": packed += body
          position += length + 12
      size = {2: 3, 6: 4}[colours]
      raw, stride, last, count = zlib.decompress(packed), width * size, bytearray(width * size), 0
      wanted = bytes(map(int, sys.argv[2].split(",")))
      for y in range(height):
          kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
          for x in range(stride):
              a = row[x - size] if x >= size else 0
              b, c = last[x], last[x - size] if x >= size else 0
              if kind == 1: row[x] = row[x] + a & 255
              elif kind == 2: row[x] = row[x] + b & 255
              elif kind == 3: row[x] = row[x] + (a + b >> 1) & 255
              elif kind == 4:
                  p = a + b - c
                  near = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
                  row[x] = row[x] + near & 255
          count += sum(row[x:x + 3] == wanted for x in range(0, stride, size))
          last = row
      print(json.dumps(count))
      """,
      [picture, colour.map(String.init).joined(separator: ",")]
    )
    // It is drawn at least as large as it is.
    #expect(count > 64 * 64)
  }

  @Test func `a script that the data hold does not run`() throws {
    let files = try SharedFiles()
    let text =
      "</script><img src=x onerror=\"document.title='stolen'\"><img src=https://evil.example/p><script>document.title='stolen'</script>"
    _ = try Program.sqlite3(
      files.store,
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, notes TEXT);
      CREATE TABLE step (id INTEGER PRIMARY KEY, recipe_id REFERENCES recipe, text TEXT);
      INSERT INTO recipe VALUES (1, 'Soup', '\(text.replacingOccurrences(of: "'", with: "''"))');
      INSERT INTO step VALUES (1, 1, '\(text.replacingOccurrences(of: "'", with: "''"))');
      """
    )
    try files.writePage(archive: SharedFiles.giver(Array("{\"t\":\"\(text)\"}".utf8)))
    let browser = try Browser(files, width: 390)
    #expect(browser.tree.contains("<title>Soup</title>") && !browser.tree.contains("<title>stolen"))
    #expect(!browser.tree.contains("<img"))
    #expect(browser.messages.isEmpty && browser.requests.isEmpty)
  }
}

/// What a browser made of a page.
struct Browser {
  /// The tree of elements, written out.
  let tree: String
  /// What it said of the page: errors, and what its policy kept from being loaded.
  let messages: [String]
  /// What it asked the network for.
  let requests: [String]

  static let isAvailable = (try? Program.run(["chromium", "--version"]))?.status == 0

  private static func arguments(_ files: SharedFiles, _ width: Int) -> [String] {
    [
      "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
      "--disable-background-networking", "--disable-component-update", "--no-first-run",
      "--user-data-dir=\(files.folder.path("profile"))", "--window-size=\(width),2000",
    ]
  }

  init(_ files: SharedFiles, width: Int) throws {
    let log = files.folder.path("requests.json")
    let run = try Program.run(
      Self.arguments(files, width) + [
        "--enable-logging=stderr", "--v=0", "--log-net-log=\(log)", "--dump-dom",
        "file://\(files.page)",
      ]
    )
    tree = run.output
    messages = run.errors.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") }
    requests = try files.python(
      """
      import json, re, sys
      text = open(sys.argv[1]).read()
      # Addresses in the tests' data are all of this domain; others are the browser's own business.
      print(json.dumps([u for u in re.findall(r'"url":"((?:https?|wss?|ftp):[^"]*)"', text)
                        if re.match(r"[a-z]+://([^/]*[.])?example[/:?]", u)]))
      """,
      [log]
    )
  }

  /// Prints the page and returns how many sheets it takes.
  static func pageCount(of files: SharedFiles) throws -> Int {
    let path = files.folder.path("page.pdf")
    let run = try Program.run(
      arguments(files, 1280) + ["--no-pdf-header-footer", "--print-to-pdf=\(path)", "file://\(files.page)"]
    )
    guard FileManager.default.fileExists(atPath: path) else {
      throw Program.Failure(program: "chromium", errors: run.errors)
    }
    return try files.python(
      #"import json, re, sys; print(json.dumps(len(re.findall(rb"/Type\s*/Page\b", open(sys.argv[1], "rb").read()))))"#,
      [path]
    )
  }

  /// Draws the page and returns the path of the picture.
  static func screenshot(of files: SharedFiles, width: Int) throws -> String {
    let path = files.folder.path("page.png")
    let run = try Program.run(
      arguments(files, width) + ["--screenshot=\(path)", "file://\(files.page)"]
    )
    guard FileManager.default.fileExists(atPath: path) else {
      throw Program.Failure(program: "chromium", errors: run.errors)
    }
    return path
  }
}
