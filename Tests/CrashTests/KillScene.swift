import Foundation
import TestSupport
import Testing

/// A copy that is to be killed: the stores it needs, the command, and the command that ends it.
struct KillScene: Sendable, CustomTestStringConvertible {
  let name: String
  /// Makes the stores in a folder.
  let prepare: @Sendable (URL) throws -> Void
  let arguments: [String]
  /// What completes a copy that was killed.
  let again: [String]
  /// What the destination is called.
  let destination: String

  var testDescription: String { name }

  init(
    _ name: String,
    to destination: String,
    _ arguments: [String],
    again: [String] = [],
    prepare: @escaping @Sendable (URL) throws -> Void
  ) {
    self.name = name
    self.prepare = prepare
    self.arguments = arguments + ["--quiet"]
    self.again = self.arguments + again
    self.destination = destination
  }

  /// Copies that are long enough to be caught at any phase.
  static let large = scenes(factor: 250, batch: "400")

  /// Copies that make few calls, and those that leave more than a store.
  static let small =
    scenes(factor: 1, batch: "30") + [
      add("wal", to: "wal", factor: 1, ["--append"]),
      add("wal in batches", to: "wal", factor: 1, inBatches("30"), again: ["--resume"]),
      KillScene("history", to: "SyncMetadata.sqlite", ["copy", "Kitchen.sqlite", "SyncMetadata.sqlite"] + force) {
        try kitchens($0, factor: 1)
      },
      KillScene(
        "history in batches",
        to: "SyncMetadata.sqlite",
        ["copy", "Kitchen.sqlite", "SyncMetadata.sqlite", "--force"] + inBatches("30"),
        again: ["--resume"]
      ) { try kitchens($0, factor: 1) },
      KillScene(
        "kept keys",
        to: "out.sqlite",
        ["copy", "Kitchen.sqlite", "out.sqlite", "--keep-ids", "ids.sqlite"]
      ) { try kitchens($0, factor: 1) },
      KillScene(
        "kept keys of rows added",
        to: "Guests.sqlite",
        ["copy", "Kitchen.sqlite", "Guests.sqlite", "--append", "--keep-ids", "ids.sqlite"]
      ) { try kitchens($0, factor: 1) },
      merge("merge", []),
      merge("merge in batches", ["--commit", "batch", "--batch-size", "20"], again: ["--resume"]),
      KillScene("files, by pages", to: "out.sqlite", ["copy", "Kitchen.sqlite", "out.sqlite"]) {
        try external($0)
      },
      KillScene(
        "files, by rows",
        to: "out.sqlite",
        ["copy", "Kitchen.sqlite", "out.sqlite"] + rows("30"),
        again: ["--resume"]
      ) { try external($0) },
      KillScene(
        "files, added",
        to: "Guests.sqlite",
        ["copy", "Kitchen.sqlite", "Guests.sqlite", "--append"]
      ) { try external($0) },
      KillScene(
        "files, added in batches",
        to: "Guests.sqlite",
        ["copy", "Kitchen.sqlite", "Guests.sqlite"] + inBatches("30"),
        again: ["--resume"]
      ) { try external($0) },
    ]

  /// A merge with new objects, changed ones, and ones that stay beside their like.
  private static func merge(_ name: String, _ options: [String], again: [String] = []) -> KillScene {
    KillScene(
      name,
      to: "Kitchen.sqlite",
      [
        "merge", "Theirs.sqlite", "Kitchen.sqlite", "--identity", "Recipe: uuid", "--merge",
        "keep-both",
        "--identity", "Tag: name", "--merge", "Tag: update",
      ] + options,
      again: again
    ) { folder in
      try kitchens(folder, factor: 1)
      let theirs = folder.appendingPathComponent("Theirs.sqlite")
      try FileManager.default.copyItem(at: folder.appendingPathComponent("Kitchen.sqlite"), to: theirs)
      _ = try Program.sqlite3(
        theirs.path,
        "UPDATE ZRECIPE SET ZRATING = 1 WHERE Z_PK % 2 = 0; UPDATE ZTAG SET ZUUID = x'01'"
      )
      _ = try Program.sqlite3(
        folder.appendingPathComponent("Kitchen.sqlite").path,
        "DELETE FROM ZINGREDIENT WHERE Z_PK % 3 = 0; DELETE FROM Z_6TAGS WHERE rowid % 2 = 0"
      )
    }
  }

  private static let force = ["--append", "--force"]

  private static func rows(_ batch: String) -> [String] {
    ["--on-error", "reject", "--batch-size", batch]
  }

  private static func inBatches(_ batch: String) -> [String] {
    ["--append", "--commit", "batch", "--batch-size", batch]
  }

  /// The four ways to copy, of both kinds of stores.
  private static func scenes(factor: Int, batch: String) -> [KillScene] {
    let core = ["copy", "Kitchen.sqlite", "out.sqlite"]
    let plain = ["copy", "a.db", "out.db"]
    return [
      KillScene("pages", to: "out.sqlite", core) { try kitchens($0, factor: factor) },
      KillScene("rows", to: "out.sqlite", core + rows(batch), again: ["--resume"]) {
        try kitchens($0, factor: factor)
      },
      add("run", to: "delete", factor: factor, ["--append"]),
      add("batch", to: "delete", factor: factor, inBatches(batch), again: ["--resume"]),
      KillScene("plain pages", to: "out.db", plain) { try databases($0, factor: factor) },
      KillScene("plain rows", to: "out.db", plain + rows(batch), again: ["--resume"]) {
        try databases($0, factor: factor)
      },
      KillScene("plain run", to: "b.db", ["copy", "a.db", "b.db", "--append"]) {
        try databases($0, factor: factor)
      },
      KillScene(
        "plain batch",
        to: "b.db",
        ["copy", "a.db", "b.db"] + inBatches(batch),
        again: ["--resume"]
      ) { try databases($0, factor: factor) },
    ]
  }

