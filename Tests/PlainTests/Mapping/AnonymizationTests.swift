import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// `anonymize`: values that nobody recognises.
@Suite struct AnonymizationTests {
  private let old = """
    CREATE TABLE Person (id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE, born REAL, face BLOB, age INTEGER);
    CREATE TABLE Note (id INTEGER PRIMARY KEY, author TEXT, mail TEXT);
    INSERT INTO Person VALUES (1, 'Ann', 'a@x.org', 1.5, x'0102', 40), (2, 'Bo', 'b@x.org', NULL, NULL, NULL),
      (3, 'Ann', NULL, 2, x'', 3);
    INSERT INTO Note VALUES (1, 'Ann', 'b@x.org'), (2, 'Cy', NULL)
    """

  @Test func `equal values become equal ones, in every entity, and others each run`() throws {
    let databases = try MappedDatabases(old)
    let mapping = """
      entities:
        Person: { anonymize: { name: hash, mail: hash, born: redact, face: redact, age: redact } }
        Note: { anonymize: { author: hash, mail: redact } }
      """
    for new in ["new.db", "other.db"] {
      #expect(try databases.copy(mapping, to: new).isVerified)
      #expect(
        try databases.rows("SELECT id, born, face, age FROM Person", of: new)
          == ["1,0,X'',0", "2,NULL,NULL,NULL", "3,0,X'',0"]
          || databases.rows("SELECT id, born, face, age FROM Person", of: new)
            == ["1,0.0,X'',0", "2,NULL,NULL,NULL", "3,0.0,X'',0"]
      )
      #expect(try databases.rows("SELECT mail FROM Note", of: new) == ["'redacted'", "NULL"])
      #expect(
        try databases.rows(
          """
          SELECT count(*), count(DISTINCT name), count(DISTINCT mail), min(length(name)), max(length(mail)),
            (SELECT author = (SELECT name FROM Person WHERE id = 3) FROM Note WHERE id = 1),
            (SELECT count(*) FROM Note WHERE author IN (SELECT name FROM Person)),
            sum(name GLOB '*[^0-9a-f]*') FROM Person
          """,
          of: new
        ) == ["3,2,2,64,64,1,1,0"]
      )
    }
    let names = try ["new.db", "other.db"].map {
      try databases.rows("SELECT name FROM Person WHERE id = 1", of: $0)
    }
    #expect(names[0] != names[1])
    // No digest that could be tried: SHA-256 of Ann, by sha256sum.
    #expect(!names.contains(["'17239b6e250110330eda64a29c610bf146f89883371fab093feda03bec61b646'"]))
    for new in ["new.db", "other.db"] {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: databases.place.path(new)))
      #expect(bytes.range(of: Data("a@x.org".utf8)) == nil)
    }
  }

  @Test(arguments: [
    ("Person: { anonymize: { ‸age: hash } }", "only text and UUIDs can be hashed", "age: redact"),
    ("Person: { anonymize: { ‸mail: redact } }", "identifies objects", "mail: hash"),
    ("Person: { identity: [name], anonymize: { ‸name: redact } }", "identifies objects", "hash"),
    ("Person: { anonymize: { ‸nam: hash } }", "has no attribute nam", "did you mean name?"),
    ("Person: { generate: { name: uuid4 }, anonymize: { ‸name: hash } }", "is generated", "remove it"),
  ])
  func `what cannot be anonymized is named with its place`(_ rule: String, _ message: String, _ remedy: String) throws {
    let text = "entities:\n  \(rule)"
    let column = try #require(rule.firstIndex(of: "‸"))
    let databases = try MappedDatabases(old)
    let error = try #require(throws: DecantError.self) {
      try databases.copy(text.replacingOccurrences(of: "‸", with: ""))
    }
    #expect(error.family == .usage && error.message.contains(message), "\(error)")
    #expect(error.place == "map.yaml:2:\(rule.distance(from: rule.startIndex, to: column) + 3)")
    #expect(error.remedy?.contains(remedy) == true, "\(error)")
  }

  @Test func `what tells objects apart can be hashed where nothing is there yet`() throws {
    let databases = try MappedDatabases.kitchen()
    let mapping = "entities: { Recipe: { identity: [uuid], anonymize: { uuid: hash } } }"
    let report = try databases.copy(mapping, from: "Kitchen.sqlite", to: "o.sqlite")
    #expect(report.isVerified && report["Recipe"]?.copied == report["Recipe"]?.source)
    let both = "SELECT count(*) FROM k.ZRECIPE JOIN ZRECIPE USING (ZUUID)"
    let store = databases.place.path("Kitchen.sqlite")
    #expect(try databases.rows("ATTACH '\(store)' AS k; \(both)", of: "o.sqlite") == ["0"])
    // The next copy would hash otherwise, and find none of them.
    let error = #expect(throws: DecantError.self) {
      try databases.copy(mapping, from: "Kitchen.sqlite", to: "o.sqlite") {
        $0.merge = MergeRules()
      }
    }
    #expect(error?.message.contains("would get a different hash in each run") == true)
  }

  @Test func `nothing goes on with hashes of another key`() throws {
    let databases = try MappedDatabases(old)
    let mapping = "entities: { Person: { anonymize: { name: hash } } }"
    let changes: [(inout CopyOptions) -> Void] = [
      { $0.leftOver = .resume }, { $0.commit = .batch },
    ]
    for change in changes {
      let error = try #require(throws: DecantError.self) { try databases.copy(mapping, change) }
      #expect(error.family == .usage && error.place == "map.yaml:1:36", "\(error)")
    }
    try databases.copy("entities: { Person: { anonymize: { name: redact } } }") {
      $0.leftOver = .resume
    }
    #expect(try databases.rows("SELECT DISTINCT name FROM Person") == ["'redacted'"])
  }

  @Test func `a number in a column of texts is not hashed by mistake`() throws {
    let databases = try MappedDatabases(
      "CREATE TABLE Person (id INTEGER PRIMARY KEY, name); INSERT INTO Person VALUES (1, 7)"
    )
    let error = try #require(throws: DecantError.self) {
      try databases.copy("entities: { Person: { anonymize: { name: hash } } }")
    }
    #expect("\(error)".contains("Person.name"), "\(error)")
  }

  @Test(.enabled(if: Fixtures.areAvailable)) func `a store of Core Data keeps its types`() throws {
    let folder = try TemporaryFolder()
    let source = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite").path
    let copy = folder.path("new.sqlite")
    var options = CopyOptions()
    options.mapping = try Mapping(
      text: """
        entities:
          Recipe:
            anonymize: { author: hash, uuid: hash, subtitle: redact, rating: redact, price: redact, createdAt: redact }
        """,
      place: "m"
    )
    #expect(try Copy(from: source, to: copy, options: options).run().isVerified)
    let shape = """
      SELECT count(*), count(DISTINCT ZAUTHOR), count(ZAUTHOR), count(DISTINCT ZUUID), count(ZSUBTITLE), count(ZPRICE),
        count(ZRATING), count(ZCREATEDAT) FROM ZRECIPE
      """
    let there = try Program.sqlite3(source, shape)
    #expect(
      try Program.sqlite3(copy, shape).split(separator: "|").first
        == there.split(separator: "|").first
    )
    #expect(
      try Program.sqlite3(copy, shape).split(separator: "|").prefix(7)
        == there.split(separator: "|").prefix(7)
    )
    let kept = try Program.sqlite3(
      copy,
      """
      SELECT DISTINCT length(ZUUID), substr(hex(ZUUID), 13, 1), coalesce(ZSUBTITLE, 'redacted'), coalesce(ZRATING, 0) + 0,
        coalesce(ZPRICE, 0) + 0, coalesce(ZCREATEDAT, 0) + 0 FROM ZRECIPE
      """
    )
    #expect(
      kept.trimmingCharacters(in: .whitespacesAndNewlines) == "16|4|redacted|0.0|0|0.0"
        || kept.hasPrefix("16|4|redacted|0"),
      "\(kept)"
    )
    #expect(kept.split(separator: "\n").count == 1, "\(kept)")
  }
}
