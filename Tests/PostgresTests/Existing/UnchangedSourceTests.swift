import Foundation
import TestSupport
import Testing

/// Sources that are skipped, as they have not changed since they were merged into a database on a server.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct UnchangedSourceTests {
  private let place: PostgresFolder
  private var guests: String { place.folder.path("Guests.sqlite") }
  private var files: URL { place.folder.url.appendingPathComponent(".Guests_SUPPORT/_EXTERNAL_DATA") }
  private static let picture = "0A1B2C3D-1111-4222-8333-000000000001"

  /// The guests have a log, and a picture in a file.
  init() throws {
    place = try PostgresFolder()
    let hex = Data(Self.picture.utf8).map { String(format: "%02x", $0) }.joined()
    _ = try Program.sqlite3(
      guests, "PRAGMA journal_mode = wal; UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = 1")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data("a picture".utf8).write(to: files.appendingPathComponent(Self.picture))
  }

  /// What happens between two merges of the guests.
  enum Change: String, CaseIterable {
    case nothing, touched, moved, checkpoint, vacuum
    case value, valueBehindEqualStamp, rowInLog, externalFile
    case option, condition, mapping, otherContentMerged, timePassed
    case truncated, restored, column, rolledBack

    /// Whether the second merge skips them; `nil` if it may.
    var isSkipped: Bool? {
      switch self {
      case .nothing, .touched, .moved, .checkpoint: true
      case .vacuum: nil
      default: false
      }
    }
  }

  /// All rows of the tables.
  private func rows() throws -> [String] {
    let tables = try place.psql(
      "SELECT quote_ident(tablename) FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
    return try tables.split(separator: "\n").map { table in
      try place.psql("SELECT '\(table)', string_agg(t::text, E'\\n' ORDER BY t::text) FROM public.\(table) AS t")
    }
  }

  private func merge(_ arguments: [String], _ source: String = "Guests.sqlite") throws -> String {
    let run = try place.run(["merge", source, place.location] + arguments)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    return run.output
  }

  /// Changes a title so that no time, no size and no count of the file shows it.
  private static let hiddenChange = """
    import os, sqlite3, sys
    path = sys.argv[1]
    with sqlite3.connect(path, isolation_level=None) as db: db.execute('PRAGMA journal_mode = delete')
    db.close()
    if sys.argv[2] == 'prepare': sys.exit()
    before, head = os.stat(path), open(path, 'rb').read(100)
    with sqlite3.connect(path, isolation_level=None) as db:
        db.execute("UPDATE ZRECIPE SET ZTITLE = 'X' || substr(ZTITLE, 2) WHERE Z_PK = 1")
    db.close()
    with open(path, 'r+b') as file:
        file.write(head)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(path).st_size == before.st_size
    """

  private func hide(_ mode: String) throws {
    let run = try Program.run(["python3", "-c", Self.hiddenChange, guests, mode])
    try #require(run.status == 0, "\(run.errors)")
  }

  private func dump(to file: String? = nil, restoring: String? = nil) throws {
    let programs = try #require(PostgresServer.programs)
    let at = ["-h", place.server.socket, "-U", PostgresServer.owner, "-d", place.database]
    if let file {
      let run = try Program.run(["\(programs)/pg_dump"] + at + ["-n", "public", "-f", place.folder.path(file)])
      try #require(run.status == 0, "\(run.errors)")
    }
    if let restoring {
      try place.psql("DROP SCHEMA public CASCADE")
      let run = try Program.run([PostgresServer.psql, "-X", "-q"] + at + ["-f", place.folder.path(restoring)])
      try #require(run.status == 0, "\(run.errors)")
    }
  }

  @Test(arguments: Change.allCases) func `only what is unchanged is skipped`(change: Change) throws {
    var arguments = ["--identity=Recipe: uuid", "--merge=update"]
    var source = "Guests.sqlite"
    try place.expect("copy", "Kitchen.sqlite", place.location)
    switch change {
    case .valueBehindEqualStamp: try hide("prepare")
    case .mapping:
      try Data("decant: 1\n".utf8).write(to: place.folder.url.appendingPathComponent("map.yaml"))
      arguments += ["--mapping", "map.yaml"]
    case .timePassed: arguments += ["--where", "Recipe: title <> date('now')"]
    case .restored: try dump(to: "before.sql")
    case .rolledBack: arguments[1] = "--merge=skip"
    case .checkpoint:
      _ = try Program.run([
        "sqlite3", "-batch", guests, ".dbconfig no_ckpt_on_close on",
        "UPDATE ZRECIPE SET ZTITLE = 'Log' WHERE Z_PK = 1",
      ])
      #expect(FileManager.default.fileExists(atPath: guests + "-wal"))
    default: break
    }
    arguments.append("--skip-unchanged")
    let first = try merge(arguments + (change == .rolledBack ? ["--keep-ids", "ids.sqlite"] : []))
    #expect(!first.contains("skipped"), "\(first)")

    switch change {
    case .nothing, .timePassed: break
    case .touched: _ = try Program.run(["touch", guests])
    case .moved:
      let folder = place.folder.url.appendingPathComponent("elsewhere")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for name in try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path)
      where name.contains("Guests") {
        try FileManager.default.moveItem(
          at: place.folder.url.appendingPathComponent(name), to: folder.appendingPathComponent(name))
      }
      source = "elsewhere/Guests.sqlite"
    case .checkpoint: _ = try Program.sqlite3(guests, "PRAGMA wal_checkpoint(TRUNCATE)")
    case .vacuum: _ = try Program.sqlite3(guests, "VACUUM")
    case .value: _ = try Program.sqlite3(guests, "UPDATE ZRECIPE SET ZTITLE = 'New' WHERE Z_PK = 1")
    case .valueBehindEqualStamp: try hide("change")
    case .rowInLog:
      _ = try Program.run([
        "sqlite3", "-batch", guests, ".dbconfig no_ckpt_on_close on",
        "UPDATE ZRECIPE SET ZTITLE = 'Log' WHERE Z_PK = 1",
      ])
      #expect(FileManager.default.fileExists(atPath: guests + "-wal"))
    case .externalFile: try Data("b picture".utf8).write(to: files.appendingPathComponent(Self.picture))
    case .option: arguments[1] = "--merge=fill"
    case .condition: arguments.append("--where=Recipe: rating > 2")
    case .mapping:
      try Data("decant: 1\nentities:\n  Recipe:\n    set:\n      title: \"upper(title)\"\n".utf8)
        .write(to: place.folder.url.appendingPathComponent("map.yaml"))
    case .otherContentMerged:
      let copy = try Data(contentsOf: URL(fileURLWithPath: guests))
      _ = try Program.sqlite3(guests, "UPDATE ZRECIPE SET ZTITLE = 'New' WHERE Z_PK = 1")
      _ = try merge(arguments.filter { $0 != "--skip-unchanged" })
      try copy.write(to: URL(fileURLWithPath: guests))
    case .truncated: try place.psql("TRUNCATE recipe CASCADE")
    case .restored: try dump(restoring: "before.sql")
    case .column: try place.psql("ALTER TABLE recipe ADD COLUMN later text")
    case .rolledBack: try place.expect("rollback", place.location, "--ids", "ids.sqlite")
    }
    let predicted = try merge(arguments + ["--dry-run"], source)
    // Who skips locks and reads no table.
    let app = change.isSkipped == true ? try PostgresSession(place) : nil
    try app?.run("BEGIN; LOCK TABLE recipe, image, ingredient IN ACCESS EXCLUSIVE MODE")
    let said = try merge(arguments, source)
    try app?.run("ROLLBACK")
    let line = "\(source): unchanged since it was merged on "
    if let isSkipped = change.isSkipped {
      #expect(said.contains(line) == isSkipped, "\(said)")
      #expect(said.contains("note: 1 source skipped") == isSkipped, "\(said)")
    }
    #expect(predicted.contains(line) == said.contains(line), "\(predicted)")
    // Whatever was skipped, a merge of everything finds nothing to do.
    let after = try rows()
    _ = try merge(arguments.filter { $0 != "--skip-unchanged" }, source)
    #expect(try rows() == after)
    // A run without the option does not make the source unknown, or it is merged once more.
    _ = try merge(arguments, source)
    #expect(try merge(arguments, source).contains(line) == (change != .timePassed))
  }

  @Test(arguments: [
    "title <> date ( 'now' )", "title <> strftime ('%Y', 'now')", "title <> CURRENT_TIMESTAMP",
    "coalesce(rating, 0) < unixepoch (\n)",
    "title <> datetime/* */('no' || 'w')", #"title <> "date"('now')"#,
  ])
  func `whoever asks for the time is merged again`(condition: String) throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    let arguments = ["--identity=Recipe: uuid", "--skip-unchanged", "--where", "Recipe: \(condition)"]
    for _ in 1...2 {
      let said = try merge(arguments)
      #expect(!said.contains("unchanged since"), "\(said)")
      #expect(said.contains("a condition or an expression calls a function of dates and times"), "\(said)")
    }
    // Words alone ask for nothing.
    let words = ["--identity=Recipe: uuid", "--skip-unchanged", "--where", "Recipe: title <> 'date(now) current_time'"]
    _ = try merge(words)
    #expect(try merge(words).contains("unchanged since"))
  }

  @Test func `so is one whose mapping asks`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try Data("decant: 1\nentities:\n  Recipe:\n    set:\n      title: \"title || date ('now')\"\n".utf8)
      .write(to: place.folder.url.appendingPathComponent("map.yaml"))
    let arguments = ["--identity=Recipe: uuid", "--skip-unchanged", "--mapping", "map.yaml"]
    for _ in 1...2 { #expect(try !merge(arguments).contains("unchanged since")) }
  }

  // MARK: Several sources

  private func make(_ name: String, _ rows: String) throws {
    _ = try Program.sqlite3(
      place.folder.path("\(name).db"),
      """
      CREATE TABLE IF NOT EXISTS note (id INTEGER PRIMARY KEY, name TEXT UNIQUE, text TEXT);
      INSERT INTO note (name, text) VALUES \(rows)
      """)
  }

  private static let names = ["A", "B", "C", "D", "E"]
  private static let sources = names.map { "\($0).db" }

  private func makeFive() throws {
    try make("Into", "('own', 'own')")
    for name in Self.names { try make(name, "('shared', 'by all'), ('\(name)', 'its own')") }
    try place.expect("copy", "Into.db", place.location)
  }

  private func document(_ more: [String] = []) throws -> [String: Any] {
    let run = try place.run(["merge"] + Self.sources + [place.location, "--skip-unchanged", "--json"] + more)
    #expect(run.status == 0, "\(run.errors)")
    return try #require(JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
  }

  private func places(_ document: [String: Any]) throws -> (skipped: [String], merged: [String]) {
    let skipped = try #require(document["skipped"] as? [[String: String]])
    let merged = try #require(document["merges"] as? [[String: Any]])
    return (
      skipped.compactMap { $0["source"] }, merged.compactMap { ($0["source"] as? [String: Any])?["place"] as? String }
    )
  }

  @Test func `of five sources two have changed`() throws {
    try makeFive()
    #expect(try places(document()) == ([], Self.sources))
    #expect(try places(document(["--dry-run"])) == (Self.sources, []))
    for name in ["B", "D"] { try make(name, "('new in \(name)', '')") }
    for more in [["--dry-run"], []] {
      let said = try document(more)
      #expect(try places(said) == (["A.db", "C.db", "E.db"], ["B.db", "D.db"]))
      #expect(said["noteKinds"] as? [String] == ["sourcesSkipped"])
    }
    #expect(try place.psql("SELECT count(*) FROM note") == "9")
    let all = try document()
    #expect(try places(all) == (Self.sources, []))
    let dates = (all["skipped"] as? [[String: String]])?.compactMap { $0["merged"] } ?? []
    #expect(dates.allSatisfy { $0.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/#) != nil }, "\(dates)")
  }

  @Test func `several runs at the same time`() throws {
    try makeFive()
    let runs = "for run in 1 2 3; do \"$@\" > run.$run 2>&1 || cat run.$run & done; wait"
    let all = try Program.run(
      ["bash", "-c", runs, "bash", DecantProgram.path, "merge"] + Self.sources + [place.location, "--skip-unchanged"],
      in: place.folder.url)
    #expect(all.output.isEmpty, "\(all.output)")
    #expect(try place.psql("SELECT count(*), count(DISTINCT name) FROM note") == "7|7")
    #expect(try place.psql("SELECT count(*) FROM decant.merged") == "5")
    #expect(try places(document()) == (Self.sources, []))
  }

  // MARK: What is not recorded, and what is refused

  /// A text in a column of numbers, and a link whose target only the destination has.
  @Test(arguments: [
    (row: "(2, 'a', 'many')", mend: "UPDATE item SET count = 2"),
    ("(2, 'late', 2)", "INSERT INTO kind VALUES ('late')"),
  ])
  func `a merge that could do more next time is not recorded`(row: String, mend: String) throws {
    for (name, rows) in [
      ("Into", "INSERT INTO kind VALUES ('a'), ('late'); INSERT INTO item VALUES (9, 'a', 9)"),
      ("A", "INSERT INTO kind VALUES ('a'); INSERT INTO item VALUES (1, 'a', 1), \(row)"),
    ] {
      _ = try Program.sqlite3(
        place.folder.path("\(name).db"),
        """
        CREATE TABLE kind (code TEXT PRIMARY KEY);
        CREATE TABLE item (id INTEGER PRIMARY KEY, kind TEXT REFERENCES kind (code), count INTEGER); \(rows)
        """)
    }
    try place.expect("copy", "Into.db", place.location)
    let arguments = ["--skip-unchanged", "--on-error=reject"]
    for _ in 1...3 {
      let run = try place.run(["merge", "A.db", place.location] + arguments)
      #expect(run.output.contains("the next run merges the source again"), "\(run.output)\(run.errors)")
    }
    _ = try Program.sqlite3(place.folder.path("A.db"), mend)
    #expect(!(try merge(arguments, "A.db").contains("the next run")))
    #expect(try merge(arguments, "A.db").contains("A.db: unchanged"))
  }

  @Test func `a role that may create tables in the schema needs no right to create schemas`() throws {
    let role = "lean\(place.database)"
    try place.psql(
      """
      CREATE TABLE t (id serial PRIMARY KEY, k text UNIQUE); CREATE SCHEMA decant; CREATE ROLE \(role) LOGIN;
      GRANT USAGE, CREATE ON SCHEMA decant TO \(role); GRANT ALL ON t TO \(role); GRANT ALL ON SEQUENCE t_id_seq TO \(role)
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"), "CREATE TABLE t (id INTEGER PRIMARY KEY, k TEXT UNIQUE); INSERT INTO t VALUES (1, 'a')"
    )
    let location = place.server.location(place.database, user: role)
    try place.expect("merge", "s.db", location, "--skip-unchanged")
    #expect(try place.expect("merge", "s.db", location, "--skip-unchanged").contains("skipped"))
  }

  @Test func `a role that may not write the record is told which right it lacks`() throws {
    try makeFive()
    try place.psql(
      """
      CREATE ROLE app LOGIN; GRANT USAGE ON SCHEMA public, decant TO app; GRANT SELECT ON decant.store TO app;
      GRANT ALL ON ALL TABLES IN SCHEMA public TO app; GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO app
      """)
    let location = place.server.location(place.database, user: "app")
    func expect(_ message: String) throws {
      try place.expect(["merge", "A.db", location, "--skip-unchanged"], 1, message)
    }
    try expect("GRANT CREATE, USAGE ON SCHEMA decant TO \"app\"")
    #expect(try place.psql("SELECT count(*) FROM note") == "1")
    _ = try merge(["--skip-unchanged"], "B.db")
    try expect("GRANT SELECT, INSERT, UPDATE, DELETE ON decant.merged TO \"app\"")
    try place.psql("GRANT SELECT, INSERT, UPDATE, DELETE ON decant.merged TO app")
    for isSkipped in [false, true] {
      let run = try place.run(["merge", "A.db", location, "--skip-unchanged"])
      #expect(run.status == 0 && run.output.contains("skipped") == isSkipped, "\(run.output)\(run.errors)")
    }
    try place.psql("DROP OWNED BY app; DROP ROLE app")
  }

  @Test func `what cannot be recorded is refused`() throws {
    try makeFive()
    try place.expect(["merge", "A.db", "Into.db", "--skip-unchanged"], 64, "into a database on a server only")
    for more in [["--tombstones", "seen.db"], ["--conflicts", "c.json", "--merge=three-way", "--base=B.db"]] {
      try place.expect(
        ["merge", "A.db", place.location, "--skip-unchanged"] + more, 64,
        "may change what a merge of an unchanged source")
    }
  }
}
