import Decant
import Foundation
import StoreTestSupport
import TestSupport

extension ErrorSituation {
  private static let into = ["Guests.sqlite", "Kitchen.sqlite"]
  private static let out = ["Kitchen.sqlite", "out.sqlite"]

  static let requests: [ErrorSituation] = [
    .init(
      "an entity of no such name",
      .unknownName,
      64,
      [.correctName(nearest: "Recipe")],
      ["copy"] + out + ["--where", "Recipee: 1"]
    ) {
      try $0.copy("Kitchen.sqlite", "out.sqlite") {
        $0.filters = [.init(entity: "Recipee", expression: "1")]
      }
    },
    .init(
      "an attribute of no such name",
      .unknownName,
      64,
      [.correctName(nearest: "title")],
      ["copy"] + out + ["--where", "Recipe: titel = 'x'"]
    ) {
      try $0.copy("Kitchen.sqlite", "out.sqlite") {
        $0.filters = [.init(entity: "Recipe", expression: "titel = 'x'")]
      }
    },
    .init(
      "a condition that cannot be read",
      .invalidExpression,
      64,
      [],
      ["copy"] + out + ["--where", "Recipe: title = "]
    ) {
      try $0.copy("Kitchen.sqlite", "out.sqlite") {
        $0.filters = [.init(entity: "Recipe", expression: "title = ")]
      }
    },
    .init(
      "a query of no such table",
      .unknownName,
      64,
      [.correctName(nearest: "Recipe")],
      ["query", "Kitchen.sqlite", "SELECT title FROM Recipee"]
    ) {
      _ = try QueryRows(StoreQuery("SELECT title FROM Recipee", in: $0.path("Kitchen.sqlite")))
    },
    .init(
      "a mapping that cannot be read",
      .invalidMapping,
      64,
      [],
      ["copy"] + out + ["--mapping", "map.yaml", "--template", "Guests.sqlite"],
      prepare: { try Data("entities: [".utf8).write(to: URL(filePath: $0.path("map.yaml"))) }
    ) { _ = try Mapping.read($0.path("map.yaml")) },
    .init(
      "the store itself as its copy",
      .sameFile,
      64,
      [.chooseAnotherPlace],
      ["copy", "Kitchen.sqlite", "Kitchen.sqlite"]
    ) { try $0.copy("Kitchen.sqlite", "Kitchen.sqlite") },
    .init(
      "an archive where one is",
      .alreadyExists,
      64,
      [.chooseAnotherPlace],
      ["export", "Kitchen.sqlite", "there.decant"],
      prepare: { try Data("mine".utf8).write(to: URL(filePath: $0.path("there.decant"))) }
    ) { try Export(from: $0.path("Kitchen.sqlite"), to: $0.path("there.decant")).run() },
    .init(
      "objects where some are, without a policy",
      .decisionNeeded,
      64,
      [.setOption(.merge, "skip"), .setOption(.append, nil), .chooseAnotherPlace],
      ["copy"] + into
    ) { try $0.copy("Guests.sqlite", "Kitchen.sqlite") },
    .init(
      "nothing to go on with",
      .nothingToResume,
      64,
      [],
      ["copy"] + into + ["--append", "--commit", "batch", "--resume"]
    ) {
      try $0.copy("Guests.sqlite", "Kitchen.sqlite") {
        ($0.appends, $0.commit, $0.leftOver) = (true, .batch, .resume)
      }
    },
    .init("a kind that there is not", .unsupportedKind, 64, [], ["copy", "Kitchen.sqlite", "mongodb:out"]) {
      try Copy(from: $0.path("Kitchen.sqlite"), to: "mongodb:out", options: CopyOptions()).run()
    },
  ]

