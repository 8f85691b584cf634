import Foundation
import TestSupport

/// Stores that take another one's place, and names that are given at the end, for the order of what reaches the disk.
extension Scenario {
  private static let migrate = "migrate Tags.sqlite --to Tags.xcdatamodeld --unversioned"
  private static let listed =
    "copy Kitchen.sqlite out.sqlite --where Recipe:_1 --keep-ids ids.db --on-error reject --rejects list.jsonl"

  static let replacements = [
    Scenario("migrate", migrate, into: "Tags.sqlite") { folder in
      try putTags(folder)
      // Its rights go over to the new one.
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o600],
        ofItemAtPath: folder.appendingPathComponent("Tags.sqlite").path
      )
    },
    Scenario("migrate with kept keys", migrate + " --keep-ids ids.db", into: "Tags.sqlite", putTags),
    Scenario("migrate a log", migrate, into: "Tags.sqlite") { folder in
      try putTags(folder)
      _ = try Program.sqlite3(folder.appendingPathComponent("Tags.sqlite").path, "PRAGMA journal_mode = wal")
    },
    Scenario("migrate by plain renames", migrate, into: "Tags.sqlite", hasPlainRenames: true, putTags),
    Scenario(
      "migrate to another place",
      migrate + " --place here/Tags.sqlite --remove-old",
      into: "here/Tags.sqlite"
    ) { folder in
      try putTags(folder)
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("here"),
        withIntermediateDirectories: false
      )
    },
    Scenario(
      "files beside by plain renames",
      "copy Kitchen.sqlite Guests.sqlite --append --backup",
      into: "Guests.sqlite",
      hasPlainRenames: true,
      putFiles
    ),
    Scenario(
      "rollback of nothing by plain renames",
      "rollback SyncMetadata.sqlite",
      into: "SyncMetadata.sqlite",
      hasPlainRenames: true
    ) { folder in
      try putCleaned(folder)
      try FileManager.default.removeItem(at: folder.appendingPathComponent("SyncMetadata.sqlite"))
    },
    // Killed when one of two files has the other's name, and lacks its own.
    Scenario("rollback that was cut off", "rollback SyncMetadata.sqlite", into: "SyncMetadata.sqlite") {
      folder in
      try putCleaned(folder)
      var fault = Fault(kind: .rename, number: 3, error: EIO, kills: true)
      fault.hasPlainRenames = true
      try cutOff(["rollback", "SyncMetadata.sqlite"], by: fault, in: folder)
    },
    // Killed when the copy has its name, and its lists do not.
    Scenario("lists of a copy that was cut off", listed, into: "out.sqlite", status: 64) { folder in
      try putKitchens(folder)
      _ = try Program.sqlite3(
        folder.appendingPathComponent("Kitchen.sqlite").path,
        "UPDATE ZTAG SET Z_ENT = 99 WHERE Z_PK = 3"
      )
      let command = listed.split(separator: " ").map { $0.replacingOccurrences(of: "_", with: " ") }
      try cutOff(command, by: Fault(kind: .rename, number: 2, error: EIO, kills: true), in: folder)
    },
  ]

  private static func cutOff(_ command: [String], by fault: Fault, in folder: URL) throws {
    let report = folder.appendingPathComponent("temporary/report").path
    let run = try Program.run(
      [DecantProgram.path] + command,
      in: folder,
      environment: fault.environment(in: folder, report: report)
    )
    guard run.isCrash else { throw Program.Failure(program: "decant", errors: "it was not killed") }
  }

  /// A store of an older version of its model, which has one value in a file.
  @Sendable private static func putTags(_ folder: URL) throws {
    let name = "0A1B2C3D-1111-4222-8333-000000000001"
    let hex = Data(name.utf8).map { String(format: "%02x", $0) }.joined()
    _ = try Program.sqlite3(
      folder.appendingPathComponent("Tags.sqlite").path,
      """
      CREATE TABLE ZTAG (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, ZICON BLOB);
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'Tag', 0, 2);
      INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000004', NULL);
      INSERT INTO ZTAG VALUES (1, 1, 1, 'warm', x'02\(hex)00'), (2, 1, 1, 'cold', NULL)
      """
    )
    let files = folder.appendingPathComponent(".Tags_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
    try Data("icon".utf8).write(to: files.appendingPathComponent(name))
    let entity = """
      <model><entity name="Tag"><attribute name="name" optional="YES" attributeType="String"/>
      <attribute name="icon" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES"/>
      """
    for (version, more) in [
      ("Tags", ""),
      ("Tags 2", #"<attribute name="rank" optional="YES" attributeType="Integer 16"/>"#),
    ] {
      let model = folder.appendingPathComponent("Tags.xcdatamodeld/\(version).xcdatamodel")
      try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
      try Data("\(entity)\(more)</entity></model>".utf8)
        .write(to: model.appendingPathComponent("contents"))
    }
    try PropertyListSerialization.data(
      fromPropertyList: ["_XCCurrentVersionName": "Tags 2.xcdatamodel"],
      format: .xml,
      options: 0
    ).write(to: folder.appendingPathComponent("Tags.xcdatamodeld/.xccurrentversion"))
  }
}
