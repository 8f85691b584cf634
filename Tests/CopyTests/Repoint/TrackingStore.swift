import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A store of SyncKit's model, made by decant from the model's source, and an app's stores beside it.
struct TrackingStore {
  let kitchens: Kitchens
  let path: String
  /// The model of the tracking store, which it does not hold.
  let model: String

  /// A tracked object, as SyncKit keeps it.
  struct Row {
    var key: Int
    var type: String?
    var identifier: String?
    var origin: String?

    init(_ key: Int, _ type: String?, _ origin: String?, identifier: String? = nil) {
      self.key = key
      self.type = type
      self.origin = origin
      self.identifier = identifier ?? "\(type ?? "").\(key)"
    }
  }

  init(_ rows: [Row], version: String = "#QSCloudKitSyncModel 3") throws {
    kitchens = try Kitchens()
    path = kitchens.folder.path("Tracking.sqlite")
    let models = try #require(Fixtures.stores).appendingPathComponent("models/synckit")
    model = models.appendingPathComponent("QSCloudKitSyncModel.xcdatamodeld").path + version
    let plain = kitchens.folder.path("tracking.db")
    func text(_ value: String?) -> String {
      value.map { "'" + $0.replacing("'", with: "''") + "'" } ?? "NULL"
    }
    let values = rows.map {
      "(\($0.key), \(text($0.type)), \(text($0.identifier)), \(text($0.origin)), 1)"
    }
    _ = try Program.sqlite3(
      plain,
      """
      CREATE TABLE QSSyncedEntity (id INTEGER PRIMARY KEY, changedKeys TEXT, entityType TEXT,
        identifier TEXT, originObjectID TEXT, state INTEGER, updatedDate DATETIME, record_id INTEGER,
        share_id INTEGER, shareForEntity_id INTEGER);
      CREATE TABLE QSPendingRelationship (id INTEGER PRIMARY KEY, relationshipName TEXT,
        targetIdentifier TEXT, forEntity_id INTEGER);
      CREATE TABLE QSRecord (id INTEGER PRIMARY KEY, encodedRecord BLOB, forEntity_id INTEGER);
      CREATE TABLE QSServerToken (id INTEGER PRIMARY KEY, token BLOB);
      INSERT INTO QSSyncedEntity (id, entityType, identifier, originObjectID, state)
      VALUES \(values.joined(separator: ", "))
      """
    )
    var options = CopyOptions()
    options.template = model
    options.isUnversioned = true
    try Copy(from: plain, to: path, options: options).run()
  }

  /// The identifier of the store at `path`, as the sqlite3 program reads it.
  static func uuid(of path: String) throws -> String {
    try Program.sqlite3(path, "SELECT Z_UUID FROM Z_METADATA")
  }

  /// A re-pointing of the references, which stand in the attribute that SyncKit keeps them in.
  func repoint(_ configure: (inout Repoint) -> Void) throws -> RepointReport {
    var repoint = Repoint(path, at: [ReferencePlace(Property("QSSyncedEntity", "originObjectID"))])
    repoint.models = [model]
    configure(&repoint)
    return try repoint.run()
  }

  /// Key, counter of changes, identifier and reference of every row, as the sqlite3 program reads them.
  func rows() throws -> [String] {
    try Program.sqlite3(
      path,
      """
      SELECT Z_PK, Z_OPT, coalesce(ZIDENTIFIER, '-'), coalesce(ZORIGINOBJECTID, '-')
      FROM ZQSSYNCEDENTITY ORDER BY Z_PK
      """
    ).split(separator: "\n").map(String.init)
  }

  /// Every row of every other table, and what rows hold besides.
  func rest() throws -> [String] {
    try ["ZQSRECORD", "ZQSPENDINGRELATIONSHIP", "ZQSSERVERTOKEN", "Z_PRIMARYKEY", "Z_METADATA"]
      .flatMap { try StoredRows.of(path, $0) }
      + StoredRows.of(path, "ZQSSYNCEDENTITY", without: ["Z_OPT", "ZIDENTIFIER", "ZORIGINOBJECTID"])
  }
}

extension RepointReport.Place {
  /// The counts of the kept references by reason.
  var keptCounts: [RepointReport.Reason: Int64] {
    Dictionary(kept.map { ($0.reason, $0.count) }) { $0 + $1 }
  }
}
