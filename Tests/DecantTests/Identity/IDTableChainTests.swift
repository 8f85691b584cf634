import DecantSQLite
import TestSupport
import Testing

@testable import DecantMatch

/// The ID tables of copies in a row, as one.
@Suite struct IDTableChainTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func make(_ name: String, _ rows: String, _ stores: String) throws {
    _ = try Program.sqlite3(
      folder.path(name),
      """
      CREATE TABLE ids (entity TEXT, source, destination, count INTEGER, outcome TEXT, became TEXT);
      CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT);
      INSERT INTO ids VALUES \(rows); INSERT INTO about VALUES \(stores)
      """
    )
  }

  /// Persons become beings in two runs, and these adults and children: 8 was left out first, being 24 then.
  @Test func `each object is told from the first source to the last destination`() throws {
    try make(
      "first",
      """
      ('Person', 1, 11, 3, 'copied', 'Being'), ('Person', 4, NULL, 1, 'rejected', 'Being'),
      ('Person', 5, 21, 3, 'copied', 'Being'), ('Person', 9, 24, 3, 'copied', 'Being')
      """,
      "('source.uuid', 'A'), ('destination.uuid', 'B')"
    )
    try make(
      "second",
      """
      ('Being', 11, 1, 2, 'copied', 'Adult'), ('Being', 13, NULL, 1, 'rejected', 'Adult'),
      ('Being', 21, 50, 3, 'copied', 'Child'), ('Being', 25, 60, 2, 'copied', 'Adult')
      """,
      "('source.uuid', 'B'), ('destination.uuid', 'C')"
    )
    let whole = folder.path("whole")
    try IDTableFile(whole).write(chain: [folder.path("first"), folder.path("second")])
    let runs =
      "SELECT source, destination, count, outcome, became FROM ids WHERE entity = 'Person' ORDER BY 1"
    #expect(
      try Program.sqlite3(whole, runs, isQuoted: true).split(separator: "\n") == [
        "1,1,2,'copied','Adult'", "3,NULL,1,'rejected','Adult'", "4,NULL,1,'rejected','Being'",
        "5,50,3,'copied','Child'", "10,60,2,'copied','Adult'",
      ]
    )
    #expect(try Program.sqlite3(whole, "SELECT count(*) FROM ids") == "5")
    #expect(
      try Program.sqlite3(whole, "SELECT * FROM about ORDER BY 1")
        == "destination.uuid|C\nsource.uuid|A"
    )
  }
}
