import Decant
import Foundation
import TestSupport
import Testing

/// Whatever the data hold: they stay text.
@Suite struct HostileTextTests {
  /// SQL for texts that mean something to a browser, a mail program or a reader of JSON.
  static let texts = [
    "'</script><script>alert(1)</script>'", "'<!--<script>'", "'--> ]]> <![CDATA[ x'",
    "'\"''><img src=x onerror=alert(1)>'", "'&amp; &lt;b&gt; &#x3c; &'",
    "'{{7*7}} ${x} %s \\u003c'",
    "'a' || char(0) || 'b'", "char(1, 8, 11, 12, 27, 31, 127, 128, 159) || 'x'",
    "'a' || char(0x2028) || 'b' || char(0x2029, 0x85) || 'c'",
    "char(0x202e) || 'gpj.exe' || char(0x2066)", "'مرحبا بالعالم'",
    "char(0xfffe, 0xffff, 0x1fffe) || 'x'",
    "'x' || CAST(x'ff41c3' AS TEXT)", "'🧁 Kürbis\\\"'", "'</style></title></textarea>x'",
    "'=?utf-8?B?PGI+?= ' || char(13, 10) || 'Bcc: a@b.example'",
  ]

  /// A recipe all of whose texts are the same one.
  private func make(_ text: String) throws -> SharedFiles {
    let files = try SharedFiles()
    _ = try Program.sqlite3(
      files.store,
      """
      CREATE TABLE recipe (id INTEGER PRIMARY KEY, title TEXT, notes TEXT, source_url TEXT, photo BLOB);
      CREATE TABLE ingredient (id INTEGER PRIMARY KEY, recipe_id REFERENCES recipe, name TEXT, unit TEXT);
      INSERT INTO recipe VALUES (1, \(text), \(text), \(text), x'89504e470d0a1a0a');
      INSERT INTO ingredient VALUES (1, 1, \(text), \(text));
      """
    )
    return files
  }

  @Test(arguments: texts) func `stays text on a page`(_ text: String) throws {
    let files = try make(text)
    let archive = Array("{\"text\":\"<b>&</script><!--\"}\n".utf8)
    try files.writePage(archive: SharedFiles.giver(archive))
    let page = try files.readPage()
    page.checkHarmless()
    #expect(page.scripts.map(\.type) == ["application/ld+json", "application/vnd.decant"])
    #expect(page.pictures.count == 1 && page.addresses.isEmpty)
    if HTML5.isAvailable { #expect(try HTML5.errors(in: files.page) == "") }

    // As Python reads the store: on one line, with U+FFFD for what no page may hold.
    let shown: [String] = try files.python(
      """
      import sqlite3, sys, json
      c = sqlite3.connect(sys.argv[1])
      c.text_factory = lambda b: b.decode("utf-8", "replace")
      text = c.execute("SELECT title FROM recipe").fetchone()[0]
      def bad(n): return (n < 32 and n not in (9, 10, 13)) or 127 <= n <= 159 and n != 0x85 \\
          or 0xfdd0 <= n <= 0xfdef or n & 0xfffe == 0xfffe
      for c in "\\x85\\u2028\\u2029\\r\\n\\t\\x0b\\x0c": text = text.replace(c, " ")
      print(json.dumps(["".join("\\ufffd" if bad(ord(c)) else c for c in " ".join(text.split(" "))), text]))
      """,
      [files.store]
    )
    let squeezed = shown[0].split(separator: " ").joined(separator: " ")
    #expect(
      page.titles.first?.replacingOccurrences(of: "\u{fffd}", with: "")
        == squeezed.replacingOccurrences(of: "\u{fffd}", with: "")
    )

    let recipe = try #require(try JSONSerialization.jsonObject(with: Data(page.scripts[0].text.utf8)) as? [String: Any])
    let same: Bool = try files.python(
      """
      import sqlite3, sys, json
      c = sqlite3.connect(sys.argv[1])
      c.text_factory = lambda b: b.decode("utf-8", "replace")
      print(json.dumps(c.execute("SELECT title FROM recipe").fetchone()[0]
          == json.loads(sys.stdin.read() if len(sys.argv) < 3 else sys.argv[2])["name"]))
      """,
      [files.store, page.scripts[0].text]
    )
    #expect(same && recipe["@type"] as? String == "Recipe")
  }

  @Test(arguments: texts) func `stays text in a mail`(_ text: String) throws {
    let files = try make(text)
    try files.writeMail(attachment: ("a.decant.gz", SharedFiles.giver([1, 2, 3])))
    let mail = try MailContent(files)
    #expect(mail.headers == ["X-Unsent", "Subject", "MIME-Version", "Content-Type"])
    #expect(mail.defects.isEmpty)
    #expect(mail.attachments.count == 1)
    #expect(!mail.html.contains("<script") && !mail.html.contains("onerror=alert(1)>"))
  }

  @Test(arguments: [
    "javascript:alert(1)", "JavaScript://x", "data:text/html,x",
    "https://e.example/\"onmouseover=x",
    "https://e.example/<b>", "file:///etc/passwd", "//e.example", "https://e.example/a b",
  ]) func `only addresses of the web become links`(_ address: String) throws {
    let files = try make("'\(address.replacingOccurrences(of: "'", with: "''"))'")
    try files.writePage()
    let page = try files.readPage()
    page.checkHarmless()
    #expect(page.addresses.isEmpty)
    #expect(page.words.contains(address))
  }

  @Test func `an address of the web is a link that tells nobody where it stands`() throws {
    let files = try make("'https://recipes.example/soup?root=carrot&spice=ginger'")
    try files.writePage()
    let page = try files.readPage()
    #expect(page.addresses.contains("a https://recipes.example/soup?root=carrot&spice=ginger"))
    let text = try String(contentsOfFile: files.page, encoding: .utf8)
    #expect(text.contains("rel=\"noreferrer noopener nofollow\""))
  }
}
