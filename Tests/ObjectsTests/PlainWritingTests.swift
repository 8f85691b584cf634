import Decant
import StoreTestSupport
import TestSupport
import Testing

/// What a write block leaves in a plain database: its own foreign keys, constraints and triggers apply.
@Suite struct PlainWritingTests {
  private let place: PlainDatabase
  private let path: String
  private let store: Store

  init() throws {
    place = try PlainDatabase()
    try place.make(
      "shop.db",
      """
      CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT NOT NULL, joined TEXT DEFAULT '2026-01-01');
      CREATE TABLE purchase (id INTEGER PRIMARY KEY AUTOINCREMENT, total REAL CHECK (total >= 0), code TEXT UNIQUE,
        customer_id INTEGER NOT NULL REFERENCES customer (id) ON DELETE CASCADE,
        twice REAL GENERATED ALWAYS AS (total * 2));
      CREATE TABLE log (what TEXT);
      CREATE TRIGGER logged AFTER INSERT ON purchase BEGIN INSERT INTO log VALUES ('new ' || NEW.code); END;
      CREATE TABLE tag (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE purchase_tag (purchase_id INTEGER REFERENCES purchase ON DELETE CASCADE,
        tag_id INTEGER REFERENCES tag, PRIMARY KEY (purchase_id, tag_id));
      CREATE VIRTUAL TABLE found USING fts5(code, content='purchase', content_rowid='id');
      CREATE TRIGGER indexed AFTER INSERT ON purchase BEGIN
        INSERT INTO found (rowid, code) VALUES (NEW.id, NEW.code); END;
      INSERT INTO customer VALUES (1, 'Ann', 'x'), (2, 'Bob', 'y');
      INSERT INTO purchase (id, customer_id, total, code) VALUES (1, 1, 2.5, 'a'), (2, 2, 3, 'b');
      INSERT INTO tag VALUES (1, 'red'), (2, 'blue');
      INSERT INTO purchase_tag VALUES (1, 1);
      DELETE FROM log
      """
    )
    path = place.path("shop.db")
    store = try Store(StoreKinds.location(path))
  }

  private static let cases: [WriteCase] = [
    WriteCase("the database gives keys and defaults", "SELECT * FROM customer WHERE id > 2", "3|Cem|2026-01-01") {
      let id = try $0.insert("customer") { $0["name"] = .text("Cem") }
      #expect(id.key == 3)
    },
    WriteCase("a key can be chosen", "SELECT * FROM customer WHERE id > 2", "9|Cem|2026-01-01") {
      let id = try $0.insert("customer") { ($0["id"], $0["name"]) = (.integer(9), .text("Cem")) }
      #expect(id.key == 9)
    },
    WriteCase(
      "a foreign key, triggers, computed columns and the index for searching",
      "SELECT customer_id, twice, (SELECT group_concat(what) FROM log), (SELECT rowid FROM found WHERE found MATCH 'c') FROM purchase WHERE id > 2",
      "2|8.0|new c|3"
    ) {
      try $0.insert("purchase") {
        ($0["code"], $0["total"], $0["customer_id"]) = (.text("c"), .double(4), .integer(2))
      }
    },
    WriteCase("links from many to many", "SELECT group_concat(tag_id) FROM purchase_tag WHERE purchase_id = 1", "2") {
      try $0.update($0.objects("purchase").filter { $0.id == ObjectID(1) }) {
        $0[many: "purchase_tag"].append(ObjectID(2))
        $0[many: "purchase_tag"].remove(ObjectID(1))
      }
    },
    WriteCase("many rows at once", "SELECT group_concat(DISTINCT joined) FROM customer", "z") {
      let count = try $0.update($0.objects("customer")) { $0["joined"] = .text("z") }
      #expect(count == 2)
    },
    WriteCase(
      "deleting by the rules of the foreign keys",
      "SELECT (SELECT group_concat(id) FROM purchase), (SELECT count(*) FROM purchase_tag)", "2|0"
    ) {
      let count = try $0.delete($0.objects("customer").filter { $0["name", as: String.self] == "Ann" })
      #expect(count == 1)
    },
  ]

  @Test(arguments: cases)
  private func `a block writes what the database allows`(_ each: WriteCase) throws {
    try store.write { try each.write($0) }
    let found = try Program.sqlite3(path, each.sql)
    #expect(found == each.expected)
    #expect(try Program.sqlite3(path, "PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok")
  }

  private static let refusals: [WriteCase] = [
    WriteCase("NOT NULL", "", "constraintViolated") { try $0.insert("customer") },
    WriteCase("UNIQUE", "", "constraintViolated") {
      try $0.insert("purchase") { ($0["code"], $0["customer_id"]) = (.text("a"), .integer(1)) }
    },
    WriteCase("CHECK", "", "constraintViolated") {
      try $0.update($0.objects("purchase")) { $0["total"] = .double(-1) }
    },
    WriteCase("a foreign key to nothing", "", "objectNotFound") {
      try $0.insert("purchase") { ($0["code"], $0["customer_id"]) = (.text("c"), .integer(77)) }
    },
    WriteCase("a foreign key that others have", "", "constraintViolated") { try $0.delete($0.objects("tag")) },
    WriteCase("a computed column", "", "unsupportedRequest") {
      try $0.update($0.objects("purchase")) { $0["twice"] = .double(1) }
    },
    WriteCase("an unknown table", "", "unknownName") { try $0.insert("customers") },
  ]

  @Test(arguments: refusals)
  private func `what the database forbids is refused, and nothing is changed`(_ each: WriteCase) throws {
    let before = try Program.sqlite3(path, ".dump")
    let error = #expect(throws: DecantError.self) { try store.write { try each.write($0) } }
    #expect(error?.code.rawValue == each.expected, "\(error?.message ?? "")")
    #expect(try Program.sqlite3(path, ".dump") == before)
  }
}