  private static func add(
    _ name: String,
    to journal: String,
    factor: Int,
    _ options: [String],
    again: [String] = []
  ) -> KillScene {
    KillScene(
      name,
      to: "Guests.sqlite",
      ["copy", "Kitchen.sqlite", "Guests.sqlite"] + options,
      again: again
    ) { folder in
      try kitchens(folder, factor: factor)
      _ = try Program.sqlite3(folder.appendingPathComponent("Guests.sqlite").path, "PRAGMA journal_mode = \(journal)")
    }
  }

  /// The samples, the kitchen with `factor` times as many ingredients and steps.
  private static func kitchens(_ folder: URL, factor: Int) throws {
    for name in ["Kitchen", "Guests", "SyncMetadata"] {
      let sample = Fixtures.projectFolder.appendingPathComponent("samples/\(name).sqlite")
      try FileManager.default.copyItem(at: sample, to: folder.appendingPathComponent("\(name).sqlite"))
    }
    guard factor > 1 else { return }
    _ = try Program.sqlite3(
      folder.appendingPathComponent("Kitchen.sqlite").path,
      """
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(factor))
      INSERT INTO ZINGREDIENT SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZISGARNISH, ZSORTINDEX, ZRECIPE,
        ZAMOUNT, ZNAME, ZNOTE, ZUNIT, ZUUID FROM ZINGREDIENT, n;
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(factor))
      INSERT INTO ZSTEP SELECT Z_PK + 1000 * i, Z_ENT, Z_OPT, ZRECIPE, Z_FOK_RECIPE, ZDURATION, ZTEXT,
        ZUUID FROM ZSTEP, n;
      UPDATE Z_PRIMARYKEY SET Z_MAX = 500000 WHERE Z_NAME IN ('Ingredient', 'Step');
      """
    )
  }

  /// The samples, with images of the kitchen in files: one is lost, and one's name is the guests' too.
  private static func external(_ folder: URL) throws {
    try kitchens(folder, factor: 1)
    let names = (1...3).map { "0A1B2C3D-1111-4222-8333-00000000000\($0)" }
    for (store, taken) in [("Kitchen", [0, 1, 2]), ("Guests", [0])] {
      let files = folder.appendingPathComponent(".\(store)_SUPPORT/_EXTERNAL_DATA")
      try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
      for index in taken {
        let hex = Data(names[index].utf8).map { String(format: "%02x", $0) }.joined()
        _ = try Program.sqlite3(
          folder.appendingPathComponent("\(store).sqlite").path,
          """
          UPDATE ZIMAGE SET ZDATA = x'02\(hex)00'
          WHERE Z_PK = (SELECT Z_PK FROM ZIMAGE ORDER BY 1 LIMIT 1 OFFSET \(index))
          """
        )
        // Both stores have the same file by that name: only the rows tell whose it is.
        guard index < 2 else { continue }
        try Data(repeating: UInt8(index + 65), count: 1_500_000 + index)
          .write(to: files.appendingPathComponent(names[index]))
      }
    }
  }

  /// Two databases of one schema: keys of integers and of texts, links, rows without any key, a trigger.
  private static func databases(_ folder: URL, factor: Int) throws {
    for (name, offset) in [("a.db", 0), ("b.db", 7)] {
      _ = try Program.sqlite3(
        folder.appendingPathComponent(name).path,
        """
        CREATE TABLE p (id INTEGER PRIMARY KEY AUTOINCREMENT, n TEXT UNIQUE);
        CREATE TABLE c (id INTEGER PRIMARY KEY, p INTEGER REFERENCES p (id), v REAL, x BLOB);
        CREATE INDEX cp ON c (p);
        CREATE TABLE k (a TEXT, b TEXT, v, PRIMARY KEY (a, b)) WITHOUT ROWID;
        CREATE TABLE m (p INTEGER REFERENCES p (id), c INTEGER REFERENCES c (id), PRIMARY KEY (p, c));
        CREATE TABLE loose (v);
        CREATE TABLE audit (id INTEGER PRIMARY KEY, what TEXT);
        CREATE TRIGGER noted AFTER INSERT ON p BEGIN INSERT INTO audit (what) VALUES (new.n); END;
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(40 * factor))
        INSERT INTO p SELECT 2 * i + \(offset), '\(offset)-' || i FROM n;
        INSERT INTO c (p, v, x) SELECT id, id / 3.0, CAST(printf('%030d', id) AS BLOB) FROM p;
        INSERT INTO k SELECT n, 'z' || id, id FROM p;
        INSERT INTO m SELECT p, id FROM c;
        INSERT INTO loose SELECT n FROM p WHERE id % 3 = 0;
        """
      )
    }
  }
}
