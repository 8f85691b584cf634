/// Names in PostgreSQL.
package enum ServerNames {
  /// The maximum number of bytes in a name.
  package static let limit = 63

  /// Returns the first ten of `names` as a list, for messages.
  package static func list(_ names: [String]) -> String {
    names.prefix(10).joined(separator: ", ") + (names.count > 10 ? " and others" : "")
  }

  /// Returns the name that the server gives to what it makes for a table and one of its columns, such as
  /// `recipe_id_seq`: of two names that are too long together, the longer one is cut.
  package static func made(from table: String, column: String? = nil, _ label: String) -> String {
    var parts = [Array(table.utf8), Array((column ?? "").utf8)]
    let rest = limit - label.utf8.count - (column == nil ? 1 : 2)
    while parts[0].count + parts[1].count > rest { parts[parts[0].count > parts[1].count ? 0 : 1].removeLast() }
    return (column == nil ? [whole(parts[0]), label] : [whole(parts[0]), whole(parts[1]), label])
      .joined(separator: "_")
  }

  /// Returns the name that the server gives to the type for arrays of `type`.
  package static func array(of type: String) -> String { "_" + whole(Array(type.utf8.prefix(limit - 1))) }

  /// Returns a text without a character that was cut.
  private static func whole(_ bytes: [UInt8]) -> String {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      bytes.removeLast()
    }
    return ""
  }

  /// Returns `name` in quotation marks, the only form in which names are used in statements.
  package static func quoted(_ name: String) -> String {
    "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }

  /// Returns a text as an SQL literal.
  package static func quoted(literal text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  /// Returns texts as the literal of an array.
  package static func array(_ texts: [String]) -> String {
    let elements = texts.map { text in
      "\"" + text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] } + "\""
    }
    return "{" + elements.joined(separator: ",") + "}"
  }

  /// The columns that every table has, whose names no other column may have.
  package static let systemColumns: Set<String> = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

  /// Whether `name` must be quoted in SQL: it is reserved, or not in lower case.
  package static func needsQuotes(_ name: String) -> Bool {
    let isPlain = name.utf8.enumerated().allSatisfy { index, byte in
      (97...122).contains(byte) || byte == 95 || byte >= 128 || (index > 0 && (48...57).contains(byte))
    }
    return !isPlain || reserved.contains(name)
  }

  /// The words that PostgreSQL 15 does not accept as the name of a table or a column.
  private static let reserved: Set<String> = [
    "all", "analyse", "analyze", "and", "any", "array", "as", "asc", "asymmetric", "authorization", "binary", "both",
    "case", "cast", "check", "collate", "collation", "column", "concurrently", "constraint", "create", "cross",
    "current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp",
    "current_user", "default", "deferrable", "desc", "distinct", "do", "else", "end", "except", "false", "fetch", "for",
    "foreign", "freeze", "from", "full", "grant", "group", "having", "ilike", "in", "initially", "inner", "intersect",
    "into", "is", "isnull", "join", "lateral", "leading", "left", "like", "limit", "localtime", "localtimestamp",
    "natural", "not", "notnull", "null", "offset", "on", "only", "or", "order", "outer", "overlaps", "placing",
    "primary", "references", "returning", "right", "select", "session_user", "similar", "some", "symmetric",
    "system_user", "table", "tablesample", "then", "to", "trailing", "true", "union", "unique", "user", "using",
    "variadic", "verbose", "when", "where", "window", "with",
  ]
}
