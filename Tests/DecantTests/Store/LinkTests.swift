import DecantSQLite
import Testing

@testable import DecantBase
@testable import DecantMatch
@testable import DecantStore

/// The links of a store, wherever it keeps them, as SQLite reads them.
@Suite struct LinkTests {
  private let connection: Connection
  private let page = Property("Page", "book")

  /// Pages and covers in one table; a cover has no book, and its row holds what an earlier version left there.
  init() throws {
    connection = try Connection(":memory:", mode: .create)
    try connection.attach(":memory:", as: "source")
    for sql in [
      "CREATE TABLE source.leaf (pk INTEGER PRIMARY KEY, ent, book, place)",
      "INSERT INTO source.leaf VALUES (1, 7, 10, 50), (2, 8, 10, 60), (3, 8, 11, 70), (4, 8, NULL, NULL)",
      "CREATE TABLE source.pair (a, b, a_place, b_place)",
      "INSERT INTO source.pair VALUES (1, 2, 5, 6), (1, 1, 7, 8)",
    ] { try connection.run(sql) }
  }

  private var layout: Layout {
    var leaf = Relation(
      root: "Leaf",
      table: "leaf",
      keyColumn: "pk",
      entityColumn: "ent",
      entities: [.init(name: "Cover", code: 7), .init(name: "Page", code: 8)],
      columns: [
        RelationColumn(name: "book", columnRole: .target(page), onlyIn: [8], targetRoot: "Book"),
        RelationColumn(name: "place", columnRole: .position(page), onlyIn: [8]),
      ]
    )
    leaf.schema = nil
    return Layout(relations: [leaf])
  }

  private func read(_ sql: String) throws -> [String] {
    var rows: [String] = []
    try connection.forEachRow("SELECT owner || ' ' || target || ' ' || position FROM (\(sql)) ORDER BY 1") {
      rows.append($0.text(at: 0) ?? "")
    }
    return rows
  }

  @Test func `a column is a link of the entities that have it`() throws {
    let link = try #require(layout.link(page))
    #expect(try read(link.reversed(as: page).rows(in: "source")) == ["10 2 60", "11 3 70"])
    #expect(layout.link(Property("Book", "pages")) == nil)
    let back = try #require(layout.link(Property("Book", "pages"), inverse: page))
    #expect(back.holder == "Book" && back.target == "Leaf" && back.position == "place")
    #expect(try read(back.rows(in: "source")) == ["10 2 60", "11 3 70"])
  }

  @Test func `a pair without direction is two rows`() throws {
    let friends = Property("Person", "friends")
    let links = LinkRelation(
      relationship: friends,
      inverse: friends,
      table: "pair",
      ownerColumn: "a",
      targetColumn: "b",
      ownerRoot: "Person",
      targetRoot: "Person",
      positionColumn: "a_place",
      inversePositionColumn: "b_place",
      isReflexive: true
    )
    let link = try #require(Layout(relations: [], linkRelations: [links]).link(friends))
    #expect(try read(link.rows(in: "source")) == ["1 1 7", "1 2 5", "2 1 5"])
    #expect(try read(link.rows(in: "source", bothWays: false)) == ["1 1 7", "1 2 5"])
  }

  @Test func `lists that are joined hold only what is in them`() throws {
    let duplicates = try TemporaryTable("(source, representative)", on: connection)
    try connection.run("INSERT INTO \(duplicates) VALUES (11, 10)")
    let lists = JoinedLists(on: connection)
    try lists.measure(JoinedLists.lists(of: "Book", in: layout), of: duplicates)
    // The list of 10 has one place, 60; the place 70 of the other list comes 1024 behind it.
    #expect(try lists.shift("leaf.place", of: 10, fromBeginning: false) == 0)
    #expect(try 70 + lists.shift("leaf.place", of: 11, fromBeginning: false) == 60 + 1024)
  }
}
