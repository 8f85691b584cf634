internal import DecantPostgres
internal import DecantServerSchema
internal import DecantStore

/// How the columns of foreign keys are read, so that equal values on the server are equal texts: SQLite compares texts.
struct LinkedValues {
  /// A foreign key; columns are given by their numbers.
  private struct Reference {
    let columns: [String]
    let target: String
    let targets: [String]
    /// The operators that compare a target's column with one of the key, with their schemas.
    let operators: [String]
  }

  typealias Reading = (type: ServerType, expression: String, declaration: String, isForeign: Bool)

  /// The names and types of the columns, by the numbers of the table and the column.
  private var columns: [[String]: (name: String, type: String)] = [:]
  /// The tables, as in a FROM clause, by number.
  private let sources: [String: String]
  private var references: [String: [Reference]] = [:]
  private var linked: Set<[String]> = []

  /// Types of which equal values of one column have equal texts, numbers apart.
  private static let distinct: Set<String> = [
    "text", "varchar", "bpchar", "name", "uuid", "date", "timestamp", "timestamptz", "time", "numeric", "inet", "cidr",
    "macaddr", "macaddr8", "bit", "varbit",
  ]
  /// Types that write equal texts alike.
  private static let texts: Set<String> = ["text", "varchar", "name"]

  /// Takes rows of `CatalogSchema`'s queries for columns and foreign keys, and the tables that are read, by number.
  init(_ columns: [[String?]], _ constraints: [[String?]], in sources: [String: String]) {
    self.sources = sources
    for column in columns {
      self.columns[[column[0] ?? "", column[5] ?? ""]] = (column[1] ?? "", column[2] ?? "")
    }
    func list(_ text: String?) -> [String] { (text ?? "").split(separator: ",").map(String.init) }
    for constraint in constraints where constraint[1] == "f" {
      let reference = Reference(
        columns: list(constraint[2]), target: constraint[3] ?? "", targets: list(constraint[4]),
        operators: list(constraint[7]))
      let table = constraint[0] ?? ""
      references[table, default: []].append(reference)
      linked.formUnion(reference.columns.map { [table, $0] } + reference.targets.map { [reference.target, $0] })
    }
  }

  /// Whether a column is at either end of a foreign key.
  func contains(_ table: String?, _ column: String?) -> Bool { linked.contains([table ?? "", column ?? ""]) }

  /// Returns how a column is read, and the type of the value that it refers to if it is read as that: two equal values may
  /// be written differently, such as 24 hours and a day, or a timestamp and a date.
  func reading(of table: String, _ column: String) -> (reading: Reading, targetType: String?) {
    guard let found = columns[[table, column]] else { return (CatalogSchema.reading("NULL", "text"), nil) }
    var reading = own(table, column, ServerNames.quoted(found.name))
    // In the subquery, the name alone would be that of the target's column.
    let outer = sources[table].map { $0.hasPrefix("ONLY ") ? String($0.dropFirst(5)) : $0 } ?? ""
    guard let target = asTarget(table, column, outer, 0) else { return (reading, nil) }
    reading.expression = target.expression
    return (reading, target.type)
  }

  /// Returns how a column called `label` is read without regard to what it refers to.
  private func own(_ table: String, _ column: String, _ label: String) -> Reading {
    let type = columns[[table, column]]?.type ?? ""
    var reading = CatalogSchema.reading(label, type)
    guard type == "numeric", contains(table, column) else { return reading }
    // Equal numbers must become equal texts: 1 and 1.0 are the same key.
    let text = reading.expression
    reading.expression =
      "CASE WHEN \(text) LIKE '%.%' THEN pg_catalog.rtrim(pg_catalog.rtrim(\(text), '0'), '.') ELSE \(text) END"
    return reading
  }

  /// Returns the expression for the value to which a column of `row` refers, or its own if it refers to none, and the type
  /// of that value; `nil` if equal values have equal texts.
  private func asTarget(_ table: String, _ column: String, _ row: String, _ depth: Int) -> (
    expression: String, type: String
  )? {
    guard depth < 4, let found = columns[[table, column]] else { return nil }
    let label = { (name: String) in "\(row).\(ServerNames.quoted(name))" }
    let own = own(table, column, label(found.name))
    for reference in references[table] ?? [] {
      guard let place = reference.columns.firstIndex(of: column), let source = sources[reference.target],
        reference.columns.count == reference.targets.count, reference.columns.count == reference.operators.count,
        let target = columns[[reference.target, reference.targets[place]]],
        [table, column] != [reference.target, reference.targets[place]]
      else { continue }
      let alias = "decant_target\(depth)"
      let chained = asTarget(reference.target, reference.targets[place], alias, depth + 1)
      let theirs = self.own(reference.target, reference.targets[place], "\(alias).\(ServerNames.quoted(target.name))")
      guard own.type == .text, theirs.type == .text,
        chained != nil || !LinkedValues.areAlike(found.type, target.type)
      else { continue }
      var conditions = reference.columns.indices.compactMap { index -> String? in
        guard let one = columns[[reference.target, reference.targets[index]]],
          let other = columns[[table, reference.columns[index]]]
        else { return nil }
        return "\(alias).\(ServerNames.quoted(one.name)) OPERATOR(\(reference.operators[index])) \(label(other.name))"
      }
      let text = chained?.expression ?? theirs.expression
      if found.type == "citext" {
        // SQLite's NOCASE treats such texts as equal.
        let folded = [text, own.expression].map { "pg_catalog.lower((\($0)) COLLATE \"C\")" }
        conditions.append("\(folded[0]) <> \(folded[1])")
      }
      let value = "(SELECT \(text) FROM \(source) AS \(alias) WHERE \(conditions.joined(separator: " AND ")))"
      return ("coalesce(\(value), \(own.expression))", chained?.type ?? target.type)
    }
    return nil
  }

  private static func areAlike(_ one: String, _ other: String) -> Bool {
    one == other ? distinct.contains(one) : texts.isSuperset(of: [one, other])
  }
}
