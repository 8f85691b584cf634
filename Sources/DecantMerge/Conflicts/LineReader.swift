internal import DecantBase
internal import DecantJSON
internal import DecantSQLite
internal import DecantSystem

/// Reads lines of a file of decisions into the table `decision`.
struct LineReader {
  private let connection: Connection
  private let insertion, form: Statement

  init(_ connection: Connection) throws(SQLiteError) {
    self.connection = connection
    insertion = try connection.prepare(
      "INSERT INTO decision (line, about, text) VALUES (?1, \(LineReader.about("?2")), ?2)"
    )
    form = try connection.prepare(
      """
      SELECT json_type(?1), ?1 ->> '$.kind', json_type(?1, '$.take'), ?1 ->> '$.take', json_type(?1, '$.entity'),
        json_type(?1, '$.key'), (SELECT count(*) FROM decision WHERE about = \(LineReader.about("?1"))),
        json_type(?1, '$.take.value'), ifnull(json_type(?1, '$.same'), 'null'), json_type(?1, '$.attribute')
      """
    )
  }

  /// Reads a line.
  ///
  /// - Parameters:
  ///   - bytes: The line.
  ///   - number: Its number, from 1.
  /// - Returns: The reason why it is not a decision; `nil` if it is one.
  /// - Throws: `SQLiteError` if the temporary database fails.
  func take(_ bytes: [UInt8], _ number: Int64) throws(SQLiteError) -> String? {
    guard bytes.withUnsafeBytes(\.isValidUTF8) else { return "it is not UTF-8" }
    do {
      try bytes.withUnsafeBytes { try JSONReader.check($0) }
    } catch {
      let reason = (error as? JSONFault).map { ": \($0.message)" } ?? ""
      return "it is not valid JSON\(reason); each line must be one object"
    }
    defer { form.reset() }
    try form.bind(.utf8(bytes), at: 1)
    guard try form.step() else { return "it is not valid JSON" }
    guard form.text(at: 0) == "object" else { return "it is not a JSON object" }
    guard let kind = form.text(at: 1).flatMap(MergeConflict.Kind.init) else {
      let kinds = MergeConflict.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      return "“kind” must be one of \(kinds)"
    }
    guard form.text(at: 4) == "text" else { return "“entity” is missing" }
    guard form.text(at: 5) == "object" else { return "“key” is missing" }
    guard kind != .value && kind != .order || form.text(at: 9) == "text" else {
      return "“attribute” is missing"
    }
    if let problem = takeProblem(kind) { return problem }
    guard form.integer(at: 6) == 0 else { return "an earlier line decides the same conflict" }
    try insertion.run(.integer(number), .utf8(bytes))
    return nil
  }

  private func takeProblem(_ kind: MergeConflict.Kind) -> String? {
    let (type, take) = (form.text(at: 2), form.text(at: 3))
    let words =
      switch kind {
      case .value: "\"mine\", \"theirs\" or {\"value\": …}"
      case .deleted, .order: "\"mine\" or \"theirs\""
      case .pair: "\"mine\", \"theirs\" or \"both\""
      }
    let isFitting =
      switch type {
      case "null", nil: true
      case "text":
        take == "mine" || take == "theirs" || kind == .pair && take == "both"
      case "object": kind == .value && form.text(at: 7) != nil
      default: false
      }
    guard isFitting else { return "“take” is not \(words)" }
    let same = form.text(at: 8) ?? "null"
    if kind == .pair, !["true", "false", "null"].contains(same) {
      return "“same” must be true or false"
    }
    return nil
  }

  /// Returns the SQL for the identity of a line's conflict; lines with equal texts concern the same conflict.
  static func about(_ line: String) -> String {
    let members = ["'$.key.mine'", "'$.key.theirs'", "'$.attribute'"].map { value(line, $0) }
    return
      "json_array(\(line) ->> '$.kind', \(line) ->> '$.entity', \(members.joined(separator: ", ")))"
  }

  /// Returns the SQL for the members of an object in a line; equal texts mean equal members, regardless of their order.
  ///
  /// Link targets are identified by their keys, regardless of their present titles.
  static func members(_ line: String, _ path: String) -> String {
    """
    (SELECT json_group_array(json_array(fullkey, type, atom)) FROM (SELECT * FROM json_tree(\(line), \(path))
      WHERE key IS NOT 'title' OR path IS \(path) ORDER BY fullkey))
    """
  }

  /// Returns the SQL for a value of a line; equal texts mean equal values, regardless of their notation.
  ///
  /// Bytes are identified by their digest, and link targets by their keys, regardless of their present titles.
  static func value(_ line: String, _ path: String) -> String {
    """
    CASE json_type(\(line), \(path))
      WHEN 'object' THEN coalesce(
        nullif(json_quote(coalesce(\(line) ->> (\(path) || '.sha256'), \(line) ->> (\(path) || '.key'))), 'null'),
        \(members(line, path)))
      WHEN 'array' THEN (SELECT json_group_array(CASE type WHEN 'object' THEN value ->> '$.key' ELSE value END)
        FROM json_each(\(line), \(path)))
      ELSE json_quote(\(line) ->> \(path)) END
    """
  }
}
