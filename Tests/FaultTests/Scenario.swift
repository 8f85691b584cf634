import Foundation
import TestSupport
import Testing

/// A command whose calls fail one after the other, and the stores it works on.
struct Scenario: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let command: [String]
  /// The store that is written; `nil` where none is.
  var destination: String?
  /// Whether a run that was cut off is gone on with.
  var resumes = false
  /// Whether the file system knows no more than plain renames.
  var hasPlainRenames = false
  /// The exit code of an undisturbed run.
  var status: Int32 = 0
  let setUp: @Sendable (URL) throws -> Void

  init(
    _ name: String,
    _ command: String,
    into destination: String? = nil,
    resumes: Bool = false,
    hasPlainRenames: Bool = false,
    status: Int32 = 0,
    _ setUp: @escaping @Sendable (URL) throws -> Void = Scenario.putKitchens
  ) {
    testDescription = name
    self.command = command.split(separator: " ").map { $0.replacingOccurrences(of: "_", with: " ") }
    self.destination = destination
    self.resumes = resumes
    self.hasPlainRenames = hasPlainRenames
    self.status = status
    self.setUp = setUp
  }

  /// The command that is said again after a failure.
  var again: [String] { resumes ? command + ["--resume"] : command }

  private static let append = "copy Kitchen.sqlite Guests.sqlite --append"

  static let copies = [
    Scenario("pages into new", "copy Kitchen.sqlite out.sqlite", into: "out.sqlite"),
    Scenario("rows into new", "copy Kitchen.sqlite out.sqlite --where Recipe:_1", into: "out.sqlite"),
    Scenario(
      "rows with lists",
      "copy Kitchen.sqlite out.sqlite --where Recipe:_1 --keep-ids ids.db --on-error reject "
        + "--rejects list.jsonl",
      into: "out.sqlite"
    ),
    Scenario("append", append, into: "Guests.sqlite"),
    Scenario("append with backup", append + " --backup", into: "Guests.sqlite"),
    Scenario("append in batches", append + " --commit batch --batch-size 40", into: "Guests.sqlite", resumes: true),
    Scenario("files beside, pages", "copy Kitchen.sqlite out.sqlite", into: "out.sqlite", putFiles),
    Scenario("files beside, rows", "copy Kitchen.sqlite out.sqlite --where Recipe:_1", into: "out.sqlite", putFiles),
    Scenario("files beside, append", append, into: "Guests.sqlite", putFiles),
    Scenario("files beside, in batches", append + " --commit batch", into: "Guests.sqlite", resumes: true, putFiles),
    Scenario("from a log, pages", "copy Kitchen.sqlite out.sqlite", into: "out.sqlite") {
      try putKitchens($0)
      try leaveLog($0.appendingPathComponent("Kitchen.sqlite").path)
    },
    Scenario("from a log, append", append, into: "Guests.sqlite") {
      try putKitchens($0)
      try leaveLog($0.appendingPathComponent("Kitchen.sqlite").path)
    },
    Scenario("into a log", append, into: "Guests.sqlite") {
      try putKitchens($0)
      try leaveLog($0.appendingPathComponent("Guests.sqlite").path)
    },
    Scenario("into a log, in batches", append + " --commit batch", into: "Guests.sqlite", resumes: true) {
      try putKitchens($0)
      try leaveLog($0.appendingPathComponent("Guests.sqlite").path)
    },
    Scenario("plain into new", "copy a.db out.sqlite", into: "out.sqlite", putPlain),
    Scenario("plain rows", "copy a.db out.sqlite --where thing:_1", into: "out.sqlite", putPlain),
    Scenario("plain append", "copy a.db b.db --append", into: "b.db", putPlain),
    Scenario(
      "plain in batches",
      "copy a.db b.db --append --commit batch --batch-size 5",
      into: "b.db",
      resumes: true,
      putPlain
    ),
    Scenario("merge", merge, into: "Kitchen.sqlite", putTheirs),
    Scenario(
      "merge in batches",
      merge + " --commit batch --batch-size 20",
      into: "Kitchen.sqlite",
      resumes: true,
      putTheirs
    ),
    Scenario("objects into plain", "copy Kitchen.sqlite sqlite:out.db", into: "out.db"),
    Scenario(
      "clean",
      "clean SyncMetadata.sqlite --what history,icloud,cloudkit",
      into: "SyncMetadata.sqlite",
      putSyncMetadata
    ),
    Scenario(
      "clean with a log",
      "clean SyncMetadata.sqlite --what history,icloud,cloudkit",
      into: "SyncMetadata.sqlite"
    ) {
      try putSyncMetadata($0)
      try leaveLog($0.appendingPathComponent("SyncMetadata.sqlite").path)
    },
    Scenario("rollback", "rollback SyncMetadata.sqlite", into: "SyncMetadata.sqlite", putCleaned),
    Scenario(
      "rollback by plain renames",
      "rollback SyncMetadata.sqlite",
      into: "SyncMetadata.sqlite",
      hasPlainRenames: true,
      putCleaned
    ),
    Scenario("rollback with a log", "rollback SyncMetadata.sqlite", into: "SyncMetadata.sqlite") {
      try putCleaned($0)
      try leaveLog($0.appendingPathComponent("SyncMetadata.sqlite").path)
    },
    Scenario("rollback of nothing", "rollback SyncMetadata.sqlite", into: "SyncMetadata.sqlite") {
      try putCleaned($0)
      try FileManager.default.removeItem(at: $0.appendingPathComponent("SyncMetadata.sqlite"))
    },
  ]

  /// So many rows that their indexes are sorted in files.
  static let large = Scenario("many rows", "copy Kitchen.sqlite out.sqlite --where Recipe:_1", into: "out.sqlite") {
    try put("Kitchen", $0)
    _ = try Program.sqlite3(
      $0.appendingPathComponent("Kitchen.sqlite").path,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX, ZRECIPE,
        ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 500000 WHERE Z_NAME = 'Ingredient';
      """
    )
  }

  static let readings = [
    Scenario("verify what is equal", "verify Kitchen.sqlite out.sqlite") { try putCopy($0) },
    Scenario("verify what differs", "verify Kitchen.sqlite out.sqlite") {
      try putCopy($0)
      let out = $0.appendingPathComponent("out.sqlite").path
      _ = try Program.sqlite3(out, "UPDATE ZTAG SET ZNAME = 'other' WHERE Z_PK = 2")
    },
    Scenario("diff", "diff Kitchen.sqlite Guests.sqlite"),
    Scenario("diff of equals", "diff Kitchen.sqlite out.sqlite") { try putCopy($0) },
    Scenario("query", "query Kitchen.sqlite SELECT_title,_rating_FROM_Recipe_ORDER_BY_title"),
    Scenario("inspect", "inspect Kitchen.sqlite"),
    Scenario("inspect with a log", "inspect Kitchen.sqlite") {
      try putKitchens($0)
      try leaveLog($0.appendingPathComponent("Kitchen.sqlite").path)
    },
  ]

  private static let merge =
    "merge Theirs.sqlite Kitchen.sqlite --identity Recipe:uuid --merge Recipe:update --merge skip"

  /// The kitchen, and another one of which it lacks some objects and which has other titles.
  @Sendable private static func putTheirs(_ folder: URL) throws {
    try put("Kitchen", folder)
    let (mine, theirs) = ("Kitchen.sqlite", "Theirs.sqlite")
    try FileManager.default.copyItem(at: folder.appendingPathComponent(mine), to: folder.appendingPathComponent(theirs))
    _ = try Program.sqlite3(folder.appendingPathComponent(theirs).path, "UPDATE ZRECIPE SET ZTITLE = ZTITLE || '!'")
    _ = try Program.sqlite3(
      folder.appendingPathComponent(mine).path,
      "DELETE FROM ZINGREDIENT WHERE Z_PK % 2; DELETE FROM Z_6TAGS WHERE rowid % 2"
    )
  }

  // MARK: The stores

  private static func put(_ sample: String, _ folder: URL) throws {
    try FileManager.default.copyItem(
      at: Fixtures.projectFolder.appendingPathComponent("samples/\(sample).sqlite"),
      to: folder.appendingPathComponent("\(sample).sqlite")
    )
  }

  @Sendable static func putKitchens(_ folder: URL) throws {
    for sample in ["Kitchen", "Guests"] { try put(sample, folder) }
  }

  @Sendable static func putSyncMetadata(_ folder: URL) throws { try put("SyncMetadata", folder) }

  /// A store that was cleaned, with its backup.
  @Sendable static func putCleaned(_ folder: URL) throws {
    try putSyncMetadata(folder)
    let run = try DecantProgram.run("clean", "SyncMetadata.sqlite", "--what", "icloud,cloudkit", "--quiet", in: folder)
    guard run.status == 0 else { throw Program.Failure(program: "decant", errors: run.errors) }
  }

  private static func putCopy(_ folder: URL) throws {
    try put("Kitchen", folder)
    let run = try DecantProgram.run("copy", "Kitchen.sqlite", "out.sqlite", "--quiet", in: folder)
    guard run.status == 0 else { throw Program.Failure(program: "decant", errors: run.errors) }
  }

  /// Two kitchens, two of whose images lie in files beside the first.
  @Sendable static func putFiles(_ folder: URL) throws {
    try putKitchens(folder)
    let files = folder.appendingPathComponent(".Kitchen_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    for number in 1...2 {
      let name = "0A1B2C3D-1111-4222-8333-00000000000\(number)"
      let hex = Data(name.utf8).map { String(format: "%02x", $0) }.joined()
      _ = try Program.sqlite3(
        folder.appendingPathComponent("Kitchen.sqlite").path,
        "UPDATE ZIMAGE SET ZDATA = x'02\(hex)00' WHERE Z_PK = \(number)"
      )
      try Data(repeating: UInt8(number + 64), count: 30_000 + number)
        .write(to: files.appendingPathComponent(name))
    }
  }

  /// Leaves the store's last change in its log, as a process does that was killed.
  private static func leaveLog(_ path: String) throws {
    let script = """
      import shutil, sqlite3, sys
      path = sys.argv[1]
      shutil.copy(path, path + '.w')
      connection = sqlite3.connect(path + '.w')
      connection.execute('PRAGMA journal_mode = WAL')
      connection.execute("UPDATE ZTAG SET ZNAME = 'from the log' WHERE Z_PK = 1")
      connection.commit()
      shutil.copy(path + '.w', path)
      shutil.copy(path + '.w-wal', path + '-wal')
      connection.close()
      import os
      os.remove(path + '.w')
      """
    let run = try Program.run(["python3", "-c", script, path])
    guard run.status == 0 else { throw Program.Failure(program: "python3", errors: run.errors) }
  }

  /// Two plain databases whose keys collide, with links, an index and a table without integer keys.
  @Sendable static func putPlain(_ folder: URL) throws {
    for (name, count) in [("a", 40), ("b", 25)] {
      _ = try Program.sqlite3(
        folder.appendingPathComponent("\(name).db").path,
        """
        CREATE TABLE maker (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE thing (id INTEGER PRIMARY KEY, maker INTEGER REFERENCES maker (id), label TEXT,
          weight REAL, picture BLOB);
        CREATE INDEX thing_label ON thing (label);
        CREATE TABLE tag (name TEXT PRIMARY KEY);
        CREATE TABLE thing_tag (thing INTEGER REFERENCES thing (id), tag TEXT REFERENCES tag (name),
          PRIMARY KEY (thing, tag));
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
        INSERT INTO maker SELECT i, '\(name) maker ' || i FROM n;
        INSERT INTO thing SELECT id, (id * 7) % \(count) + 1, 'label ' || id, id / 3.0,
          zeroblob(40 * id) FROM maker;
        INSERT INTO tag SELECT '\(name) tag ' || id FROM maker;
        INSERT INTO thing_tag SELECT id, '\(name) tag ' || id FROM maker;
        """
      )
    }
  }
}
