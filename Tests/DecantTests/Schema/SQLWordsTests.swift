import Testing

@testable import DecantProof

@Suite struct SQLWordsTests {
  @Test(arguments: [
    ("CREATE INDEX a ON t (b)", "create  index \"A\"\n on [t]( `b` ) -- why"),
    (
      "CREATE VIEW v AS SELECT a, 'X' FROM t", "CREATE VIEW v AS /* all */ SELECT A,'X' FROM \"T\";"
    ),
    ("CREATE VIEW v AS SELECT \"a\"\"b\" FROM t", "CREATE VIEW v AS SELECT `a\"b` FROM t"),
  ])
  func `spacing, case, quotation marks and comments do not count`(one: String, other: String) {
    #expect(SQLWords(one) == SQLWords(other))
  }

  @Test(arguments: [
    ("CREATE VIEW v AS SELECT 'X' FROM t", "CREATE VIEW v AS SELECT 'x' FROM t"),
    ("CREATE VIEW v AS SELECT 'a  b'", "CREATE VIEW v AS SELECT 'a b'"),
    ("CREATE INDEX a ON t (b)", "CREATE INDEX a ON t (b DESC)"),
    ("CREATE INDEX a ON t (b)", "CREATE UNIQUE INDEX a ON t (b)"),
    ("CREATE INDEX a ON t (b)", "CREATE INDEX a ON t (b) WHERE b > 0"),
    ("CREATE VIEW v AS SELECT a FROM t", "CREATE VIEW v AS SELECT 'a' FROM t"),
  ])
  func `texts and everything else count`(one: String, other: String) {
    #expect(SQLWords(one) != SQLWords(other))
  }

  @Test(arguments: [
    (
      "CREATE TABLE t (a INT, b TEXT, UNIQUE (a, b), CHECK (a > 0))",
      "CREATE TABLE \"t\" (b text, a int, CHECK (a > 0), UNIQUE (a, b))"
    ),
    (
      "CREATE TABLE t (a PRIMARY KEY, b) STRICT, WITHOUT ROWID",
      "CREATE TABLE t (b, a PRIMARY KEY) WITHOUT ROWID, STRICT"
    ),
  ])
  func `the order of columns and constraints does not count`(one: String, other: String) {
    #expect(TableWords(one) == TableWords(other))
  }

  @Test(arguments: [
    "CREATE TABLE t (a INT, b TEXT NOT NULL)", "CREATE TABLE t (a INT, b TEXT, UNIQUE (a))",
    "CREATE TABLE t (a INT, b TEXT) STRICT", "CREATE TABLE t (a INT, b TEXT DEFAULT ('x,y'))",
    "CREATE TABLE t (a INT)",
  ])
  func `what is said of a column or of the table counts`(other: String) {
    #expect(TableWords("CREATE TABLE t (a INT, b TEXT)") != TableWords(other))
  }

  @Test func `columns are told from constraints and from commas within them`() {
    let words = TableWords(
      "CREATE TABLE t (\"check\" NUMERIC(10, 2), b DEFAULT ('x,y'), FOREIGN KEY (b) REFERENCES u (c, d))"
    )
    #expect(words.columns.keys.sorted() == ["b", "check"])
    #expect(
      words.others == [
        ["foreign", "key", "(", "b", ")", "references", "u", "(", "c", ",", "d", ")"]
      ]
    )
  }
}
