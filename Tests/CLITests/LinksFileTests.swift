import Foundation
import TestSupport
import Testing

/// `inspect --suggest-links` and `--links`: what is a link, decided once.
@Suite struct LinksFileTests {
  private let place: CommandFolder

  private static let schema = """
    CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, created_by INTEGER, editor_id INTEGER);
    """

  init() throws {
    place = try CommandFolder()
    try make("a.db", "(1, 'ann'), (2, 'bob')", "(1, 'of ann', 1, 2), (2, 'of bob', 2, 1)")
    try make("b.db", "(1, 'zoe')", "(1, 'of zoe', 1, 1)")
  }

  private func make(_ name: String, _ users: String, _ posts: String) throws {
    _ = try Program.sqlite3(
      place.folder.path(name),
      "\(Self.schema) INSERT INTO users VALUES \(users); INSERT INTO post VALUES \(posts);"
    )
  }

  private func write(_ text: String) throws {
    try Data(text.utf8).write(to: place.url.appendingPathComponent("links.yaml"))
  }

  /// Whose posts those of `b.db` are, and the number of the editor.
  private func posts() throws -> [String] {
    let query =
      "SELECT title, name, editor_id FROM post LEFT JOIN users ON users.id = created_by ORDER BY 1"
    return try Program.sqlite3(place.folder.path("b.db"), query).split(separator: "\n").map(String.init)
  }

  @Test func `a suggestion is taken as it is`() throws {
    let suggestion = try place.run(["inspect", "a.db", "--suggest-links"])
    #expect(suggestion.status == 0)
    #expect(suggestion.output.contains("- link: 'post.created_by -> users'  # "))
    #expect(suggestion.output.contains("- link: 'post.editor_id -> users'  # "))
    try write(suggestion.output)
    #expect(try place.run(["merge", "a.db", "b.db"]).status == 64)
    let merge = try place.run(["merge", "a.db", "b.db", "--links", "links.yaml"])
    #expect(merge.status == 0, "\(merge.errors)")
    // Bob keeps his key 2; that of Ann is taken.
    #expect(try posts() == ["of ann|ann|2", "of bob|bob|3", "of zoe|zoe|1"])
    for verb in ["verify", "diff"] {
      let run = try place.run([verb, "a.db", "b.db", "--links", "links.yaml", "--json"])
      #expect(run.status == (verb == "verify" ? 0 : 4), "\(run.errors)\(run.output)")
    }
  }

  @Test func `keys behind a text are suggested, however many rows are empty`() throws {
    _ = try Program.sqlite3(
      place.folder.path("text.db"),
      """
      CREATE TABLE text (id INTEGER PRIMARY KEY, words TEXT);
      CREATE TABLE content (id INTEGER PRIMARY KEY, address TEXT);
      INSERT INTO text VALUES (1, 'b'), (2, 'c'), (3, 'a');
      INSERT INTO content VALUES (1, 'text:1'), (2, 'text:2'), (3, 'text:3'), (4, ''), (5, ''), (6, ''), (7, ''), (8, '');
      """
    )
    let lines = try place.run(["inspect", "text.db", "--suggest-links"]).output.split(separator: "\n")
    let link = try #require(lines.firstIndex { $0.contains("content.address -> text WHERE address LIKE") })
    #expect(lines[link - 1] == "# Keys after a prefix, the text before the %.")
  }

  @Test(arguments: [
    ["copy", "a.db", "b.db", "--append"], ["merge", "a.db", "b.db"],
    ["import", "a.decant", "b.db"],
    ["export", "a.db", "c.decant"], ["copy", "a.db", "new.db"],
  ]) func `every verb that copies takes it`(_ call: [String]) throws {
    try write("- link: post.created_by -> users\n- no-link: post.editor_id\n")
    _ = try place.run(["export", "a.db", "a.decant", "--links", "links.yaml"])
    let run = try place.run(call + ["--links", "links.yaml", "--no-verify"])
    #expect(run.status == 0, "\(run.errors)")
    guard call.contains("b.db"), call[0] != "export" else { return }
    #expect(try posts().contains("of bob|bob|1"))
  }

