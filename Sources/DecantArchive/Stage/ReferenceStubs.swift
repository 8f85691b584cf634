internal import DecantSQLite

/// Stubs for objects that links of an archive only refer to.
///
/// They have only their identifying values, and are never copied. If the destination has the same object, the link
/// points to it.
package struct ReferenceStubs {
  /// The first key of the stubs, above those of all other objects.
  package static let firstKey: Int64 = 1 << 62

  /// The number of stubs by entity.
  private(set) var counts: [String: Int64] = [:]
  /// The names of the attributes that identify stubs, by entity.
  private(set) var keyNames: [String: [String]] = [:]
  private var next = ReferenceStubs.firstKey
  private var insertions: [String: Statement] = [:]
  /// The parameters for NOT NULL columns, by entity.
  private var required: [String: [Int]] = [:]
  private var known: (insertion: Statement, lookup: Statement)?

  /// Returns the key of the stub for `reference`, which is created if it does not exist.
  ///
  /// Returns `nil` if the table requires values that are not known.
  mutating func key(
    of reference: ArchivedReference,
    _ entity: StagedEntity,
    isWide: Bool,
    on connection: Connection
  ) throws -> Int64? {
    let name = Binding.blob(ReferenceStubs.name(of: reference))
    let known = try known ?? ReferenceStubs.prepare(on: connection)
    self.known = known
    try known.lookup.bind([name])
    defer { known.lookup.reset() }
    if try known.lookup.step() { return known.lookup.integer(at: 0) }
    guard let sql = entity.insertion?.sql, let keyParameter = entity.keyParameter else {
      return nil
    }
    let insertion = try insertions[entity.name] ?? connection.prepare(sql)
    insertions[entity.name] = insertion
    insertion.clearBindings()
    insertion.bind(integer: next, at: keyParameter)
    if let place = entity.revisionParameter { insertion.bind(integer: 1, at: place) }
    // NOT NULL columns get a number that is used nowhere else.
    for parameter in try required(of: entity, on: connection) where parameter != keyParameter {
      insertion.bind(integer: next, at: parameter)
    }
    entity.beginObject()
    for (name, value) in reference.key {
      let slot = try name.withUnsafeBytes { name throws(ArchiveFault) in
        try entity.values.slot(name)
      }
      guard let slot, slot.parameter > 0 else {
        throw ArchiveFault("a reference names an attribute that is not in the header")
      }
      let binding: Binding =
        switch value {
        case .null: .null
        case .integer(let integer): .integer(integer)
        case .real(let real): .real(real)
        case .text(let bytes): .utf8(bytes)
        case .bytes(let bytes): .blob(bytes)
        }
      try insertion.bind(binding, at: slot.parameter)
    }
    do throws(SQLiteError) {
      _ = try insertion.step()
      insertion.reset()
    } catch {
      insertion.reset()
      guard error.isConstraint else { throw error }
      return nil
    }
    try known.insertion.run(name, .integer(next))
    counts[entity.name, default: 0] += 1
    if keyNames[entity.name] == nil {
      keyNames[entity.name] = reference.key.map { String(decoding: $0.name, as: UTF8.self) }
    }
    next += 1
    return next - 1
  }

  private mutating func required(of entity: StagedEntity, on connection: Connection) throws(SQLiteError) -> [Int] {
    if let known = required[entity.name] { return known }
    var columns: Set<String> = []
    try connection.forEachRow(
      "SELECT name FROM pragma_table_info(?1, 'main') WHERE \"notnull\"",
      .text(entity.table)
    ) { row in
      columns.insert(row.text(at: 0) ?? "")
    }
    let found = entity.columns.indices.filter { columns.contains(entity.columns[$0]) }.map {
      $0 + 1
    }
    required[entity.name] = found
    return found
  }

  /// Releases the database.
  mutating func end() {
    insertions = [:]
    known = nil
  }

  private static func prepare(on connection: Connection) throws(SQLiteError) -> (
    insertion: Statement, lookup: Statement
  ) {
    try connection.run("CREATE TEMP TABLE stubs (name BLOB PRIMARY KEY, key) WITHOUT ROWID")
    return (
      try connection.prepare("INSERT INTO temp.stubs VALUES (?1, ?2)"),
      try connection.prepare("SELECT key FROM temp.stubs WHERE name = ?1")
    )
  }

  /// Returns a key that distinguishes references.
  private static func name(of reference: ArchivedReference) -> [UInt8] {
    var name = reference.entity + [0]
    for (attribute, value) in reference.key.sorted(by: {
      $0.name.lexicographicallyPrecedes($1.name)
    }) {
      name += attribute + Array("\(value)".utf8) + [0]
    }
    return name
  }
}
