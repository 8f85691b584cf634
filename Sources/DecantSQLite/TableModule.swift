internal import CDecantSQLite

/// A module of virtual tables, used in `CREATE VIRTUAL TABLE … USING name`.
open class TableModule {
  /// Whether the module has a single table of its own name that need not be created.
  package let isEponymous: Bool

  /// Creates a module without tables unless a subclass provides some.
  public init(isEponymous: Bool = false) { self.isEponymous = isEponymous }

  /// Returns the table called `name`; `arguments` are those after the module's name.
  open func table(_ name: String, arguments: [String]) throws(SQLiteError) -> ModuleTable {
    throw SQLiteError(code: SQLITE_ERROR, message: "no table \(name)")
  }
}

extension Connection {
  /// Registers `module` under `name`; the connection keeps it.
  ///
  /// Its tables are read-only, and views may read them, too.
  package func register(_ module: TableModule, as name: String) throws(SQLiteError) {
    keep(module)
    try check(
      sqlite3_create_module_v2(
        handle,
        name,
        module.isEponymous ? callbacks.eponymous : callbacks.created,
        Unmanaged.passUnretained(module).toOpaque(),
        nil
      )
    )
  }
}

/// The callbacks of SQLite, one set for all modules.
///
/// Unchecked, but safe to share: allocated once, never written afterwards.
private struct Callbacks: @unchecked Sendable {
  let created: UnsafeMutablePointer<sqlite3_module>
  let eponymous: UnsafeMutablePointer<sqlite3_module>

  init() {
    var module = sqlite3_module()
    module.iVersion = 1
    module.xConnect = { database, module, count, arguments, table, message in
      connect(database, module, count, arguments, table, message)
    }
    module.xBestIndex = { table, info in
      guard let table, let info else { return SQLITE_MISUSE }
      return content(of: table).choose(info)
    }
    module.xDisconnect = { table in
      guard let table else { return SQLITE_OK }
      sqlite3_free(table.pointee.zErrMsg)
      table.withMemoryRebound(to: decant_table.self, capacity: 1) { place in
        if let content = place.pointee.content {
          Unmanaged<ModuleTable>.fromOpaque(content).release()
        }
        place.deallocate()
      }
      return SQLITE_OK
    }
    module.xOpen = { table, cursor in
      guard let table, let cursor else { return SQLITE_MISUSE }
      return open(table, cursor)
    }
    module.xClose = { cursor in
      guard let cursor else { return SQLITE_OK }
      cursor.withMemoryRebound(to: decant_cursor.self, capacity: 1) { place in
        if let content = place.pointee.content {
          Unmanaged<ModuleCursor>.fromOpaque(content).release()
        }
        place.deallocate()
      }
      return SQLITE_OK
    }
    module.xFilter = { cursor, number, _, count, values in
      guard let cursor, let table = cursor.pointee.pVtab,
        let scan = content(of: table).scan(number), let values = values ?? noValues.pointer
      else { return SQLITE_MISUSE }
      return reporting(to: table) { () throws(SQLiteError) in
        try content(of: cursor).begin(scan, FunctionArguments(values, count: count))
      }
    }
    module.xNext = { cursor in
      guard let cursor else { return SQLITE_MISUSE }
      return reporting(to: cursor.pointee.pVtab) { () throws(SQLiteError) in
        try content(of: cursor).advance()
      }
    }
    module.xEof = { cursor in
      guard let cursor else { return 1 }
      return content(of: cursor).isAtEnd ? 1 : 0
    }
    module.xColumn = { cursor, context, position in
      guard let cursor, let context else { return SQLITE_MISUSE }
      do throws(SQLiteError) {
        try content(of: cursor).give(Int(position), as: FunctionResult(context))
        return SQLITE_OK
      } catch {
        sqlite3_result_error(context, error.message, -1)
        sqlite3_result_error_code(context, error.code)
        return error.code
      }
    }
    module.xRowid = { cursor, rowID in
      guard let cursor, let rowID else { return SQLITE_MISUSE }
      return reporting(to: cursor.pointee.pVtab) { () throws(SQLiteError) in
        rowID.pointee = try content(of: cursor).rowID()
      }
    }
    eponymous = .allocate(capacity: 1)
    eponymous.initialize(to: module)
    // Without these two the module has only its eponymous table.
    module.xCreate = module.xConnect
    module.xDestroy = module.xDisconnect
    created = .allocate(capacity: 1)
    created.initialize(to: module)
  }
}

private let callbacks = Callbacks()

/// Creates a table and declares its columns to SQLite.
private func connect(
  _ database: OpaquePointer?,
  _ module: UnsafeMutableRawPointer?,
  _ count: Int32,
  _ arguments: UnsafePointer<UnsafePointer<CChar>?>?,
  _ table: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> Int32 {
  guard let database, let module, let arguments, let table else { return SQLITE_MISUSE }
  // The module, the schema and the table come first.
  let words = (0..<Int(count)).map { arguments[$0].map { String(cString: $0) } ?? "" }
  guard words.count >= 3 else { return SQLITE_MISUSE }
  do throws(SQLiteError) {
    let content = try Unmanaged<TableModule>.fromOpaque(module).takeUnretainedValue()
      .table(words[2], arguments: Array(words[3...]))
    var code = sqlite3_declare_vtab(database, content.declaration)
    if code == SQLITE_OK { code = decant_sqlite_vtab_innocuous(database) }
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: String(cString: sqlite3_errmsg(database)))
    }
    let place = UnsafeMutablePointer<decant_table>.allocate(capacity: 1)
    place.initialize(to: decant_table())
    place.pointee.content = Unmanaged.passRetained(content).toOpaque()
    table.pointee = UnsafeMutableRawPointer(place).assumingMemoryBound(to: sqlite3_vtab.self)
    return SQLITE_OK
  } catch {
    message?.pointee = decant_sqlite_copy(error.message)
    return error.code
  }
}