  @Test func `the command line replaces what the file says of a column`() throws {
    try write("- link: post.created_by -> post\n- link: post.editor_id -> users\n")
    let run = try place.run(
      ["merge", "a.db", "b.db", "--links", "links.yaml", "--link", "post.created_by -> users"]
        + ["--no-link", "post.editor_id"]
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(try posts() == ["of ann|ann|2", "of bob|bob|1", "of zoe|zoe|1"])
  }

  @Test(arguments: ["verify", "diff"])
  func `no-link counts instead of the file`(verb: String) throws {
    try write("- link: post.created_by -> users\n- link: post.editor_id -> users\n")
    let options = ["--links", "links.yaml", "--no-link", "post.editor_id"]
    #expect(try place.run(["merge", "a.db", "b.db"] + options).status == 0)
    // The editors were copied as numbers, of which some lead to others now.
    let (told, unreported) = (
      try place.run([verb, "a.db", "b.db", "--json"] + options),
      try place.run([verb, "a.db", "b.db", "--json", "--links", "links.yaml"])
    )
    #expect(told.output.contains("editor_id") == false, "\(told.output)")
    #expect(unreported.status == 4)
    #expect(unreported.output.contains("editor_id"), "\(unreported.output)")
    let mistake = try place.run([verb, "a.db", "b.db", "--no-link", "post.editor"])
    #expect(mistake.status == 64)
    #expect(mistake.errors.contains("no column post.editor"))
  }

  private static let typedSchema = """
    CREATE TABLE kind (id INTEGER PRIMARY KEY, app TEXT, model TEXT, UNIQUE (app, model));
    CREATE TABLE pan (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE cook (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE,
      content_type_id INTEGER NOT NULL REFERENCES kind, object_id TEXT NOT NULL);
    """

  /// What each note of a database is about.
  private func subjects(_ name: String) throws -> String {
    let query = """
      SELECT text || ': ' || coalesce(pan.name, cook.name) FROM note JOIN kind ON kind.id = content_type_id
      LEFT JOIN pan ON model = 'pan' AND pan.id = object_id LEFT JOIN cook ON model = 'cook' AND cook.id = object_id
      ORDER BY 1
      """
    return try Program.sqlite3(place.folder.path(name), query)
  }

  @Test func `a condition means the same type in every database`() throws {
    for (name, rows) in [
      (
        "t.db",
        """
        INSERT INTO kind VALUES (1, 'x', 'pan'), (2, 'x', 'cook'); INSERT INTO pan VALUES (1, 'wok'), (2, 'pot');
        INSERT INTO cook VALUES (1, 'ann'), (2, 'bob');
        INSERT INTO note VALUES (1, 'on wok', 1, '1'), (2, 'on bob', 2, '2')
        """
      ),
      (
        "u.db",
        """
        INSERT INTO kind VALUES (1, 'x', 'cook'), (2, 'x', 'pan'); INSERT INTO pan VALUES (1, 'lid');
        INSERT INTO cook VALUES (1, 'zoe'), (2, 'eve'); INSERT INTO note VALUES (1, 'on zoe', 1, '1')
        """
      ),
    ] {
      _ = try Program.sqlite3(place.folder.path(name), "\(Self.typedSchema) \(rows)")
    }
    for name in ["v.db", "w.db"] {
      try FileManager.default.copyItem(atPath: place.folder.path("u.db"), toPath: place.folder.path(name))
    }
    let suggestion = try place.run(["inspect", "t.db", "--suggest-links"]).output
    #expect(suggestion.contains(#"- link: 'note.object_id -> cook WHERE content_type_id.app = "x" AND"#))
    try write(suggestion)
    let (links, all) = (["--links", "links.yaml"], "on bob: bob\non wok: wok\non zoe: zoe")
    let merge = try place.run(["merge", "t.db", "u.db", "--keep-ids", "ids.db"] + links)
    #expect(merge.status == 0, "\(merge.errors)")
    #expect(try subjects("u.db") == all)
    let numbers = ["pan WHERE content_type_id = 1", "cook WHERE content_type_id IN (2)"]
      .flatMap { ["--link", "note.object_id -> \($0)"] }
    let other = try place.run(["merge", "t.db", "v.db"] + numbers)
    #expect(other.status == 0, "\(other.errors)")
    #expect(try subjects("v.db") == all)
    _ = try place.run(["export", "t.db", "t.decant"] + links)
    let taken = try place.run(["import", "t.decant", "w.db"] + links)
    #expect(taken.status == 0, "\(taken.errors)")
    #expect(try subjects("w.db") == all)
    let proofs = [["--ids", "ids.db"], links]
    for options in proofs {
      #expect(try place.run(["verify", "t.db", "u.db"] + options).status == 0, "\(options)")
    }
    // Of two rows of one type each may lead to the other's place, and both lead somewhere.
    _ = try Program.sqlite3(place.folder.path("u.db"), "UPDATE note SET object_id = '2' WHERE text = 'on wok'")
    #expect(try subjects("u.db") == "on bob: bob\non wok: pot\non zoe: zoe")
    for options in proofs {
      let run = try place.run(["verify", "t.db", "u.db"] + options)
      #expect(run.status == 4, "\(options)")
      #expect(run.output.contains("pan (object_id)"), "\(run.output)")
    }
  }

  @Test(arguments: [["diff"], ["verify"], ["merge"]])
  func `a table that neither database has is refused`(command: [String]) throws {
    let run = try place.run(command + ["a.db", "b.db", "--link", "posts.created_by -> users"])
    #expect(run.status == 64 && run.errors.contains("did you mean post?"), "\(run.output)\(run.errors)")
    // One that either of them has is not.
    _ = try Program.sqlite3(place.folder.path("b.db"), "CREATE TABLE mark (id INTEGER PRIMARY KEY, user INTEGER)")
    let links = ["mark.user", "post.created_by", "post.editor_id"].flatMap { ["--link", "\($0) -> users"] }
    let other = try place.run(command + ["a.db", "b.db"] + links)
    #expect(other.status != 64, "\(other.errors)")
  }

  /// The file and what is said of it.
  private static let mistakes: [(String, [String])] = [
    ("- link: post.created_by -> user", ["links.yaml:1:9", "no table user ", "did you mean users?"]),
    ("\n- link: posts.created_by -> users", ["links.yaml:2:9", "no table posts", "did you mean post?"]),
    ("- no-link: post.editor", ["links.yaml:1:12", "no column post.editor"]),
    ("- link: post.created_by", ["links.yaml:1:9", "'table.column -> table'"]),
    ("- link: created_by -> users", ["links.yaml:1:9", "table.column"]),
    ("- links: post.created_by -> users", ["links.yaml:1:3", "did you mean link?"]),
    ("link: post.created_by -> users", ["links.yaml:1:1", "a links file must be a list"]),
    ("- post.created_by -> users", ["links.yaml:1:3", "one key"]),
    ("- link: &a post.created_by -> users", ["links.yaml:1:9", "a links file cannot use anchors"]),
    ("- link: [post.created_by, users]", ["links.yaml:1:9", "expected a text"]),
    (
      "- link: post.editor_id -> users WHERE title LIKE 'x'",
      ["links.yaml:1:9", "“title LIKE 'x'” is not a condition", "'column = 7'"]
    ),
    (
      "- link: post.editor_id -> users WHERE titel = 'x'",
      ["links.yaml:1:9", "post has no column titel", "did you mean title?"]
    ),
    (
      "- link: post.id -> users WHERE title = 'x'",
      ["links.yaml:1:9", "post.id is the key of its table", "remove the condition"]
    ),
  ]

  @Test(arguments: mistakes.indices) func `a mistake is told with its place`(_ index: Int) throws {
    let (text, words) = Self.mistakes[index]
    try write(text)
    for verb in ["merge", "verify"] {
      let run = try place.run([verb, "a.db", "b.db", "--links", "links.yaml"])
      #expect(run.status == 64)
      for word in words { #expect(run.errors.contains(word), "\(run.errors)") }
    }
  }

  @Test func `an empty file says nothing, and one that is not there is told`() throws {
    try write("# nothing\n")
    #expect(try place.run(["verify", "a.db", "a.db", "--links", "links.yaml"]).status == 0)
    try place.expect(["merge", "a.db", "b.db", "--links", "none.yaml"], 64, "there is no links file at “none.yaml”")
  }

  @Test func `a store with a model needs no links file`() throws {
    try place.expect(["inspect", "Kitchen.sqlite", "--suggest-links"], 64, "for plain databases")
    try place.expect(["inspect", "a.db", "--suggest-links", "--json"], 64, "remove --json")
  }
}
