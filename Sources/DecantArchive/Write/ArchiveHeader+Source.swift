internal import DecantCoreData
internal import DecantPlain
package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantJSON
package import DecantSQLite

extension ArchiveHeader {
  /// Describes the objects of `source`, without counting them.
  ///
  /// - Parameters:
  ///   - source: The store.
  ///   - layout: The tables by which the model is described; by default those of the store.
  ///   - fingerprint: The state of the store.
  ///   - connection: Any connection.
  /// - Throws: `DecantError` if the current time is not available.
  package init(
    of source: any SourceStore,
    as layout: Layout? = nil,
    fingerprint: String,
    on connection: Connection
  ) throws(DecantError) {
    id = StoreMetadata.newUUID()
    created = try explaining("cannot read the clock") { () throws(SQLiteError) in
      try connection.text("SELECT strftime('%Y-%m-%dT%H:%M:%SZ', 'now')") ?? ""
    }
    var told = source.model
    if source.modelGap != nil { told.isFromTables = true }
    model = ArchiveModel(told)
    model.describe(layout ?? source.layout, of: source.model)
    var kind = PlainKind.name
    if case .whole = source.whole.form { kind = source.identity.kind }
    self.source = Source(kind: kind, uuid: source.identity.uuid, fingerprint: fingerprint)
  }

  /// Counts the objects of `source`, which is attached to `connection` as `schema`.
  package mutating func count(
    _ source: any SourceStore,
    in schema: String,
    on connection: Connection
  ) throws(DecantError) {
    for relation in source.layout.relations {
      let found = try explaining("cannot count \(relation.root)") {
        () throws(SQLiteError) in try relation.counts(in: schema, on: connection)
      }
      counts += found.counts
      unknownCount += found.unknown
      if let last = found.last { lastIDs.append((relation.root, last)) }
    }
  }
}

extension Relation {
  /// Returns the number of objects of each entity, and the highest key in the archive.
  fileprivate func counts(in schema: String, on connection: Connection) throws(SQLiteError) -> (
    counts: [(String, Int64)], last: Int64?, unknown: Int64
  ) {
    let key = keyColumn.map { "max(\($0.sqlName))" } ?? "NULL"
    // In one pass: grouping would sort the whole table.
    let code = entityCode()
    let counts = entities.map { entity in
      code.map { "count(CASE WHEN \($0) = \(entity.code) THEN 1 END)" } ?? "count(*)"
    }
    let row = try connection.prepare(
      "SELECT \(([key, "count(*)"] + counts).joined(separator: ", ")) "
        + "FROM \(schema.sqlName).\(table.sqlName)"
    )
    guard try row.step() else { return ([], nil, 0) }
    let found = entities.enumerated().map { ($1.name, row.integer(at: $0 + 2)) }
    let known = found.reduce(0) { $0 + $1.1 }
    // Objects without an integer key are numbered in order, from 1 for each entity.
    let numbered = keyColumn == nil ? found.map(\.1).max().flatMap { $0 > 0 ? $0 : nil } : nil
    return (found, numbered ?? row.integerOrNil(at: 0), row.integer(at: 1) - known)
  }
}

extension ArchiveModel {
  /// Records where the links of each relationship are, and the names of key columns.
  mutating func describe(_ layout: Layout, of model: Model) {
    for relation in layout.relations {
      if model.isFromTables, let key = relation.keyColumn { keyColumns[relation.root] = key }
      for column in relation.columns {
        switch column.columnRole {
        case .target(let property): written[property] = .bool(true)
        case .owner(let property): written[property] = .string("of")
        case .attribute, .key, .targetEntity, .position, .ownerPosition, .unnamed, .revision:
          continue
        }
      }
    }
    for list in layout.linkRelations {
      written[list.relationship] =
        model.isFromTables
        ? .object([
          ("table", .string(list.table)), ("owner", .string(list.ownerColumn)),
          ("target", .string(list.targetColumn)),
        ]) : .bool(true)
    }
  }
}
