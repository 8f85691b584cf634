internal import DecantBase
internal import DecantJSON
internal import DecantStore
internal import DecantSQLite

/// Reads a decided value.
enum DecidedValue {
  /// Returns the value in the form of a column, or the reason why it does not fit.
  ///
  /// - Parameters:
  ///   - json: The value as JSON text.
  ///   - kind: The kind of conflict.
  ///   - column: The column; `nil` for a link.
  ///   - connection: Any connection, since SQLite reads the JSON.
  /// - Returns: Either a value or a problem.
  /// - Throws: `SQLiteError` if memory is short.
  static func read(
    _ json: String,
    _ kind: MergeConflict.Kind,
    _ column: RelationColumn?,
    on connection: Connection
  ) throws(SQLiteError) -> (value: Binding?, problem: String?) {
    guard kind == .value else { return (nil, "only an attribute can have a value") }
    guard try connection.integer("SELECT json_valid(?1)", .text(json)) == 1 else {
      return (nil, problem(column))
    }
    // SQLite would store only what is before it.
    if case .string(let text)? = try? JSONValue(reading: json), text.utf8.contains(0) {
      return (nil, "the value contains the character 0")
    }
    var found: (value: Binding?, problem: String?) = (nil, nil)
    try connection.forEachRow("SELECT json_type(?1), ?1 ->> '$'", .text(json)) { row in
      let type = row.text(at: 0) ?? ""
      found = read(type, digits(json, type, column) ?? row.value(at: 1), column)
    }
    return found
  }

  /// Returns the JSON text of a number, or of any value for JSON, if the column has a spelling; `nil` otherwise.
  ///
  /// SQLite would shorten numbers, and return Booleans as numbers.
  private static func digits(_ json: String, _ type: String, _ column: RelationColumn?) -> Binding? {
    guard case .spelled(let spelling)? = column?.encoding.unlimited else { return nil }
    let isNumber = type == "integer" || type == "real"
    return switch spelling.kind {
    case .smallint, .integer, .bigint, .real, .double, .numeric: isNumber ? .text(json) : nil
    case .jsonb: isNumber || ["true", "false", "object", "array"].contains(type) ? .text(json) : nil
    case .boolean, .text, .bpchar, .bytea, .date, .time, .timestamp, .timestamptz, .uuid, .asked: nil
    }
  }

  /// Returns the reason why an invalid JSON text is not a value of a column.
  private static func problem(_ column: RelationColumn?) -> String {
    switch column?.type {
    case .double, .float, .decimal: "the value is not a number like 4.5"
    case .integer16, .integer32, .integer64: "the value is not a whole number"
    case .boolean: "the value is not true or false"
    default: "the value is not valid JSON; put text in double quotes"
    }
  }

  /// Returns the value in the form of a column, or the reason why it does not fit.
  ///
  /// - Parameters:
  ///   - type: SQLite's name of the JSON type: `text`, `integer` and so on.
  ///   - value: The value.
  ///   - column: The column; `nil` for a link.
  /// - Returns: Either a value or a problem.
  private static func read(_ type: String, _ value: Binding, _ column: RelationColumn?) -> (
    value: Binding?, problem: String?
  ) {
    guard let column else {
      return (nil, "a link can only be “mine” or “theirs”")
    }
    if case .spelled(let spelling) = column.encoding.unlimited {
      guard let spelled = spelling.respelled(value) else {
        return (nil, "the value is not of the type \(spelling.typeName)")
      }
      return (spelled, nil)
    }
    guard column.encoding == .asIs, !column.isExternal, type != "object", type != "array" else {
      return (nil, "this attribute can only be “mine” or “theirs”")
    }
    if type == "null" { return (.null, nil) }
    switch column.type {
    case .integer16: return integer(type, value, Int64(Int16.min)...Int64(Int16.max))
    case .integer32: return integer(type, value, Int64(Int32.min)...Int64(Int32.max))
    case .integer64: return integer(type, value, Int64.min...Int64.max)
    case .boolean:
      guard case .integer(0...1) = value, type != "text" else {
        return (nil, "the value is not true or false")
      }
      return (value, nil)
    case .double, .float, .decimal:
      guard type == "integer" || type == "real" else { return (nil, "the value is not a number") }
      return (value, nil)
    case .string, .uri:
      guard type == "text" else { return (nil, "the value is not text") }
      return (value, nil)
    case .date:
      guard case .text(let text) = value, type == "text", let seconds = DateText.seconds(of: text)
      else { return (nil, "the value is not a date like \"2026-01-31T08:15:00Z\"") }
      return (Int64(exactly: seconds).map { .integer($0) } ?? .real(seconds), nil)
    case .uuid:
      guard case .text(let text) = value, let bytes = [UInt8](uuidText: text) else {
        return (nil, "the value is not a UUID")
      }
      return (.blob(bytes), nil)
    case .binary, .transformable, .objectID, .composite:
      return (nil, "this attribute can only be “mine” or “theirs”")
    case .undefined, nil: return (value, nil)
    }
  }

  private static func integer(_ type: String, _ value: Binding, _ range: ClosedRange<Int64>) -> (
    value: Binding?, problem: String?
  ) {
    guard type == "integer", case .integer(let integer) = value, range.contains(integer) else {
      return (nil, "the value is not a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return (value, nil)
  }
}