/// Creates a cursor.
private func open(
  _ table: UnsafeMutablePointer<sqlite3_vtab>,
  _ cursor: UnsafeMutablePointer<UnsafeMutablePointer<sqlite3_vtab_cursor>?>
) -> Int32 {
  reporting(to: table) { () throws(SQLiteError) in
    let content = try content(of: table).makeCursor()
    let place = UnsafeMutablePointer<decant_cursor>.allocate(capacity: 1)
    place.initialize(to: decant_cursor())
    place.pointee.content = Unmanaged.passRetained(content).toOpaque()
    cursor.pointee = UnsafeMutableRawPointer(place)
      .assumingMemoryBound(to: sqlite3_vtab_cursor.self)
  }
}

private func content(of table: UnsafeMutablePointer<sqlite3_vtab>) -> ModuleTable {
  table.withMemoryRebound(to: decant_table.self, capacity: 1) { place in
    guard let content = place.pointee.content else { preconditionFailure("a table of nothing") }
    return Unmanaged<ModuleTable>.fromOpaque(content).takeUnretainedValue()
  }
}

private func content(of cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>) -> ModuleCursor {
  cursor.withMemoryRebound(to: decant_cursor.self, capacity: 1) { place in
    guard let content = place.pointee.content else { preconditionFailure("a cursor of nothing") }
    return Unmanaged<ModuleCursor>.fromOpaque(content).takeUnretainedValue()
  }
}

/// Runs `body`; returns the code of an error, and sets its message on `table`.
private func reporting(to table: UnsafeMutablePointer<sqlite3_vtab>?, _ body: () throws(SQLiteError) -> Void) -> Int32 {
  do throws(SQLiteError) {
    try body()
    return SQLITE_OK
  } catch {
    if let table {
      sqlite3_free(table.pointee.zErrMsg)
      table.pointee.zErrMsg = decant_sqlite_copy(error.message)
    }
    return error.code
  }
}

extension ModuleTable {
  /// The statement that declares the columns to SQLite; its table name has no meaning.
  fileprivate var declaration: String {
    let columns = columns.map { column in
      "\(column.name.quotedName) \(column.type) COLLATE \(column.collation.quotedName)"
    }
    guard !primaryKey.isEmpty else { return "CREATE TABLE t (\(columns.joined(separator: ", ")))" }
    let key = primaryKey.map { self.columns[$0].name.quotedName }.joined(separator: ", ")
    return "CREATE TABLE t (\(columns.joined(separator: ", ")), PRIMARY KEY (\(key))) WITHOUT ROWID"
  }

  /// Selects constraints that SQLite offers, and sets the estimate of the scan.
  fileprivate func choose(_ info: UnsafeMutablePointer<sqlite3_index_info>) -> Int32 {
    guard info.pointee.nConstraint == 0 || info.pointee.aConstraint != nil,
      info.pointee.nConstraint == 0 || info.pointee.aConstraintUsage != nil
    else { return SQLITE_MISUSE }
    var constraints: [Constraint] = []
    for index in 0..<Int(info.pointee.nConstraint) {
      let offered = info.pointee.aConstraint[index]
      guard offered.usable != 0, let comparison = Constraint.Comparison(code: offered.op),
        let collation = sqlite3_vtab_collation(info, Int32(clamping: index))
      else { continue }
      let constraint = Constraint(
        column: offered.iColumn < 0 ? nil : Int(offered.iColumn),
        comparison: comparison,
        collation: String(cString: collation),
        // SQLite does not report this for constraints after the first 32.
        isOneOfMany: index > 31 || sqlite3_vtab_in(info, Int32(clamping: index), -1) != 0
      )
      guard accepts(constraint) else { continue }
      constraints.append(constraint)
      info.pointee.aConstraintUsage[index].argvIndex = Int32(clamping: constraints.count)
    }
    let scan = scan(constraints, columns: info.pointee.colUsed)
    let effort = effort(of: scan)
    info.pointee.idxNum = scan.number
    info.pointee.estimatedCost = effort.cost
    info.pointee.estimatedRows = effort.rowCount
    return SQLITE_OK
  }
}

extension Constraint.Comparison {
  fileprivate init?(code: UInt8) {
    switch Int32(code) {
    case SQLITE_INDEX_CONSTRAINT_EQ: self = .equal
    case SQLITE_INDEX_CONSTRAINT_LT: self = .less
    case SQLITE_INDEX_CONSTRAINT_LE: self = .lessOrEqual
    case SQLITE_INDEX_CONSTRAINT_GT: self = .greater
    case SQLITE_INDEX_CONSTRAINT_GE: self = .greaterOrEqual
    default: return nil
    }
  }
}
