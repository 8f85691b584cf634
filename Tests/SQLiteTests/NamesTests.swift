import DecantSQLite
import Testing

@Suite struct NamesTests {
  @Test(arguments: [
    ("ZRECIPE", "ZRECIPE"), ("_id", "_id"), ("a1", "a1"),
    ("1a", "\"1a\""), ("", "\"\""), ("order", "\"order\""), ("Group", "\"Group\""),
    ("a b", "\"a b\""), ("größe", "\"größe\""), ("say \"hi\"", "\"say \"\"hi\"\"\""),
    ("x; DROP TABLE y", "\"x; DROP TABLE y\""),
  ])
  func `a name is bare where that is safe, else quoted`(_ name: String, _ expected: String) {
    #expect(name.sqlName == expected)
  }

  // A combining mark makes one character with the quote before it, which has to be doubled all the same.
  @Test(arguments: [
    "plain", "it's", "''", "\"", "a\nb", "שלום", "'; DROP TABLE t; --", "it'\u{301}s", "'\u{301}",
  ])
  func `quoted text comes back as it was`(_ text: String) throws {
    let connection = try Connection(":memory:", mode: .create)
    #expect(try connection.text("SELECT \(text.sqlText)") == text)
  }

  @Test(arguments: [
    "plain", "select", "two words", "q\"uote", "ünï", "1", "it's", "q\"\u{308}", "\"\u{20D7}x",
  ])
  func `a quoted name names a table and a column`(_ name: String) throws {
    let connection = try Connection(":memory:", mode: .create)
    try connection.run("CREATE TABLE \(name.sqlName) (\(name.sqlName))")
    try connection.run("INSERT INTO \(name.quotedName) VALUES (7)")
    #expect(try connection.integer("SELECT \(name.sqlName) FROM \(name.sqlName)") == 7)
    #expect(try connection.prepare("SELECT * FROM \(name.sqlName)").columnName(at: 0) == name)
  }
}