  static let files: [ErrorSituation] = [
    .init(
      "no store",
      .storeNotFound,
      10,
      [.chooseAnotherPlace],
      ["copy", "None.sqlite", "out.sqlite"]
    ) { try $0.copy("None.sqlite", "out.sqlite") },
    .init(
      "no folder",
      .folderNotFound,
      10,
      { [.makeFolder($0.path("none")), .chooseAnotherPlace] },
      nil
    ) { try $0.copy("Kitchen.sqlite", "none/out.sqlite") },
    .init(
      "no database",
      .notADatabase,
      13,
      [.chooseAnotherPlace, .restoreBackup(nil)],
      ["copy", "text.sqlite", "out.sqlite"],
      prepare: {
        let text = String(repeating: "no database at all\n", count: 400)
        try Data(text.utf8).write(to: URL(filePath: $0.path("text.sqlite")))
      }
    ) { try $0.copy("text.sqlite", "out.sqlite") },
    .init(
      "an empty file",
      .emptyFile,
      13,
      [.chooseAnotherPlace, .restoreBackup(nil)],
      ["copy", "empty.sqlite", "out.sqlite"],
      prepare: { try Data().write(to: URL(filePath: $0.path("empty.sqlite"))) }
    ) { try $0.copy("empty.sqlite", "out.sqlite") },
    .init(
      "a store that is cut off",
      .damaged,
      13,
      [.restoreBackup(nil)],
      ["copy"] + out,
      prepare: { scene in
        let file = try FileHandle(forWritingTo: URL(filePath: scene.path("Kitchen.sqlite")))
        try file.truncate(atOffset: 20_000)
      }
    ) { try $0.copy("Kitchen.sqlite", "out.sqlite") },
    .init(
      "a folder in the place of a store",
      .notAStore,
      13,
      [.chooseAnotherPlace],
      ["verify", "Kitchen.sqlite", "folder.sqlite"],
      prepare: {
        try FileManager.default.createDirectory(atPath: $0.path("folder.sqlite"), withIntermediateDirectories: false)
      }
    ) {
      try Verify($0.path("Kitchen.sqlite"), against: $0.path("folder.sqlite")).run()
    },
    .init(
      "a store without its model",
      .modelMissing,
      12,
      [.nameModel],
      ["copy"] + into + ["--append"],
      prepare: { try $0.sql("Kitchen.sqlite", "DELETE FROM Z_MODELCACHE") }
    ) { try $0.copy("Guests.sqlite", "Kitchen.sqlite") { $0.appends = true } },
    .init(
      "models that differ",
      .modelsDiffer,
      12,
      [.nameModel, .giveMapping],
      ["copy", "Kitchen.sqlite", "Guests.sqlite", "--append"],
      prepare: { try $0.sql("Guests.sqlite", "ALTER TABLE ZTAG DROP COLUMN ZCOLOR") }
    ) { try $0.copy("Kitchen.sqlite", "Guests.sqlite") { $0.appends = true } },
    .init("no backup", .noBackup, 1, [], ["rollback", "Kitchen.sqlite"]) {
      try Rollback($0.path("Kitchen.sqlite")).run()
    },
    .init(
      "a store that CloudKit mirrors",
      .mirroredStore,
      1,
      [.chooseAnotherPlace, .setOption(.force, nil)],
      ["copy", "Guests.sqlite", "SyncMetadata.sqlite", "--append"]
    ) { try $0.copy("Guests.sqlite", "SyncMetadata.sqlite") { $0.appends = true } },
    .init(
      "a store that somebody writes to",
      .storeLocked,
      11,
      {
        let sqlite3 = DecantError.Holder(process: $0.holder?.number ?? 0, name: "sqlite3")
        return [.closeOtherProgram([sqlite3]), .runAgain]
      },
      ["copy"] + into + ["--append"],
      prepare: { $0.holder = try LockHolder($0.path("Kitchen.sqlite")) }
    ) { try $0.copy("Guests.sqlite", "Kitchen.sqlite") { $0.appends = true } },
    .init(
      "an interrupted copy of a source that has changed",
      .resumeMismatch,
      1,
      [.startOver],
      ["copy"] + out + ["--where", "Recipe: 1", "--batch-size", "5", "--resume"],
      prepare: { scene in
        try? scene.copy("Kitchen.sqlite", "out.sqlite") { $0.cancel() }
        try scene.sql("Kitchen.sqlite", "CREATE TABLE other (a)")
      }
    ) {
      try $0.copy("Kitchen.sqlite", "out.sqlite") {
        ($0.filters, $0.batchSize, $0.leftOver) = ([.everything], 5, .resume)
      }
    },
  ]

