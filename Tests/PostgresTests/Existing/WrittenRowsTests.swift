import Foundation
import TestSupport
import Testing

/// Changes in one transaction: the rows that were written are compared, and all rows if the server has counted others.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct WrittenRowsTests {
  private let place: PostgresFolder
  private let books = BookTables()
  private var location: String { place.server.location(place.database, schema: "n") }

  init() throws {
    place = try PostgresFolder()
    try books.makeSources(place)
  }

  private func expect(_ arguments: [String], _ environment: [String: String] = [:]) throws {
    let run = try place.run(arguments, environment: environment)
    #expect(run.status == 0, "\(run.errors)")
  }

  /// Ways to do the same.
  private static let ways: [(options: [String], environment: [String: String])] = [
    (["--defer-constraints"], [:]), ([], ["DECANT_SERVER_WITHOUT": "written-rows"]),
    (["--keep-ids", "ids.sqlite"], [:]), (["--no-verify"], [:]),
  ]

  @Test(arguments: BatchedRunTests.modes, ways.indices)
  func `the tables and their constraints are the same`(mode: BatchedRunTests.Mode, way: Int) throws {
    let way = Self.ways[way]
    try books.make(in: "n", place)
    try expect(mode.command(location))
    let (rows, constraints) = (try books.rows(in: "n", place), try books.constraints(in: "n", place))
    try books.make(in: "n", place)
    try expect(mode.command(location, way.options), way.environment)
    #expect(try books.rows(in: "n", place) == rows)
    #expect(try books.constraints(in: "n", place) == constraints)
  }

  /// What triggers and rules do to other rows of the tables when a tag is added or an author is changed.
  private static let effects = [
    ("AFTER INSERT ON n.tag", "UPDATE n.book SET title = 'lost' WHERE isbn = 'old 2'"),
    ("AFTER INSERT ON n.tag", "UPDATE n.author SET name = 'lost' WHERE code = 'old 1'"),
    ("BEFORE INSERT ON n.tag", "INSERT INTO n.author (code) VALUES ('extra') ON CONFLICT DO NOTHING"),
    ("AFTER INSERT ON n.tag", "DELETE FROM n.book_tag WHERE book_id = 2"),
    ("AFTER UPDATE ON n.author", "UPDATE n.tag SET label = 'lost' WHERE label = 'old 2'"),
    ("AFTER INSERT ON n.book_tag", "UPDATE n.author SET name = 'lost' WHERE code = NEW.book_id::text OR code = 'f1'"),
  ]

  @Test(arguments: effects.indices, [[], ["--defer-constraints"]])
  func `what triggers do to other rows of the tables is found`(number: Int, more: [String]) throws {
    let (event, effect) = Self.effects[number]
    try books.make(in: "n", place)
    try place.psql(
      """
      CREATE FUNCTION n.effect() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN \(effect.replacingOccurrences(of: "'", with: "''")); RETURN NEW; END';
      CREATE TRIGGER effect \(event) FOR EACH ROW EXECUTE FUNCTION n.effect()
      """)
    let (rows, constraints) = (try books.rows(in: "n", place), try books.constraints(in: "n", place))
    let mode = BatchedRunTests.modes[2]
    try place.expect(mode.command(location, more), 1, "on the server from what was written")
    #expect(try books.rows(in: "n", place) == rows)
    #expect(try books.constraints(in: "n", place) == constraints)
    try place.psql("DROP FUNCTION n.effect() CASCADE")
    try expect(mode.command(location, more))
  }

  /// Links that lead nowhere are found when the foreign key is created again.
  @Test func `--defer-constraints checks the links`() throws {
    try books.make(in: "n", place)
    try place.psql(
      """
      CREATE FUNCTION n.effect() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN NEW.author_id := 99; RETURN NEW; END';
      CREATE TRIGGER effect BEFORE INSERT ON n.book FOR EACH ROW EXECUTE FUNCTION n.effect()
      """)
    let before = try books.constraints(in: "n", place)
    try place.expect(
      BatchedRunTests.modes[0].command(location, ["--defer-constraints"]), 1,
      "violates foreign key constraint \"book_author_id_fkey\"")
    #expect(try books.constraints(in: "n", place) == before)
  }
}
