import Foundation
import TestSupport
import Testing

/// The problems of tables on a server, which an app may have changed since they were filled.
@Suite(.enabled(if: PostgresServer.isInstalled)) struct DoctorTests {
  private let place: PostgresFolder

  init() throws { place = try PostgresFolder() }

  /// A change, and the findings that it causes.
  struct Damage: CustomTestStringConvertible {
    let sql: String
    let findings: [String]
    var testDescription: String { sql }
  }

  private static let damages = [
    Damage(sql: "SELECT 1", findings: []),
    Damage(sql: "SELECT nextval('recipe_id_seq')", findings: []),
    Damage(
      sql:
        "ALTER TABLE recipe DROP CONSTRAINT recipe_category_id_fkey; UPDATE recipe SET category_id = 999 WHERE id = 1",
      findings: ["Recipe.category: 1 dangling link"]
    ),
    Damage(
      sql: """
        ALTER TABLE recipe_tags DROP CONSTRAINT recipe_tags_tag_id_fkey, DROP CONSTRAINT recipe_tags_recipe_id_fkey;
        DELETE FROM tag WHERE id = (SELECT min(tag_id) FROM recipe_tags)
        """,
      findings: ["dangling link"]
    ),
    Damage(
      sql: "ALTER SEQUENCE recipe_id_seq RESTART 1; SELECT setval('tag_id_seq', 1)",
      findings: ["recipe.id: its sequence is not beyond", "tag.id: its sequence is not beyond"]
    ),
    Damage(sql: "SELECT setval('tag_id_seq', (SELECT max(id) FROM tag))", findings: []),
    Damage(
      sql: "SELECT setval('tag_id_seq', (SELECT max(id) FROM tag), false)",
      findings: ["tag.id: its sequence is not beyond"]
    ),
    Damage(sql: "ALTER TABLE tag ALTER id DROP IDENTITY", findings: ["tag.id: nothing gives new rows a key"]),
    Damage(sql: "DELETE FROM step; ALTER SEQUENCE step_id_seq RESTART 1", findings: []),
  ]

  @Test(arguments: damages) func `what is wrong with the tables is a finding`(damage: Damage) throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql(damage.sql)
    let doctor = try place.run(["doctor", place.location])
    #expect(doctor.status == (damage.findings.isEmpty ? 0 : 4), "\(doctor.output)\(doctor.errors)")
    for finding in damage.findings { #expect(doctor.output.contains(finding), "\(doctor.output)") }
    let inspect = try place.run(["inspect", place.location])
    #expect(inspect.output.contains("no problems") == damage.findings.isEmpty, "\(inspect.output)")
    // Advice for a file would be of no use.
    #expect(!doctor.output.contains("export it again"), "\(doctor.output)")
  }

  @Test func `the sequences of a plain database are checked, too`() throws {
    try place.expect("copy", "Kitchen.sqlite", "sqlite:plain.db")
    try place.expect("copy", "plain.db", place.location)
    #expect(try place.run(["doctor", place.location]).status == 0)
    try place.psql("ALTER SEQUENCE recipe_id_seq RESTART 1")
    let doctor = try place.run(["doctor", place.location])
    #expect(doctor.status == 4 && doctor.output.contains("recipe.id: its sequence"), "\(doctor.output)")
  }

  @Test func `the sequences of tables that decant did not make are checked, too`() throws {
    let tables = """
      CREATE SCHEMA a; CREATE TABLE a.t (id serial PRIMARY KEY, v text); INSERT INTO a.t (v) VALUES ('x'), ('y');
      CREATE SCHEMA b; CREATE TABLE b.t (id int PRIMARY KEY, v text); INSERT INTO b.t VALUES (1, 'x'), (2, 'y')
      """
    try place.psql(tables)
    let (a, b) = (
      place.server.location(place.database, schema: "a"), place.server.location(place.database, schema: "b")
    )
    try place.expect("verify", b, a)
    try place.psql("SELECT setval('a.t_id_seq', 1)")
    let verify = try place.run(["verify", b, a])
    #expect(verify.status == 4 && verify.output.contains("t.id: its sequence is not beyond"), "\(verify.output)")
    try place.psql(
      """
      CREATE SEQUENCE a.number; CREATE TABLE a.invoice (no text PRIMARY KEY DEFAULT 'INV-' || nextval('a.number'));
      CREATE TABLE b.invoice (no text PRIMARY KEY); INSERT INTO a.invoice VALUES ('X'); INSERT INTO b.invoice VALUES ('X');
      CREATE TABLE a.flake (id bigint PRIMARY KEY DEFAULT nextval('a.number') << 23); INSERT INTO a.flake VALUES (9);
      CREATE TABLE b.flake (id bigint PRIMARY KEY); INSERT INTO b.flake VALUES (9);
      SELECT setval('a.t_id_seq', 2)
      """)
    try place.expect("verify", b, a)
    try place.psql("SELECT setval('a.t_id_seq', 1)")
    // Keys without a sequence may be the app's own.
    try place.expect("verify", a, b)
    #expect(try place.run(["doctor", a]).status == 4)
    #expect(try place.run(["doctor", b]).status == 0)
  }

  @Test func `a sequence behind the keys is a difference`() throws {
    try place.expect("copy", "Kitchen.sqlite", place.location)
    try place.psql("SELECT setval('tag_id_seq', 1)")
    let verify = try place.run(["verify", "Kitchen.sqlite", place.location])
    #expect(verify.status == 4 && verify.output.contains("tag.id: its sequence is not beyond"), "\(verify.output)")
    // It is no fault of the objects that are copied back.
    try place.expect("verify", place.location, "Kitchen.sqlite")
    try place.psql("SELECT setval('tag_id_seq', (SELECT max(id) FROM tag))")
    try place.expect("verify", "Kitchen.sqlite", place.location)
    try place.expect("copy", "Kitchen.sqlite", "sqlite:plain.db")
    let other = place.server.location(place.database, schema: "plain")
    try place.expect("copy", "plain.db", other)
    try place.psql("ALTER TABLE plain.recipe ALTER id DROP IDENTITY")
    let plain = try place.run(["verify", "plain.db", other])
    #expect(plain.status == 4 && plain.output.contains("recipe.id: nothing gives new rows a key"), "\(plain.output)")
  }
}
