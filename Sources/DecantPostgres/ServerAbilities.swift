/// What a server can do, of that which not every engine with the protocol of PostgreSQL can.
///
/// No engine is recognised by its name. A server is asked by statements that change nothing; what it does not know is
/// missing.
package struct ServerAbilities: Sendable {
  /// An ability, by the name with which it is switched off.
  package enum Ability: String, CaseIterable, Sendable {
    /// Rows can be read in the binary form of COPY.
    case copyOut = "copy-out"
    /// It counts the rows that a transaction writes, and tells which they are.
    case writtenRows = "written-rows"
    /// Foreign keys can be added without a check of the existing rows, which is made later.
    case notValid = "not-valid"
    /// Foreign keys can be checked at the end of a transaction.
    case deferrable
    /// Statements that make or change tables take effect with their transaction, or not at all.
    case atomicDDL = "atomic-ddl"
  }

  package let missing: Set<Ability>

  /// Describes a server without some of the abilities.
  package init(without missing: Set<Ability> = []) { self.missing = missing }

  /// Whether the server has an ability.
  package func has(_ ability: Ability) -> Bool { !missing.contains(ability) }

  /// Asks a server for abilities, of which those in `missing` are not asked for and taken to be missing.
  ///
  /// `connection` must have no open transaction. An ability is taken to be there if the server refuses the question for
  /// another reason than that it does not know the statement, such as a right that the role lacks.
  package init(
    _ connection: PostgresConnection, asking abilities: Set<Ability>, without missing: Set<Ability>
  ) throws(PostgresError) {
    let asked = abilities.subtracting(missing)
    self.missing = try missing.union(ServerAbilities.lacking(asked, connection))
  }

  /// Returns those of `asked` that the server lacks, in one request if it lacks none.
  private static func lacking(_ asked: Set<Ability>, _ connection: PostgresConnection) throws(PostgresError)
    -> Set<Ability>
  {
    guard !asked.isEmpty else { return [] }
    let isLacking = try !knows(asked, connection)
    guard isLacking, asked.count > 1 else { return isLacking ? asked : [] }
    var lacking: Set<Ability> = []
    for ability in asked where try !knows([ability], connection) { lacking.insert(ability) }
    return lacking
  }

  /// The table of the questions, which exists only within a transaction.
  private static let table = "pg_temp.decant_ability"
  /// The abilities that are asked for without a table.
  private static let reading: Set<Ability> = [.copyOut, .writtenRows]

  private static func knows(_ abilities: Set<Ability>, _ connection: PostgresConnection) throws(PostgresError) -> Bool {
    do throws(PostgresError) {
      let left = try connection.text(ofAll: question(abilities))
      guard left != nil else { return true }
      // The rollback has left the table.
      try connection.run("DROP TABLE \(table)")
      return !abilities.contains(.atomicDDL)
    } catch {
      guard error.isOfStatement else { throw error }
      if connection.isInTransaction { try connection.run("ROLLBACK") }
      if !abilities.isSubset(of: reading) { _ = try? connection.run("DROP TABLE IF EXISTS \(table)") }
      return !error.isUnknown
    }
  }

  /// Returns statements that need `abilities`; the result of the last one is NULL if the transaction left nothing.
  private static func question(_ abilities: Set<Ability>) -> [String] {
    let copy = abilities.contains(.copyOut) ? ["COPY (SELECT 1) TO STDOUT (FORMAT binary)"] : []
    let counts = """
      SELECT NULL FROM (SELECT pg_catalog.pg_stat_get_xact_tuples_updated(c.oid), pg_catalog.age(c.xmin)
        FROM pg_catalog.pg_class AS c LIMIT 1) AS c
      """
    let reads = (abilities.contains(.writtenRows) ? [counts] : []) + copy
    guard !abilities.isSubset(of: reading) else { return reads }
    var key =
      "ALTER TABLE \(table) ADD CONSTRAINT decant_ability_key FOREIGN KEY (other) REFERENCES \(table) (id)"
    var checks: [String] = []
    if abilities.contains(.deferrable) {
      key += " DEFERRABLE INITIALLY IMMEDIATE"
      checks.append("SET CONSTRAINTS ALL DEFERRED")
    }
    if abilities.contains(.notValid) {
      key += " NOT VALID"
      checks.append("ALTER TABLE \(table) VALIDATE CONSTRAINT decant_ability_key")
    }
    return reads
      + ["BEGIN", "CREATE TEMPORARY TABLE decant_ability (id bigint PRIMARY KEY, other bigint)", key] + checks
      + ["ROLLBACK", "SELECT pg_catalog.to_regclass('\(table)')"]
  }
}
