import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Mappings into what a copy without one would know: an empty one does the same.
@Suite struct MappedLayoutTests {
  private let databases: MappedDatabases

  init() throws { databases = try MappedDatabases.kitchen() }

  /// Copies the sample store into tables of decant's, `plain.db`.
  private func makePlain() throws {
    let place = databases.place
    _ = try Copy(from: place.path("Kitchen.sqlite"), to: "sqlite:" + place.path("plain.db")).run()
  }

  @Test func `objects in plain tables of decant's are found there`() throws {
    try makePlain()
    let before = try databases.place.dump("plain.db")
    let report = try databases.copy("entities: {}", from: "Kitchen.sqlite", to: "plain.db") {
      $0.merge = MergeRules()
    }
    #expect(report.entities.allSatisfy { $0.copied == 0 && $0.merge?.same == $0.source })
    #expect(try databases.place.dump("plain.db") == before)
    // What is new comes in the same forms.
    try databases.copy(
      "entities: { Recipe: { where: '_id = 3', generate: { uuid: uuid5 }, drop: [uuid] } }",
      from: "Kitchen.sqlite",
      to: "plain.db"
    ) {
      $0.appends = true
      $0.missingDefault = .null
    }
    let forms = "SELECT DISTINCT typeof(uuid), length(uuid), substr(createdAt, -1) FROM Recipe"
    #expect(try databases.rows(forms, of: "plain.db") == ["'text',36,'Z'"])
  }

  @Test func `a foreign key of texts or of several columns leads to the row that it names`() throws {
    try databases.place.make(
      "books.db",
      """
      CREATE TABLE writer (id TEXT PRIMARY KEY, name TEXT);
      CREATE TABLE book (shelf INTEGER, place TEXT, title TEXT, writer TEXT REFERENCES writer (id), PRIMARY KEY (shelf, place));
      CREATE TABLE line (id TEXT PRIMARY KEY, text TEXT, shelf INTEGER, place TEXT, FOREIGN KEY (shelf, place) REFERENCES book (shelf, place));
      INSERT INTO writer VALUES ('w-1', 'Ann'), ('w-2', 'Bob');
      INSERT INTO book VALUES (1, 'b', 'Eggs', 'w-2'), (1, 'a', 'Milk', 'w-1'), (2, 'a', 'Salt', NULL);
      INSERT INTO line VALUES ('x', 'boil', 1, 'b'), ('y', 'heat', 1, 'a');
      """
    )
    let report = try databases.copy(
      """
      entities:
        Category: { from: writer, generate: { uuid: { uuid5: [name] } }, set: { sortIndex: 1 }, drop: [id] }
        Recipe:
          from: book
          generate: { uuid: { uuid5: [title] } }
          set: { category: writer, createdAt: 0, modifiedAt: 0, isFavorite: 0, rating: 0 }
          drop: [shelf, place]
        Step:
          from: line
          generate: { uuid: { uuid5: [text] } }
          set: { recipe: '"book (shelf, place)"' }
          drop: [id, shelf, place]
      contract: { entities: discard }
      """,
      from: "books.db",
      to: "Kitchen.sqlite"
    ) { $0.appends = true }
    #expect(report.links.dangling == 0)
    let rows = """
      SELECT r.ZTITLE, c.ZNAME, s.ZTEXT FROM ZRECIPE r LEFT JOIN ZCATEGORY c ON c.Z_PK = r.ZCATEGORY
      LEFT JOIN ZSTEP s ON s.ZRECIPE = r.Z_PK WHERE r.ZTITLE IN ('Eggs', 'Milk', 'Salt') ORDER BY 1
      """
    #expect(
      try databases.rows(rows, of: "Kitchen.sqlite")
        == ["'Eggs','Bob','boil'", "'Milk','Ann','heat'", "'Salt',NULL,NULL"])
  }

  @Test func `a store that does not hold its model is read with the one that is named`() throws {
    let scene = try VersionScene(
      [
        """
        <entity name="Note"><attribute name="title" optional="YES" attributeType="String"/>
        <uniquenessConstraints><uniquenessConstraint><constraint value="title"/></uniquenessConstraint>
        </uniquenessConstraints></entity>
        """
      ],
      rows: "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (1, 1, 1, 'a'), (2, 1, 1, 'b')"
    )
    let other = scene.folder.path("other.sqlite")
    try FileManager.default.copyItem(atPath: scene.store, toPath: other)
    _ = try Program.sqlite3(scene.store, "UPDATE ZNOTE SET ZTITLE = 'c' WHERE Z_PK = 2")
    var options = CopyOptions()
    options.mapping = try Mapping(text: "entities: {}", place: "map.yaml")
    (options.model, options.merge) = (scene.bundle + "#Pantry", MergeRules())
    let report = try Copy(from: scene.store, to: other, options: options).run()
    #expect(report["Note"]?.copied == 1 && report["Note"]?.merge?.same == 1)
    #expect(try Program.sqlite3(other, "SELECT ZTITLE FROM ZNOTE ORDER BY 1") == "a\nb\nc")
  }

  /// The mapping that is suggested from `file` to a new store after `template`.
  private func suggestion(_ file: String, in databases: MappedDatabases, after template: String) throws -> String {
    var options = CopyOptions()
    options.template = template
    return try MappingSuggestion(
      from: StoreKinds.location(databases.place.path(file)),
      to: StoreKinds.location("coredata:" + databases.place.path("suggested.sqlite")),
      options: options,
      opener: StoreKinds.known
    ).run()
  }

  @Test func `a suggestion for a plain copy of a store runs as printed`() throws {
    try makePlain()
    // A date with a fraction is one as well.
    _ = try Program.sqlite3(
      databases.place.path("plain.db"),
      "UPDATE Recipe SET createdAt = '2020-01-31T08:15:00.5Z' WHERE id = 3"
    )
    let kitchen = databases.place.path("Kitchen.sqlite")
    let text = try suggestion("plain.db", in: databases, after: kitchen)
    let report = try databases.copy(text, from: "plain.db", to: "back.sqlite") {
      $0.template = kitchen
    }
    #expect(report.entities.allSatisfy { $0.copied == $0.source })
    // 2020-01-31 08:15 in seconds since 2001, by Python's datetime.
    #expect(
      try databases.rows("SELECT printf('%.1f', ZCREATEDAT) FROM ZRECIPE WHERE Z_PK = 3", of: "back.sqlite")
        == ["'602151300.5'"]
    )
    for table in ["ZRECIPE", "ZSTEP", "ZIMAGE", "Z_6TAGS"] {
      let count = "SELECT count(*) FROM \(table)"
      #expect(try databases.rows(count, of: "back.sqlite") == databases.rows(count, of: "Kitchen.sqlite"))
    }
  }

  @Test func `dates with fractions are suggested as dates`() throws {
    let plain = try MappedDatabases(
      """
      CREATE TABLE Recipe (id INTEGER PRIMARY KEY, title TEXT, createdAt TEXT);
      INSERT INTO Recipe VALUES (1, 'Soup', '2020-01-31T08:15:00.5Z'), (2, 'Tea', '2020-01-31T08:15:00Z')
      """
    )
    let kitchen = databases.place.path("Kitchen.sqlite")
    let text = try suggestion("old.db", in: plain, after: kitchen)
    try plain.copy(text, to: "new.sqlite") { $0.template = kitchen }
    #expect(
      try plain.rows("SELECT printf('%.1f', ZCREATEDAT) FROM ZRECIPE", of: "new.sqlite")
        == ["'602151300.5'", "'602151300.0'"]
    )
  }
}
