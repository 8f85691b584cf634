import TestSupport
import Testing

/// Tables of a server that are copied into new tables of one.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct KeptTypeTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  private func types(of table: String, in schema: String) throws -> String {
    try place.psql(
      """
      SELECT string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = '\(schema).\(table)'::regclass AND attnum > 0
      """)
  }

  @Test func `types are kept, or the columns are named`() throws {
    try place.psql(
      """
      CREATE TABLE owner (id uuid PRIMARY KEY, code numeric UNIQUE);
      CREATE TABLE t (id serial PRIMARY KEY, owner uuid REFERENCES owner, code numeric REFERENCES owner (code),
        at timestamptz, last timestamptz, n numeric(8,2), rest numeric, k bigint, x double precision, f boolean, b bytea,
        v varchar(10), c char(2), plain varchar, s smallint, d date, r real, w timestamp);
      INSERT INTO owner VALUES ('5099f3f1-814b-8e7f-8eae-14e5d367af9c', 1.50), (gen_random_uuid(), NULL);
      INSERT INTO t VALUES (1, '5099f3f1-814b-8e7f-8eae-14e5d367af9c', 1.5, '2024-01-05 08:00:00.25+02', 'infinity', 1.50,
        '12345678901234567890.10', 5, 0.1, true, '\\x01', 'v', 'c', 'p', 3, '2024-01-05', 0.1, '2024-01-05 08:00:00'),
        (2, NULL, NULL, NULL, NULL, NULL, 'NaN', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
      """)
    let other = place.server.location(place.database, schema: "other")
    let output = try place.expect("copy", place.location, other)
    #expect(try types(of: "owner", in: "other") == "id uuid, code numeric")
    #expect(
      try types(of: "t", in: "other") == """
        id bigint, owner uuid, code numeric, at timestamp with time zone, last text, n numeric, rest text, k bigint, \
        x double precision, f boolean, b bytea, v text, c text, plain text, s bigint, d text, r double precision, w text
        """)
    for lost in [
      "t.id (integer becomes bigint)", "t.last (timestamptz becomes text)", "t.n (numeric(…,2) becomes numeric)",
      "t.rest (numeric becomes text)", "t.v (varchar(10) becomes text)", "t.c (char(2) becomes text)",
      "t.s (smallint becomes bigint)", "t.d (date becomes text)", "t.r (real becomes double precision)",
      "t.w (timestamp becomes text)",
    ] { #expect(output.contains(lost), "\(lost): \(output)") }
    for kept in ["t.owner (", "t.at (", "t.plain (", "t.k (", "t.code ("] { #expect(!output.contains(kept)) }
    #expect(
      try place.psql(
        "SELECT count(*) FROM t JOIN other.t AS o USING (id) WHERE t.at IS NOT DISTINCT FROM o.at AND t.n IS NOT DISTINCT FROM o.n AND t.owner IS NOT DISTINCT FROM o.owner"
      ) == "2")
    #expect(
      try place.psql("SELECT count(*) FROM pg_constraint WHERE contype = 'f' AND conrelid = 'other.t'::regclass") == "2"
    )
    try place.expect("verify", place.location, other)
    // A chosen type counts, and an empty table keeps its types.
    let chosen = place.server.location(place.database, schema: "chosen")
    try place.expect("copy", place.location, chosen, "--type", "t.n: text")
    #expect(try types(of: "t", in: "chosen").contains(", n text, rest text"))
    try place.psql("DELETE FROM t; DELETE FROM owner")
    let empty = place.server.location(place.database, schema: "empty")
    try place.expect("copy", place.location, empty)
    #expect(
      try types(of: "t", in: "empty").contains("owner uuid, code numeric, at timestamp with time zone, last timestamp"))
    try place.expect("copy", empty, "back.db")
    try place.expect("verify", place.location, "back.db")
  }
}
