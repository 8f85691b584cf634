import Foundation
import TestSupport
import Testing

/// Tables that an app has changed since decant filled them, and values that only the server can hold.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct ChangedTablesTests {
  private let place: PostgresFolder

  init() throws {
    place = try PostgresFolder()
    _ = try Program.sqlite3(place.folder.path("mine.db"), Self.tables)
  }

  private static let tables = """
    CREATE TABLE item (id INTEGER PRIMARY KEY, title TEXT UNIQUE, price DECIMAL, code STRING, stock INTEGER, weight REAL);
    INSERT INTO item VALUES (1, 'eggs', 2.5, 'e', 7, 0.5), (2, 'milk', 1.25, 'm', 9, 1.5);
    """
  private static let digits = "12345678901234567890.123"

  private func change(_ sql: String) throws { _ = try Program.sqlite3(place.folder.path("mine.db"), sql) }

  @Test func `a merge changes no other values of a row`() throws {
    try place.expect("copy", "mine.db", place.location)
    try FileManager.default.copyItem(atPath: place.folder.path("mine.db"), toPath: place.folder.path("base.db"))
    try place.psql("UPDATE item SET price = \(Self.digits) WHERE id = 1")
    try change("UPDATE item SET stock = 8 WHERE id = 1; UPDATE item SET code = 'x' WHERE id = 2")
    try place.expect("merge", "mine.db", place.location, "--base", "base.db", "--identity", "item: title")
    let rows = "SELECT string_agg(concat_ws(':', title, price, code, stock), ',' ORDER BY id) FROM item"
    #expect(try place.psql(rows) == "eggs:\(Self.digits):e:8,milk:1.25:x:9")
  }

  @Test func `columns of another program keep their types`() throws {
    try place.psql(
      """
      CREATE TABLE item (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, title text UNIQUE, code char(3), mask bit(4), ip inet, stock int);
      INSERT INTO item (title, code, mask, ip, stock) VALUES ('eggs', 'ab', '1010', '1.2.3.4', 7), ('milk', 'm', '0001', '10.0.0.0/8', 9)
      """)
    try place.expect("copy", place.location, "theirs.db")
    let path = place.folder.path("theirs.db")
    #expect(try Program.sqlite3(path, "SELECT ip FROM item ORDER BY id") == "1.2.3.4\n10.0.0.0/8")
    _ = try Program.sqlite3(
      path,
      """
      UPDATE item SET stock = 8, code = 'xyz' WHERE title = 'eggs';
      INSERT INTO item (title, code, mask, ip, stock) VALUES ('flour', 'abc', '1111', '5.6.7.8', 1)
      """)
    try place.expect("merge", "theirs.db", place.location, "--merge", "update", "--identity", "item: title")
    let rows = "SELECT string_agg(concat_ws(':', title, code, mask, ip, stock), ',' ORDER BY title) FROM item"
    #expect(
      try place.psql(rows)
        == "eggs:xyz:1010:1.2.3.4:8,flour:abc:1111:5.6.7.8:1,milk:m  :0001:10.0.0.0/8:9")
  }

  @Test func `values that a store cannot hold are told`() throws {
    try place.expect("copy", "mine.db", place.location)
    try place.psql("UPDATE item SET price = \(Self.digits), code = '0123' WHERE id = 1")
    let said = try place.expect("copy", place.location, "back.db")
    #expect(said.contains("item.price (1), item.code (1)"), "\(said)")
    let compared = try place.run(["verify", "back.db", place.location])
    #expect(compared.output.contains("item.price (1), item.code (1)"), "\(compared.output)")
    try place.psql("UPDATE item SET price = 3.1400, code = 'x12' WHERE id = 1")
    #expect(try !place.expect("copy", place.location, "again.db").contains("item.price"))
    #expect(
      try Program.sqlite3(place.folder.path("again.db"), "SELECT price, code FROM item WHERE id = 1") == "3.14|x12")
    try place.psql("UPDATE item SET weight = 'NaN' WHERE id = 2")
    try place.expect(["copy", place.location, "never.db"], 1, "item.weight of the row with id = 2")
  }

  @Test func `what was added is told, what has another type is refused`() throws {
    try place.expect("copy", "mine.db", place.location)
    try place.psql("ALTER TABLE item ADD COLUMN note text DEFAULT 'new'; CREATE TABLE log (id int)")
    for command in [["copy", place.location, "back.db"], ["verify", "mine.db", place.location]] {
      let run = try place.run(command)
      #expect(run.status == 0)
      #expect(run.output.contains("the tables log; the columns item.note"), "\(run.output)")
    }
    try place.psql("ALTER TABLE item ALTER COLUMN stock TYPE bigint, ALTER COLUMN title TYPE varchar(40)")
    try place.expect("verify", "mine.db", place.location)
    try place.psql("ALTER TABLE item ALTER COLUMN stock TYPE numeric")
    try place.psql("UPDATE item SET stock = 0.5 WHERE id = 1")
    for command in [["copy", place.location, "never.db"], ["merge", "mine.db", place.location]] {
      try place.expect(command, 12, "item.stock is numeric, and was made as bigint")
    }
    try place.psql("ALTER TABLE item DROP COLUMN stock")
    try place.expect(["copy", place.location, "never.db"], 12, "item.stock no longer exists")
    try place.psql("ALTER TABLE item ALTER COLUMN title TYPE bytea USING title::bytea")
    try place.expect(["copy", place.location, "never.db"], 12, "item.title is bytea, and was made as text")
    try place.psql("DELETE FROM decant.store")
    try place.expect("copy", place.location, "free.db")
    #expect(try Program.sqlite3(place.folder.path("free.db"), "SELECT note FROM item WHERE id = 1") == "new")
  }

  @Test func `equal keys are equal whatever digits they are written with`() throws {
    try place.psql(
      """
      CREATE TABLE owner (id numeric PRIMARY KEY, name text);
      CREATE TABLE pet (id int PRIMARY KEY, owner numeric REFERENCES owner (id), price numeric);
      INSERT INTO owner VALUES (1.0, 'ann'), (100, 'bob'); INSERT INTO pet VALUES (1, 1, 1.50), (2, 100.00, 10)
      """)
    try place.expect("copy", place.location, "pets.db")
    #expect(
      try Program.sqlite3(
        place.folder.path("pets.db"),
        "SELECT p.id, o.name, o.id, p.price FROM pet p JOIN owner o ON o.id = p.owner ORDER BY 1")
        == "1|ann|1|1.50\n2|bob|100|10")
  }

  @Test func `a Core Data store is told of what was added, too`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql("ALTER TABLE recipe ADD COLUMN note text")
    #expect(try place.expect("copy", place.location, "back.sqlite").contains("recipe.note"))
  }

  @Test(arguments: ["model = '{}'", "names = '{}'", "metadata = 'spoiled'"])
  func `a spoiled record is an error, not an empty copy`(change: String) throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql("UPDATE decant.store SET \(change)")
    for command in [["copy", place.location, "never.sqlite"], ["inspect", place.location]] {
      try place.expect(command, 13, "the row of public in decant.store is damaged")
    }
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("never.sqlite")))
    // The way out that the error names.
    try place.psql("DELETE FROM decant.store")
    try place.expect("copy", place.location, "free.db")
  }

  @Test(arguments: ["'NaN'", "'Infinity'", "'-Infinity'", "1e400"])
  func `a decimal that no store can hold is refused`(value: String) throws {
    // Infinite decimals need a server of version 14.
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql("UPDATE recipe SET price = \(value) WHERE id = 1")
    try place.expect(["copy", place.location, "never.sqlite"], 1, "recipe.price of the row with id = 1")
    #expect(!FileManager.default.fileExists(atPath: place.folder.path("never.sqlite")))
  }
}
