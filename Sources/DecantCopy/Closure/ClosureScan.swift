internal import DecantBase
internal import DecantMatch
internal import DecantStore
internal import DecantSQLite

/// The final check of a copy with `--root`: it reads every object and link of the result, and determines its origin.
///
/// It asks the closure for each of them instead of the ID table by which rows were written. An object that should not
/// have been copied, and a link to one, are therefore found regardless of their cause.
final class ClosureScan {
  private let closure: Closure
  private let ids: IDTable
  /// Whether the destination contains only the copy.
  private let isNew: Bool
  /// The selected objects, by root entity.
  private var members: [String: KeySet] = [:]

  init(_ closure: Closure, ids: IDTable, isNew: Bool) {
    self.closure = closure
    self.ids = ids
    self.isNew = isNew
  }

  /// Reads the selected objects of `map` once; looking up each one would take longer than the copy.
  private func members(of map: IDMap) throws(SQLiteError) -> KeySet {
    if let set = members[map.root] { return set }
    let set = try KeySet(like: map.existing, on: closure.connection)
    if let keys = closure.keys(of: map.root) {
      try closure.connection.forEachRow(keys) { row throws(SQLiteError) in
        try set.insert(row.integer(at: 0))
      }
    }
    // Empty objects contain nothing of the objects they replace.
    try map.stubs?.forEach { key throws(SQLiteError) in try set.insert(key) }
    try set.seal()
    members[map.root] = set
    return set
  }

  /// Reads the result in `schema` of `connection`.
  ///
  /// - Throws: `DecantError` of the family `.failed` for the first object or link that should not be there.
  func run(_ layout: Layout, on connection: Connection, schema: String) throws(DecantError) {
    for relation in layout.relations {
      let intruder = try explaining("cannot read \(relation.root) of the result") {
        () throws(SQLiteError) in
        switch relation.key {
        case .integer: try self.intruder(in: relation, on: connection, schema)
        case .values(let columns): try self.intruder(in: relation, columns, on: connection, schema)
        case .none: try self.row(in: relation, on: connection, schema)
        }
      }
      if let intruder { throw failure(intruder) }
    }
    guard isNew else { return }
    for link in layout.links where link.isTable {
      let intruder = try explaining("cannot read the links \(link.relationship) of the result") {
        () throws(SQLiteError) in try self.intruder(in: link, on: connection, schema)
      }
      if let intruder { throw failure(intruder) }
    }
  }

  private func failure(_ intruder: String) -> DecantError {
    DecantError(
      .proofFailed,
      "\(intruder), which \(option: .root) does not include",
      remedy: "nothing was written; this is a bug in decant: please report it"
    )
  }

  /// Returns the problem with an object, as the beginning of a sentence.
  private func intruder(in relation: Relation, on connection: Connection, _ schema: String)
    throws(SQLiteError) -> String?
  {
    guard let map = ids.map(of: relation.root) else { return nil }
    let taken = try members(of: map)
    let links = relation.columns.compactMap { column -> (column: String, map: IDMap)? in
      guard isNew, let target = column.targetRoot, let map = ids.map(of: target) else { return nil }
      switch column.columnRole {
      case .target, .owner: return (relation.value(of: column), map)
      case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision:
        return nil
      }
    }
    let rows = try connection.prepare(
      SelectStatement(columns: [relation.keyName] + links.map(\.column), source: relation.sqlTable(in: schema)).sql
    )
    while try rows.step() {
      let key = rows.integer(at: 0)
      if let origin = try map.source(of: key) {
        if try !taken.contains(origin) {
          return "the result holds \(relation.root) p\(key)"
        }
      } else if isNew {
        return "the result holds \(relation.root) p\(key)"
      }
      for (position, link) in links.enumerated() where rows.type(at: position + 1) == .integer {
        if try leadsOut(rows.integer(at: position + 1), link.map) {
          return "\(relation.root) p\(key) of the result points to an object of \(link.map.root)"
        }
      }
    }
    return nil
  }

  /// Returns whether a link of the result leads to a source object that is not selected.
  private func leadsOut(_ key: Int64, _ map: IDMap) throws(SQLiteError) -> Bool {
    if let origin = try map.source(of: key) {
      return try !members(of: map).contains(origin)
    }
    // A new store keeps keys: the key belongs to an object, or to no object in the source either.
    return try map.existing.contains(key)
  }

  private func intruder(in link: Link, on connection: Connection, _ schema: String) throws(SQLiteError) -> String? {
    guard let holders = ids.map(of: link.holder), let targets = ids.map(of: link.target) else {
      return nil
    }
    let maps = [holders, targets]
    let rows = try connection.prepare(link.rows(in: schema, bothWays: false))
    while try rows.step() {
      for (position, map) in maps.enumerated() where rows.type(at: position) == .integer {
        if try leadsOut(rows.integer(at: position), map) {
          return "a link \(link.relationship) of the result points to an object of \(map.root)"
        }
      }
    }
    return nil
  }

  /// Rows with value keys keep them in a destination that contains nothing else.
  private func intruder(
    in relation: Relation,
    _ columns: [String],
    on connection: Connection,
    _ schema: String
  ) throws(SQLiteError) -> String? {
    guard isNew, let rows = closure.tables.rows(of: relation.root) else { return nil }
    let select = SelectStatement(columns: columns.map(\.sqlName), source: relation.sqlTable(in: schema))
    let result = try connection.prepare(select.sql)
    while try result.step() {
      let key = columns.indices.map { result.value(at: $0) }
      if try !closure.contains(key, of: rows.relation.root) {
        return "the result holds a row of \(relation.root)"
      }
    }
    return nil
  }

  private func row(in relation: Relation, on connection: Connection, _ schema: String) throws(SQLiteError) -> String? {
    guard isNew else { return nil }
    let table = relation.sqlTable(in: schema)
    let count = try connection.integer("SELECT EXISTS (SELECT 1 FROM \(table))")
    return count == 1 ? "the result holds rows of \(relation.root)" : nil
  }
}
