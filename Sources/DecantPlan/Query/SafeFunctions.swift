internal import DecantSQLite

/// The SQL functions that a user's SQL may call: they depend on their arguments and have no side effects.
enum SafeFunctions {
  /// The functions with repeatable results, which a condition of a copy may call.
  static let repeatable: Set<String> = scalar.union(math).union(time).union(json)
    .union(aggregates).union(windows).union(ValueFunctions.names)

  /// All of them.
  static let all: Set<String> = repeatable.union(search).union(["random", "randomblob"])

  /// Registers table-valued functions on `connection` before an authorizer is set: SQLite reads its own schema on their
  /// first use, which no query may do.
  static func prepareTables(on connection: Connection) throws(SQLiteError) {
    for name in ["json_each", "json_tree"] {
      _ = try connection.prepare("SELECT 1 FROM \(name)('[]')")
    }
  }

  private static let scalar: Set<String> = [
    "->", "->>", "abs", "char", "coalesce", "concat", "concat_ws", "format", "glob", "hex", "if",
    "ifnull", "iif", "instr", "length", "like", "likelihood", "likely", "lower", "ltrim", "max",
    "min", "nullif", "octet_length", "printf", "quote", "replace", "round", "rtrim", "sign",
    "soundex", "sqlite_version", "substr", "substring", "trim", "typeof", "unhex", "unicode",
    "unlikely", "upper", "zeroblob",
  ]

  private static let math: Set<String> = [
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "ceil", "ceiling", "cos", "cosh",
    "degrees", "exp", "floor", "ln", "log", "log10", "log2", "mod", "pi", "pow", "power", "radians",
    "sin", "sinh", "sqrt", "tan", "tanh", "trunc",
  ]

  static let time: Set<String> = [
    "current_date", "current_time", "current_timestamp", "date", "datetime", "julianday",
    "strftime", "time", "timediff", "unixepoch",
  ]

  private static let json: Set<String> = [
    "json", "json_array", "json_array_length", "json_error_position", "json_extract",
    "json_group_array", "json_group_object", "json_insert", "json_object", "json_patch",
    "json_quote", "json_remove", "json_replace", "json_set", "json_type", "json_valid",
  ]

  /// Functions on the rows found in full-text tables.
  private static let search: Set<String> = [
    "bm25", "highlight", "match", "matchinfo", "offsets", "snippet",
  ]

  private static let aggregates: Set<String> = [
    "avg", "count", "group_concat", "string_agg", "sum", "total",
  ]

  private static let windows: Set<String> = [
    "cume_dist", "dense_rank", "first_value", "lag", "last_value", "lead", "nth_value", "ntile",
    "percent_rank", "rank", "row_number",
  ]
}
