import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// References become the identities of objects that nobody copied.
@Suite(.enabled(if: Fixtures.areAvailable)) struct RepointIdentityTests {
  /// An app's store of a model of SyncKit's examples, made by decant: companies 1 to 4 and employees.
  private static func app(
    _ model: String,
    companies: String,
    in folder: TemporaryFolder,
    suffix: String
  ) throws -> (path: String, model: String) {
    let models = try #require(Fixtures.stores).appendingPathComponent("models/synckit")
    let plain = folder.path("app.db")
    _ = try Program.sqlite3(
      plain,
      """
      CREATE TABLE QSCompany\(suffix) (id INTEGER PRIMARY KEY, identifier, name TEXT, sortIndex INTEGER);
      CREATE TABLE QSEmployee\(suffix) (id INTEGER PRIMARY KEY, identifier, name TEXT, photo BLOB,
        sortIndex INTEGER, company_id INTEGER REFERENCES QSCompany\(suffix)(id));
      INSERT INTO QSCompany\(suffix) (id, identifier) VALUES \(companies)
      """
    )
    var options = CopyOptions()
    options.template = models.appendingPathComponent("\(model).xcdatamodeld").path
    options.isUnversioned = true
    let path = folder.path("App.sqlite")
    try Copy(from: plain, to: path, options: options).run()
    return (path, options.template ?? "")
  }

  /// What each kind of key becomes as text, known from what was written into the store by hand.
  @Test(arguments: [
    ("IntPrimaryKeyModel", "_Int", "(3, 70), (7, -12)", "70", "-12"),
    (
      "UUIDPrimaryKeyModel", "_UUID",
      "(3, '0a1b2c3d-4e5f-4061-8293-a4b5c6d7e8f9'), (7, 'ffffffff-4e5f-4061-8293-a4b5c6d7e8f9')",
      "0A1B2C3D-4E5F-4061-8293-A4B5C6D7E8F9", "FFFFFFFF-4E5F-4061-8293-A4B5C6D7E8F9"
    ),
    ("QSExample", "", "(3, 'it''s ünique'), (7, 'b')", "it's ünique", "b"),
  ])
  func `the URI becomes the value of the object's key`(
    _ model: String,
    _ suffix: String,
    _ companies: String,
    _ first: String,
    _ second: String
  ) throws {
    let type = "QSCompany\(suffix)"
    let made = try TemporaryFolder()
    let app = try Self.app(model, companies: companies, in: made, suffix: suffix)
    let uuid = try TrackingStore.uuid(of: app.path)
    let store = try TrackingStore([
      .init(1, type, "x-coredata://\(uuid)/\(type)/p3"),
      .init(2, type, "x-coredata://\(uuid)/\(type)/p7"),
      .init(3, type, "x-coredata://\(uuid)/\(type)/p4"),
      .init(4, nil, nil),
    ])
    let rest = try store.rest()
    let appBytes = Kitchens.bytes(of: app.path)
    func run() throws -> RepointReport {
      try store.repoint {
        $0.lead(to: app.path)
        $0.isToIdentity = true
        $0.models.append(app.model)
        $0.identities = suffix.isEmpty ? [type: "identifier"] : [:]
        $0.sets = [
          SetRule(attribute: "identifier", expression: "entityType || '.' || originObjectID")
        ]
      }
    }
    let report = try run()
    #expect(report.isVerified && report.objectCount == 2)
    #expect(report.places[0].count == 3 && report.places[0].changedCount == 2)
    #expect(report.places[0].keptCounts == [.noObject: 1])
    let rows = try store.rows()
    #expect(
      rows == [
        "1|2|\(type).\(first)|\(first)", "2|2|\(type).\(second)|\(second)",
        "3|1|\(type).3|x-coredata://\(uuid)/\(type)/p4", "4|1|.4|-",
      ]
    )
    #expect(try store.rest() == rest)
    #expect(Kitchens.bytes(of: app.path) == appBytes)
    // Once more: what leads there already is counted as such, and the file is not touched.
    let bytes = Kitchens.bytes(of: store.path)
    let again = try run()
    #expect(again.places[0].settledCount == 2 && again.places[0].changedCount == 0)
    #expect(again.places[0].keptCounts == [.noObject: 1])
    #expect(again.objectCount == 0 && !again.isVerified)
    #expect(Kitchens.bytes(of: store.path) == bytes)
  }

  @Test func `every reference that leads nowhere is kept, and counted by its kind`() throws {
    let folder = try TemporaryFolder()
    let app = try Self.app(
      "QSExample",
      companies: "(1, 'a'), (2, NULL), (3, ''), (4, 'same'), (5, 'same')",
      in: folder,
      suffix: ""
    )
    let uuid = try TrackingStore.uuid(of: app.path)
    let uri = "x-coredata://\(uuid)/QSCompany"
    let origins = [
      "\(uri)/p1", "\(uri)/p2", "\(uri)/p3", "\(uri)/p4", "\(uri)/p5", "\(uri)/p6",
      "x-coredata://\(uuid)/QSNobody/p1", "x-coredata://\(uuid)/QSEmployee/p1",
      "x-coredata://6C26DC6C-0B05-88B6-90FF-53F5E4AE0BF2/QSCompany/p1",
      "x-coredata:///QSCompany/t2C5E0B2A-0000-4000-8000-00000000000115", "\(uri)/p01", "\(uri)/p1/",
      "nonsense", "a", "\(uri)/p99999999999999999999",
    ]
    let store = try TrackingStore(origins.enumerated().map { .init($0 + 1, "QSCompany", $1) })
    let before = try store.rows()
    let report = try store.repoint {
      $0.lead(to: app.path)
      $0.models.append(app.model)
      $0.identities = ["QSCompany": "identifier", "QSEmployee": "identifier"]
    }
    let place = report.places[0]
    #expect(place.count == 15 && place.changedCount == 1 && place.settledCount == 1)
    #expect(
      place.keptCounts == [
        .noIdentity: 2, .ambiguous: 2, .noObject: 2, .unknownEntity: 1, .otherStore: 1,
        .temporary: 1, .noReference: 4,
      ]
    )
    #expect(place.count == place.changedCount + place.settledCount + place.keptCount)
    #expect(place.kept.first { $0.reason == .noReference }?.examples.map(\.key) == [11, 12, 13, 15])
    let after = try store.rows()
    #expect(after[0] == "1|2|QSCompany.1|a")
    #expect(after.dropFirst() == before.dropFirst())
  }

  @Test func `without an attribute that tells objects apart nothing is changed`() throws {
    let folder = try TemporaryFolder()
    let app = try Self.app("QSExample", companies: "(1, 'a')", in: folder, suffix: "")
    let uuid = try TrackingStore.uuid(of: app.path)
    let store = try TrackingStore([.init(1, "QSCompany", "x-coredata://\(uuid)/QSCompany/p1")])
    let bytes = Kitchens.bytes(of: store.path)
    let error = try failure {
      _ = try store.repoint {
        $0.lead(to: app.path)
        $0.models.append(app.model)
      }
    }
    #expect(error.family == .usage)
    #expect(error.advice?.commandLine == "choose the attribute: --identity 'QSCompany: identifier'")
    #expect(Kitchens.bytes(of: store.path) == bytes)
  }
}
