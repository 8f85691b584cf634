import Decant
import StoreTestSupport
import Testing

/// What foreign keys say of deletion, as an inspection tells it.
@Suite struct ForeignKeyRuleTests {
  static let rules: [(sql: String, rule: DeleteRule)] = [
    ("", .deny), ("ON DELETE NO ACTION", .deny), ("ON DELETE RESTRICT", .deny), ("ON DELETE CASCADE", .cascade),
    ("on delete cascade", .cascade), ("ON DELETE SET NULL", .nullify), ("ON DELETE SET DEFAULT", .nullify),
  ]

  @Test(arguments: rules.indices, ["INTEGER PRIMARY KEY", "TEXT PRIMARY KEY"])
  func `an inspection has the rule of each foreign key`(_ index: Int, _ key: String) throws {
    let place = try PlainDatabase()
    try place.make(
      "a.db",
      """
      CREATE TABLE p (id \(key), n TEXT); INSERT INTO p VALUES (1, 'a');
      CREATE TABLE q (id INTEGER PRIMARY KEY, up \(key.prefix { $0 != " " }) REFERENCES p (id) \(Self.rules[index].sql));
      INSERT INTO q VALUES (1, 1)
      """
    )
    let entities = try Inspect(place.path("a.db")).run().entities
    let relationships = entities.first { $0.name == "q" }?.relationships
    #expect(relationships?.map(\.onDelete) == [Self.rules[index].rule])
  }
}
