import Foundation
import TestSupport
import Testing

/// Tables that are divided into partitions, on one server or on two: those on other servers have no keys.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct DividedTableTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// Divides the ingredients of a copied store into two partitions; with `elsewhere` the second is in another database.
  private func divide(elsewhere: Bool) throws {
    let columns = """
      id bigint NOT NULL, amount double precision, is_garnish boolean NOT NULL, name text NOT NULL, note text,
      sort_index smallint NOT NULL, unit text, uuid uuid NOT NULL, recipe_id bigint NOT NULL
      """
    var part = "CREATE TABLE ingredient_1 PARTITION OF ingredient FOR VALUES WITH (modulus 2, remainder 1)"
    var keys = """
      ALTER TABLE ingredient ADD PRIMARY KEY (id),
        ADD FOREIGN KEY (recipe_id) REFERENCES recipe ON DELETE CASCADE DEFERRABLE
      """
    if elsewhere {
      let other = try place.server.makeDatabase()
      try place.server.psql(other, "CREATE TABLE ingredient_1 (\(columns))")
      try place.psql(
        """
        CREATE EXTENSION postgres_fdw;
        CREATE SERVER two FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '\(place.server.socket)', dbname '\(other)');
        CREATE USER MAPPING FOR \(PostgresServer.owner) SERVER two OPTIONS (user '\(PostgresServer.owner)')
        """)
      part = part.replacing("CREATE TABLE", with: "CREATE FOREIGN TABLE") + " SERVER two"
      keys = "SELECT 1"
    }
    try place.psql(
      """
      ALTER TABLE ingredient RENAME TO old; CREATE SEQUENCE numbers;
      CREATE TABLE ingredient (\(columns)) PARTITION BY HASH (id);
      ALTER TABLE ingredient ALTER COLUMN id SET DEFAULT nextval('numbers'); ALTER SEQUENCE numbers OWNED BY ingredient.id;
      CREATE TABLE ingredient_0 PARTITION OF ingredient FOR VALUES WITH (modulus 2, remainder 0);
      \(part); \(keys); INSERT INTO ingredient SELECT * FROM old; SELECT setval('numbers', 1000); DROP TABLE old
      """)
  }

  @Test func `a row does not leave a partition on another server`() throws {
    let other = try place.server.makeDatabase()
    try place.server.psql(
      other, "CREATE TABLE ev_eu (id bigint NOT NULL, uid uuid NOT NULL, region text NOT NULL, note text)")
    try place.psql(
      """
      CREATE EXTENSION postgres_fdw;
      CREATE SERVER two FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '\(place.server.socket)', dbname '\(other)');
      CREATE USER MAPPING FOR \(PostgresServer.owner) SERVER two OPTIONS (user '\(PostgresServer.owner)');
      CREATE TABLE ev (id bigserial, uid uuid NOT NULL, region text NOT NULL, note text) PARTITION BY LIST (region);
      CREATE FOREIGN TABLE ev_eu PARTITION OF ev FOR VALUES IN ('eu') SERVER two;
      CREATE TABLE ev_us PARTITION OF ev FOR VALUES IN ('us'); CREATE TABLE ev_jp PARTITION OF ev FOR VALUES IN ('jp');
      INSERT INTO ev (uid, region, note) VALUES ('00000000-0000-0000-0000-000000000001', 'eu', 'a'),
        ('00000000-0000-0000-0000-000000000002', 'us', 'b')
      """)
    let rows = "SELECT string_agg(region || note || tableoid::regclass, ',' ORDER BY uid) FROM ev"
    for (first, second, status) in [("us", "us", 1), ("eu", "jp", 0)] as [(String, String, Int32)] {
      let path = place.folder.path("\(second).db")
      _ = try Program.sqlite3(
        path,
        """
        CREATE TABLE ev (id INTEGER PRIMARY KEY, uid TEXT NOT NULL, region TEXT NOT NULL, note TEXT);
        INSERT INTO ev VALUES (1, '00000000-0000-0000-0000-000000000001', '\(first)', 'c'),
          (2, '00000000-0000-0000-0000-000000000002', '\(second)', 'd')
        """)
      let run = try place.run(["merge", path, place.location, "--merge", "update"])
      #expect(run.status == status, "\(run.output)\(run.errors)")
      if status == 1 {
        #expect(
          run.errors.contains("1 row of ev would get another region, and is in partitions on another server (ev_eu)"))
        #expect(try place.psql(rows) == "euaev_eu,usbev_us")
      }
    }
    #expect(try place.psql(rows) == "eucev_eu,jpdev_jp")
  }

  @Test(arguments: [false, true]) func `a merge comes out as between files`(elsewhere: Bool) throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try divide(elsewhere: elsewhere)
    #expect(try place.expect("verify", "Kitchen.sqlite", place.location).contains("equal"))
    for policy in ["skip", "update", "keep-both"] {
      try place.expect("merge", "Guests.sqlite", place.location, "--merge", policy)
      try place.expect("merge", "Guests.sqlite", "Kitchen.sqlite", "--merge", policy, "--no-verify")
      #expect(try place.expect("diff", "Kitchen.sqlite", place.location).contains("equal"), "\(policy)")
    }
    // The keys of new rows come from the sequence.
    #expect(
      try place.psql("SELECT count(*) = count(DISTINCT id) AND count(*) FILTER (WHERE id > 1000) = 23 FROM ingredient")
        == "t")
    #expect(try place.psql("SELECT count(DISTINCT tableoid) FROM ingredient") == "2")
    // A run is undone there as well.
    let rows = "SELECT string_agg(i::text, E'\\n' ORDER BY id) FROM ingredient AS i"
    let before = try place.psql(rows)
    try place.expect("copy", "Guests.sqlite", place.location, "--append", "--keep-ids", "last.ids")
    try place.expect("rollback", place.location, "--ids", "last.ids")
    #expect(try place.psql(rows) == before)
  }

  @Test(arguments: [true, false]) func `the indexes of partitions keep their properties`(isConstraint: Bool) throws {
    let (own, part) =
      isConstraint
      ? (
        "ALTER TABLE item ADD CONSTRAINT item_pos UNIQUE (pos, reg)",
        "ALTER TABLE item_y ADD CONSTRAINT item_y_own UNIQUE (pos, reg)"
      )
      : ("CREATE UNIQUE INDEX item_pos ON item (pos, reg)", "CREATE UNIQUE INDEX item_y_own ON item_y (pos, reg)")
    try place.psql(
      """
      CREATE TABLE item (id bigserial, ref text NOT NULL, pos int NOT NULL, reg text NOT NULL, PRIMARY KEY (id, reg),
        UNIQUE (ref, reg)) PARTITION BY LIST (reg);
      CREATE TABLE item_x PARTITION OF item FOR VALUES IN ('x');
      CREATE TABLE item_y (reg text NOT NULL, id bigint NOT NULL, ref text NOT NULL, pos int NOT NULL);
      \(part) WITH (fillfactor = 50); ALTER TABLE item ATTACH PARTITION item_y FOR VALUES IN ('y');
      \(own); ALTER INDEX item_x_pos_reg\(isConstraint ? "_key" : "_idx") RENAME TO item_x_own;
      COMMENT ON INDEX item_x_own IS 'ours'; ALTER TABLE item_x CLUSTER ON item_x_own;
      ALTER TABLE item_x REPLICA IDENTITY USING INDEX item_x_own; ALTER TABLE item_y REPLICA IDENTITY USING INDEX item_y_own;
      INSERT INTO item (ref, pos, reg) VALUES ('r1', 1, 'x'), ('r2', 2, 'x'), ('r1', 1, 'y'), ('r2', 2, 'y')
      """)
    let properties = """
      SELECT c.relname, i.indisclustered, i.indisreplident, c.reloptions, obj_description(c.oid, 'pg_class'), p.inhparent::regclass
      FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid LEFT JOIN pg_inherits AS p ON p.inhrelid = c.oid
      WHERE c.relname LIKE 'item%' ORDER BY 1
      """
    let before = try place.psql(properties)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE item (id INT, ref TEXT NOT NULL, pos INT NOT NULL, reg TEXT NOT NULL, PRIMARY KEY (id, reg), UNIQUE (ref, reg));
      INSERT INTO item VALUES (1, 'r1', 2, 'x'), (2, 'r2', 1, 'x'), (3, 'r1', 2, 'y'), (4, 'r2', 1, 'y')
      """)
    try place.expect("merge", "s.db", place.location, "--merge", "update", "--identity", "item: ref, reg")
    #expect(try place.psql("SELECT string_agg(ref || pos, ',' ORDER BY reg, ref) FROM item") == "r12,r21,r12,r21")
    #expect(try place.psql(properties) == before)
  }

  @Test(arguments: ["copy", "merge"]) func `links follow to a table without a key`(verb: String) throws {
    try place.psql(
      """
      CREATE SEQUENCE numbers START 100;
      CREATE TABLE person (id bigint NOT NULL DEFAULT nextval('numbers'), name text) PARTITION BY HASH (id);
      CREATE TABLE person_0 PARTITION OF person FOR VALUES WITH (modulus 1, remainder 0);
      CREATE TABLE pet (id bigint NOT NULL, name text, person_id bigint);
      INSERT INTO person (name) VALUES ('ann'), ('bob'); INSERT INTO pet VALUES (1, 'rex', 101)
      """)
    _ = try Program.sqlite3(
      place.folder.path("s.db"),
      """
      CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE pet (id INTEGER PRIMARY KEY, name TEXT, person_id INTEGER REFERENCES person (id));
      INSERT INTO person VALUES (1, 'cid'), (101, 'dan'); INSERT INTO pet VALUES (1, 'tom', 101)
      """)
    try place.expect(verb, "s.db", place.location, verb == "copy" ? "--append" : "--merge=update")
    let pets = """
      SELECT string_agg(p.name || ':' || o.name, ',' ORDER BY p.id) FROM pet AS p JOIN person AS o ON o.id = person_id
      """
    #expect(try place.psql(pets) == "rex:bob,tom:dan")
    #expect(try place.psql("SELECT count(DISTINCT id) FROM person WHERE id >= 100") == "4")
    #expect(try place.psql("SELECT nextval('numbers') > max(id) FROM person") == "t")
    // With a key twice, it is none.
    try place.psql("INSERT INTO pet VALUES (1, 'kit', 100)")
    try place.expect(["merge", "s.db", place.location], 12, "the key of pet is id")
  }
}
