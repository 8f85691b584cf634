internal import CDecantSQLite

extension Connection {
  /// Registers SQLite's JSON functions again, as innocuous.
  ///
  /// They are: they only compute from their arguments. But SQLite 3.38 to 3.40 inverts the mark, and refuses untrusted
  /// schemas that check or index JSON.
  func registerJSONFunctions() throws(SQLiteError) {
    let own = JSONEngine()
    for (name, counts) in JSONFunction.names {
      for count in counts {
        try register(JSONFunction(name, own), as: name, argumentCount: count, [.deterministic, .innocuous])
      }
    }
  }
}

/// A separate connection that computes the functions, opened on first use.
private final class JSONEngine {
  private var handle: OpaquePointer?
  private var statements: [String: OpaquePointer] = [:]

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Returns the statement that computes `sql`, without bindings.
  func statement(_ sql: String) -> OpaquePointer? {
    if let statement = statements[sql] { return statement }
    if handle == nil { sqlite3_open(":memory:", &handle) }
    var statement: OpaquePointer?
    sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    statements[sql] = statement
    return statement
  }

  var message: String { handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory" }
}

/// One of SQLite's JSON functions, computed on another connection.
private final class JSONFunction: ScalarFunction {
  /// The functions and their argument counts; -1 for any number.
  static let names: [(String, [Int32])] = [
    ("json", [1]), ("json_array", [-1]), ("json_array_length", [1, 2]), ("json_extract", [-1]),
    ("->", [2]), ("->>", [2]), ("json_insert", [-1]), ("json_object", [-1]), ("json_patch", [2]),
    ("json_quote", [1]), ("json_remove", [-1]), ("json_replace", [-1]), ("json_set", [-1]),
    ("json_type", [1, 2]), ("json_valid", [1]),
  ]

  /// The subtype with which SQLite marks a text as JSON.
  private static let subtype: UInt32 = 74

  private let name: String
  private let engine: JSONEngine

  init(_ name: String, _ engine: JSONEngine) {
    self.name = name
    self.engine = engine
  }

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    // A JSON argument is wrapped in json() again, as its subtype is lost by the binding.
    let parameters = (0..<arguments.count).map { index in
      arguments.subtype(at: index) == JSONFunction.subtype ? "json(?)" : "?"
    }
    let call =
      name.hasPrefix("-")
      ? parameters.joined(separator: " \(name) ") : "\(name)(\(parameters.joined(separator: ", ")))"
    guard let statement = engine.statement("SELECT \(call)") else {
      return result.fail(engine.message)
    }
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for index in 0..<arguments.count { arguments.bind(at: index, to: statement, as: index + 1) }
    guard sqlite3_step(statement) == SQLITE_ROW else { return result.fail(engine.message) }
    result.pass(sqlite3_column_value(statement, 0))
  }
}
