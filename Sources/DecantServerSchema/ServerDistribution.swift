internal import DecantBase
internal import DecantPostgres

/// How the tables of a schema could be distributed in a Citus cluster, according to its documentation.
///
/// A table is distributed by its key, and the parts of its objects, which are deleted with them, by the column that
/// refers to them. A table to which others refer, and that has no parts, is a reference table.
struct ServerDistribution {
  private let schema: ServerSchema
  private let statements: ServerStatements
  /// The reference of each part to its owner, by table.
  private var owners: [String: ServerSchema.Reference] = [:]

  init(_ schema: ServerSchema, _ statements: ServerStatements) {
    (self.schema, self.statements) = (schema, statements)
    let parts = schema.references.filter {
      $0.onDelete == "CASCADE" && $0.table != $0.target && $0.columns.count == 1
    }
    // Of several owners, as of the rows of a link table, that with the most parts counts.
    let counts = Dictionary(grouping: parts, by: \.target).mapValues(\.count)
    for part in parts where counts[part.target, default: 0] > counts[owners[part.table]?.target ?? "", default: 0] {
      owners[part.table] = part
    }
  }

  private enum Form: Equatable {
    /// Distributed by a column, together with the table whose key it holds.
    case distributed(column: String, top: String)
    case reference
    /// A part of a part, which has no column with the key of the first owner.
    case indirect(top: String)
    case unknown
  }

  private func form(of table: ServerSchema.Table) -> Form {
    var path = [table.name]
    while let owner = owners[path[path.count - 1]]?.target {
      guard !path.contains(owner) else { return .unknown }
      path.append(owner)
    }
    guard let owner = owners[table.name] else {
      guard table.key.count == 1 else { return .unknown }
      let isReferredTo = schema.references.contains { $0.target == table.name && $0.table != table.name }
      let isOwner = owners.values.contains { $0.target == table.name }
      return isReferredTo && !isOwner ? .reference : .distributed(column: table.key[0], top: table.name)
    }
    return path.count == 2
      ? .distributed(column: owner.columns[0], top: path[1]) : .indirect(top: path[path.count - 1])
  }

  /// Returns the lines of an SQL comment on a table: what distributes it, and what Citus would refuse.
  func comment(on table: ServerSchema.Table) -> [String] {
    let name = literal(table.name)
    let statement: String
    var obstacles: [String] = []
    switch form(of: table) {
    case .unknown: return []
    case .reference:
      statement = "create_reference_table(\(name))"
      obstacles = references(of: table) { _ in false }
    case .indirect(let top):
      return ["-- Citus: it can be distributed with \(ServerNames.quoted(top)) only by another column, with that key"]
    case .distributed(let column, let top):
      let with = top == table.name ? "" : ", colocate_with => \(literal(top))"
      statement = "create_distributed_table(\(name), \(ServerNames.quoted(literal: column))\(with))"
      let quoted = ServerNames.quoted(column)
      if table.columns.contains(where: { $0.name == column && !$0.wantsValue }) {
        obstacles.append("\(quoted) may be NULL")
      }
      if !table.key.isEmpty, !table.key.contains(column) { obstacles.append("the key does not contain \(quoted)") }
      for index in schema.indexes where index.isUnique && index.table == table.name && !index.columns.contains(column) {
        obstacles.append("the unique index \(ServerNames.quoted(index.name)) does not contain \(quoted)")
      }
      obstacles += references(of: table) { reference in
        guard let target = schema.tables.first(where: { $0.name == reference.target }),
          case .distributed(let other, let otherTop) = form(of: target), otherTop == top
        else { return false }
        return zip(reference.columns, reference.targetColumns).contains { $0 == column && $1 == other }
      }
    }
    return ["-- Citus: SELECT \(statement);"] + obstacles.map { "--   not allowed: \($0)" }
  }

  /// Returns the foreign keys of a table that Citus would refuse: those to tables that are no reference tables, unless
  /// `isColocated` says that both rows are on one node.
  private func references(of table: ServerSchema.Table, isColocated: (ServerSchema.Reference) -> Bool) -> [String] {
    schema.references.filter { reference in
      guard reference.table == table.name, let target = schema.tables.first(where: { $0.name == reference.target })
      else { return false }
      return form(of: target) != .reference && !isColocated(reference)
    }.map { "the foreign key \(ServerNames.quoted($0.name)) may lead to another node" }
  }

  private func literal(_ table: String) -> String { ServerNames.quoted(literal: statements.qualified(table)) }
}
