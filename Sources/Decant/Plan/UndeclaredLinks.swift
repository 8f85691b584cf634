internal import SQLite

/// Looks for columns that hold keys although nothing in the schema says so.
///
/// Where the keys of objects change, such a column would lead to strangers afterwards. Nobody but the
/// user can tell; the plan stops and asks.
struct UndeclaredLinks {
  let layout: Layout
  let ids: IDTable
  /// The name under which the source is attached.
  let schema: String

  /// Throws where a column looks like a link to objects that get new keys.
  func check(on connection: Connection, place: String) throws(DecantError) {
    let found = try explaining("cannot look for undeclared links") { () throws(SQLiteError) in
      try self.found(on: connection)
    }
    guard let first = found.first else { return }
    let answers = found.map { "--link " + "\($0.column) -> \($0.target)".shellQuoted }
    throw DecantError(
      .usage,
      "\(first.column) looks like a link to \(first.target), whose keys change, and nothing in "
        + "“\(place)” declares it",
      place: found.count > 1
        ? "and \(found.count - 1) more: "
          + found.dropFirst().map(\.column.description).joined(separator: ", ")
        : nil,
      remedy: "say for each what it is: \(answers.joined(separator: " ")) where it is a link, "
        + found.map { "--no-link \($0.column.description.shellWord)" }.joined(separator: " ")
        + " where it is not"
    )
  }

  /// A column and the objects whose keys it seems to hold.
  private struct Guess {
    let column: Property
    let target: String
  }

  private func found(on connection: Connection) throws(SQLiteError) -> [Guess] {
    var found: [Guess] = []
    guard layout.relations.contains(where: { $0.columns.contains { !$0.likelyTargets.isEmpty } })
    else { return found }
    // Not under the name it has later: a function cannot be replaced while a statement is open.
    try connection.register(KnownFunction(ids), as: "is_key", [.directOnly])
    for relation in layout.relations {
      for column in relation.columns {
        guard let property = column.meaning.property else { continue }
        let target = try column.likelyTargets.first { target throws(SQLiteError) in
          guard let form = ids.map(of: target)?.form, form != .keep else { return false }
          return try holdsKeys(of: target, column, relation, connection)
        }
        if let target { found.append(Guess(column: property, target: target)) }
      }
    }
    return found
  }

  /// Whether most of the positive integers in `column` are keys of `target`, and there are some.
  ///
  /// Not all have to be: where nothing declares a link, nothing keeps it from leading nowhere.
  private func holdsKeys(
    of target: String,
    _ column: RelationColumn,
    _ relation: Relation,
    _ connection: Connection
  ) throws(SQLiteError) -> Bool {
    var loose = column
    loose.holdsLooseIntegers = true
    let table = relation.sqlTable(in: schema)
    let row = try connection.prepare(
      """
      SELECT count(*), coalesce(sum(is_key(\(target.sqlText), v)), 0)
      FROM (SELECT \(relation.value(of: loose)) AS v FROM \(table)) WHERE typeof(v) = 'integer' AND v > 0
      """
    )
    guard try row.step() else { return false }
    let (all, keys) = (row.integer(at: 0), row.integer(at: 1))
    return keys > 0 && keys * 2 >= all
  }
}

extension Sequence {
  /// Returns the first element that meets a condition that may fail.
  fileprivate func first(where isMet: (Element) throws(SQLiteError) -> Bool) throws(SQLiteError)
    -> Element?
  {
    for element in self where try isMet(element) { return element }
    return nil
  }
}
