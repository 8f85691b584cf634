import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// What cannot be done is said, and leaves everything as it was.
@Suite struct RepointRefusalTests {
  let kitchens: Kitchens
  private var notes: String { kitchens.folder.path("notes.db") }
  private var ids: String { kitchens.folder.path("ids.sqlite") }

  init() throws {
    kitchens = try Kitchens()
    try kitchens.copy(kitchens.guests, to: kitchens.kitchen) {
      $0.appends = true
      $0.idTableFile = ids
    }
    let guests = try TrackingStore.uuid(of: kitchens.guests)
    _ = try Program.sqlite3(
      notes,
      """
      CREATE TABLE tag (id INTEGER PRIMARY KEY);
      CREATE TABLE note (id INTEGER PRIMARY KEY, uri TEXT, tag_id INTEGER REFERENCES tag(id), title TEXT,
        twice TEXT GENERATED ALWAYS AS (title || title));
      CREATE TABLE word (text TEXT PRIMARY KEY, uri TEXT) WITHOUT ROWID;
      INSERT INTO note (uri) VALUES ('x-coredata://\(guests)/Recipe/p1'),
        ('x-coredata://\(guests)/Recipe/p2')
      """
    )
  }

  private func fails(
    at place: String = "note.uri",
    to target: ReferencePlace.Target? = nil,
    _ configure: (inout Repoint) -> Void = { _ in },
    location: SourceLocation = #_sourceLocation
  ) throws -> DecantError {
    let before = Kitchens.bytes(of: notes)
    let names = try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path)
    let parts = place.split(separator: ".").map(String.init)
    var repoint = Repoint(notes, at: [ReferencePlace(Property(parts[0], parts[1]), to: target)])
    repoint.idTableFile = ids
    configure(&repoint)
    let error = try failure { _ = try repoint.run() }
    #expect(Kitchens.bytes(of: notes) == before, sourceLocation: location)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: kitchens.folder.url.path).sorted()
        == names.sorted(),
      sourceLocation: location
    )
    return error
  }

  @Test(arguments: [
    ("nte.uri", "has no entity nte", "did you mean note?"),
    ("note.urii", "note has no attribute urii", "did you mean uri?"),
    ("note.id", "note.id is the key of note itself", "its own key"),
    ("note.tag_id", "note.tag_id is a relationship", "references to another store"),
    ("note.twice", "note.twice is computed", "holds the references themselves"),
    ("word.uri", "the rows of word have no integer key", "an integer key"),
  ])
  func `what can hold no references is refused`(place: String, message: String, remedy: String) throws {
    let error = try fails(at: place)
    #expect(error.family == .usage)
    #expect(error.message.contains(message), "\(error)")
    #expect(error.remedy?.contains(remedy) == true, "\(error)")
  }

  @Test func `attributes of an app's store that hold no references are refused`() throws {
    var repoint = Repoint(kitchens.kitchen, at: [ReferencePlace(Property("Recipe", "servings"))])
    repoint.idTableFile = ids
    let number = try failure { _ = try repoint.run() }
    #expect(number.message.contains("the entity of these keys is unknown"))
    repoint.places = [ReferencePlace(Property("Recipe", "createdAt"))]
    let date = try failure { _ = try repoint.run() }
    #expect(date.message == "Recipe.createdAt is of type date, which holds no references")
    repoint.places = [ReferencePlace(Property("Recipe", "category"))]
    #expect(try failure { _ = try repoint.run() }.message.contains("is a relationship"))
    #expect([number, date].allSatisfy { $0.family == .usage })
  }

  @Test(arguments: [
    (SetRule(attribute: "titel", expression: "1"), "note has no attribute titel"),
    (SetRule(attribute: "title", expression: "nonsense"), "no such column: nonsense"),
    (SetRule(attribute: "title", expression: "1) OR (1"), "cannot use the expression"),
    (SetRule(attribute: "title", expression: "load_extension('x')"), "cannot use the expression"),
    (SetRule(attribute: "uri", expression: "'a'"), "uri is given in “at”"),
    (SetRule(attribute: "tag_id", expression: "1"), "note.tag_id is a relationship"),
    (SetRule(entity: "word", attribute: "uri", expression: "1"), "no references of word"),
  ])
  func `a rule that makes no sense is refused`(rule: SetRule, message: String) throws {
    let error = try fails { $0.sets = [rule] }
    #expect(error.family == .usage)
    #expect(error.message.contains(message), "\(error)")
  }

  @Test func `a file that is no ID table is refused, or that is not there`() throws {
    let missing = try fails { $0.idTableFile = kitchens.folder.path("none.sqlite") }
    #expect(missing.family == .storeNotFound)
    #expect(missing.message.contains("there is no ID table at"))
    let other = try fails { $0.idTableFile = kitchens.guests }
    #expect(other.family == .corruptStore)
    #expect(other.message.contains("as an ID table: "))
    let text = kitchens.folder.path("text.sqlite")
    try Data("this is no database, but a text of some length".utf8).write(to: URL(fileURLWithPath: text))
    #expect(try fails { $0.idTableFile = text }.family == .corruptStore)
    #expect(try fails { $0.idTableFile = kitchens.folder.url.path }.family == .corruptStore)
  }

  @Test(arguments: [
    "UPDATE ids SET count = -1 WHERE entity = 'Recipe'",
    "UPDATE ids SET count = 9223372036854775807",
    "UPDATE ids SET source = x'00' WHERE entity = 'Recipe'",
    "INSERT INTO ids SELECT * FROM ids", "DROP TABLE about",
    "UPDATE ids SET count = 'many' WHERE entity = 'Recipe'",
  ])
  func `a table that no copy writes is refused`(damage: String) throws {
    _ = try Program.sqlite3(ids, damage)
    let error = try fails()
    #expect(error.family == .corruptStore, "\(error)")
    #expect(error.message.contains("cannot read “\(ids)” as an ID table"), "\(error)")
  }

  @Test func `a damaged page of the table is found`() throws {
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: ids))
    try file.seek(toOffset: 4_096 + 3)
    try file.write(contentsOf: Data(repeating: 0xfe, count: 60))
    try file.close()
    #expect(try fails().family == .corruptStore)
  }

  @Test func `the table of another copy is refused`() throws {
    let error = try fails { $0.lead(to: kitchens.guests) }
    #expect(error.family == .usage)
    #expect(error.message.contains("is the ID table of a different copy"))
  }

  @Test func `where old and new references look the same nothing is changed`() throws {
    _ = try Program.sqlite3(
      ids,
      """
      UPDATE about SET value = (SELECT value FROM about WHERE key = 'source.uuid')
      WHERE key = 'destination.uuid'
      """
    )
    let error = try fails()
    #expect(error.family == .usage)
    #expect(error.message.contains("old references cannot be distinguished from new ones"))
    // Where every key stayed, they lead where they led.
    _ = try Program.sqlite3(ids, "UPDATE ids SET destination = source")
    var repoint = Repoint(notes, at: [ReferencePlace(Property("note", "uri"))])
    repoint.idTableFile = ids
    #expect(try repoint.run().places[0].settledCount == 2)
  }

  @Test func `references cannot name objects of a store without identifier`() throws {
    _ = try Program.sqlite3(ids, "UPDATE about SET value = '' WHERE key = 'destination.uuid'")
    let error = try fails()
    #expect(error.family == .usage)
    #expect(error.advice?.commandLine == "convert them to identities: --to-identity --store STORE")
  }

  @Test func `a store in use is refused, and nothing lies beside it afterwards`() throws {
    let holder = try LockHolder(notes)
    let error = try fails { $0.keepsBackup = true }
    holder.release()
    #expect(error.family == .storeBusy)
    #expect(error.message.contains("is in use by another process"))
  }

  @Test func `one that is asked to stop leaves the store as it was`() throws {
    let before = Kitchens.bytes(of: notes)
    var repoint = Repoint(notes, at: [ReferencePlace(Property("note", "uri"))])
    repoint.idTableFile = ids
    repoint.batchSize = 1
    repoint.keepsBackup = true
    for phase in [Phase.resolve, .copy, .check] {
      let cancellation = Cancellation()
      let error = try failure {
        _ = try repoint.run(cancellation: cancellation) { event in
          if case .working(.began(phase), _) = event { cancellation.cancel() }
        }
      }
      #expect(error.family == .interrupted)
      #expect(Kitchens.bytes(of: notes) == before)
      #expect(!FileManager.default.fileExists(atPath: notes + ".backup-1"))
    }
  }

  @Test func `what a trigger takes back is found by the proof`() throws {
    _ = try Program.sqlite3(
      notes,
      """
      CREATE TRIGGER t AFTER UPDATE ON note WHEN new.id = 2
      BEGIN UPDATE note SET uri = old.uri WHERE id = 2; END
      """
    )
    let error = try fails()
    #expect(error.family == .failed)
    #expect(error.message.contains("note p2 does not contain the written value"), "\(error)")
  }

  @Test func `an archive is not changed in place`() throws {
    let archive = kitchens.folder.path("a.decant")
    _ = try Export(from: kitchens.guests, to: archive).run()
    var repoint = Repoint(archive, at: [ReferencePlace(Property("Recipe", "title"))])
    repoint.idTableFile = ids
    let error = try failure { _ = try repoint.run() }
    #expect(error.family == .usage)
    #expect(error.message.contains("only those are changed in place"))
  }

  @Test func `a store that CloudKit mirrors is changed only when that is said`() throws {
    var repoint = Repoint(kitchens.syncMetadata, at: [ReferencePlace(Property("Recipe", "sourceURL"))])
    repoint.idTableFile = ids
    let error = try failure { _ = try repoint.run() }
    #expect(error.family == .failed && error.message.contains("is mirrored by CloudKit"))
    repoint.writesMirroredStore = true
    #expect(try repoint.run().changedCount == 0)
  }
}