  static let work: [ErrorSituation] = [
    .init(
      "a key that refuses rows",
      .constraintViolated,
      1,
      [.setOption(.onError, "reject"), .setOption(.where, nil), .setOption(.root, nil)],
      ["copy"] + into + ["--append"],
      prepare: { try $0.sql("Kitchen.sqlite", "CREATE UNIQUE INDEX one ON ZTAG (ZNAME)") }
    ) { try $0.copy("Guests.sqlite", "Kitchen.sqlite") { $0.appends = true } },
    .init(
      "more rejects than may be",
      .limitExceeded,
      1,
      [.setOption(.where, nil), .setOption(.maxRejects, nil)],
      ["copy"] + into + ["--append", "--on-error", "reject", "--max-rejects", "0"],
      prepare: { try $0.sql("Kitchen.sqlite", "CREATE UNIQUE INDEX one ON ZTAG (ZNAME)") }
    ) {
      try $0.copy("Guests.sqlite", "Kitchen.sqlite") {
        ($0.appends, $0.onError, $0.rejectLimit) = (true, .reject, 0)
      }
    },
    .init("a disk that writes another letter", .proofFailed, 1, [.report], nil) { scene in
      var wasIndexed = false
      try Copy(from: scene.path("Kitchen.sqlite"), to: scene.path("out.sqlite")).run { event in
        if case .working(.began(.index), _) = event { wasIndexed = true }
        guard case .working(.began(.check), _) = event, wasIndexed else { return }
        // Below SQLite, whose locks therefore keep nobody out.
        let file = URL(filePath: scene.path("out.sqlite.decant-partial"))
        guard let bytes = try? Data(contentsOf: file),
          let place = bytes.range(of: Data("Carrot and Ginger Soup".utf8)),
          let handle = try? FileHandle(forUpdating: file)
        else { return }
        try? handle.seek(toOffset: UInt64(place.lowerBound))
        try? handle.write(contentsOf: Data("Parrot".utf8))
        try? handle.close()
      }
    },
    .init("a stop that can be resumed", .interrupted, 130, [.resume], nil) {
      try $0.copy("Kitchen.sqlite", "out.sqlite") { $0.cancel() }
    },
    .init("a stop that leaves nothing", .interrupted, 130, [.runAgain], nil) {
      try $0.copy("Guests.sqlite", "Kitchen.sqlite", appends: true) { $0.cancel() }
    },
    .init("a store that is moved away", .fileChanged, 1, [.runAgain], nil) { scene in
      try scene.copy("Guests.sqlite", "Kitchen.sqlite", appends: true) { _ in
        try FileManager.default.moveItem(atPath: scene.path("Kitchen.sqlite"), toPath: scene.path("Moved.sqlite"))
      }
    },
    .init(
      "a folder that vanishes",
      .folderVanished,
      1,
      { [.makeFolder($0.path("new")), .runAgain] },
      nil,
      prepare: {
        try FileManager.default.createDirectory(atPath: $0.path("new"), withIntermediateDirectories: false)
      }
    ) { scene in
      try scene.copy("Kitchen.sqlite", "new/out.sqlite") { _ in
        try FileManager.default.removeItem(atPath: scene.path("new"))
      }
    },
  ]

  /// What needs the right to mount.
  static let disks: [ErrorSituation] = [
    .init(
      "a disk without room",
      .diskFull,
      1,
      {
        // A copy of the pages needs the size of the store, and the disk is empty.
        let size = Kitchens.bytes(of: $0.path("Kitchen.sqlite"))?.count ?? 0
        return [.freeSpace(byteCount: Int64(size - 100 * 1024)), .runAgain]
      },
      ["copy", "Kitchen.sqlite", "disk/out.sqlite"],
      prepare: { try $0.mount(kilobytes: 100) }
    ) { try $0.copy("Kitchen.sqlite", "disk/out.sqlite") },
    .init(
      "a disk that cannot be written",
      .accessDenied,
      1,
      [.grantAccess, .chooseAnotherPlace],
      ["copy", "Kitchen.sqlite", "disk/out.sqlite"],
      prepare: { try $0.mount(readOnly: "full") }
    ) { try $0.copy("Kitchen.sqlite", "disk/out.sqlite") },
  ]
}

extension ErrorScene {
  fileprivate func mount(kilobytes: Int) throws {
    disk = try SmallDisk(at: folder("disk"), kilobytes: kilobytes)
  }

  fileprivate func mount(readOnly name: String) throws {
    disk = try SmallDisk(at: folder("disk"), readOnly: folder(name))
  }

  private func folder(_ name: String) throws -> URL {
    let url = URL(filePath: path(name))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    return url
  }
}
