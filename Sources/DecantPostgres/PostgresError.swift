internal import CDecantPostgres

/// A failure reported by the server, or by the connection to it.
///
/// It contains only the server's primary message, since the details may contain values of rows.
package struct PostgresError: Error, Sendable, Hashable {
  /// The five characters of SQLSTATE; `nil` if the connection itself failed.
  package let state: String?
  /// The message, in one line.
  package let message: String
  /// The violated constraint, if there is one.
  package let constraint: String?
  /// The position from 1 of the row of a COPY that caused the error, if the server tells it.
  package private(set) var line: Int64?
  /// The sessions for which a statement waited before a time limit ended it, as a text; `nil` if they are not known.
  package internal(set) var holders: String?

  /// Describes a failure.
  package init(state: String?, message: String, constraint: String? = nil) {
    (self.state, self.message, self.constraint) = (state, PostgresError.line(message), constraint)
  }

  /// Describes the failure of the last operation of `connection`, whose result is `result`.
  init(_ connection: OpaquePointer, _ result: OpaquePointer?) {
    state = result.flatMap { decant_pq_sqlstate($0) }.map { String(cString: $0) }
    constraint = result.flatMap { decant_pq_constraint($0) }.map { String(cString: $0) }
    line = result.flatMap { decant_pq_context($0) }.flatMap { PostgresError.line(of: String(cString: $0)) }
    let text =
      result.flatMap { decant_pq_message($0) }.map { String(cString: $0) }
      ?? String(cString: PQerrorMessage(connection))
    message = PostgresError.line(text)
  }

  /// The server's message for a cancelled statement, for use when the server does not answer.
  static let stopped = PostgresError(state: "57014", message: "canceling statement due to user request")

  /// Whether a constraint, a type or a value of a row, its size in an index, or a trigger's exception is the cause.
  package var isOfRow: Bool {
    guard let state else { return false }
    let isOwn = PostgresError.ownClasses.contains(state.prefix(1))
    return PostgresError.rowClasses.contains { state.hasPrefix($0) }
      || isOwn && !PostgresError.serverClasses.contains { state.hasPrefix($0) }
  }
  /// The beginnings of the codes of errors about rows.
  private static let rowClasses = ["22", "23", "P0", "54"]
  /// An exception may have a code of its own, in a class that begins with one of these and that the server does not use.
  private static let ownClasses = "56789IJKLMNOPQRSTUVWXYZ"
  private static let serverClasses = ["53", "55", "57", "58", "72", "XX"]

  /// Returns the condition of the server's SQL that a code is that of an error about a row.
  ///
  /// - Parameter state: The code, as an expression.
  /// - Returns: An expression.
  package static func isOfRow(state: String) -> String {
    func list(_ texts: [String]) -> String { texts.map { "'\($0)'" }.joined(separator: ", ") }
    let start = "pg_catalog.left(\(state), 2)"
    return "\(start) IN (\(list(rowClasses))) OR pg_catalog.left(\(state), 1) IN (\(list(ownClasses.map { "\($0)" }))) "
      + "AND \(start) NOT IN (\(list(serverClasses)))"
  }
  /// Whether two rows have values that must be different: a unique or an exclusion constraint is the cause.
  package var isOfEqualRows: Bool { state == "23505" || state == "23P01" }
  /// Whether a row refers to another one that does not exist, or still exists.
  package var isOfLink: Bool { state == "23503" || state == "23001" }
  /// Whether the server does not know a statement, or a part or an option of it.
  var isUnknown: Bool { ["0A000", "42601", "22023"].contains(state) }
  /// Whether a statement failed, and neither the connection nor a time limit is the cause.
  var isOfStatement: Bool { !isOfConnection && !isTimeout }
  /// Whether a privilege is missing.
  package var isPermission: Bool { state == "42501" }
  /// Whether something is larger than the server's limits, such as a value in an index.
  package var isTooLarge: Bool { state == "54000" || state == "54011" }
  /// Whether a schema or a table does not exist.
  package var isMissing: Bool { state == "3F000" || state == "42P01" }
  /// Whether a table, an index or a type of the same name exists.
  package var isNameTaken: Bool { state == "42P07" || state == "42710" }
  /// Whether the server has no space left.
  package var isFull: Bool { state == "53100" }
  /// Whether the server has no memory left, which includes that for locks.
  package var isOutOfMemory: Bool { state == "53200" }
  /// Whether the encoding of the database lacks a character.
  package var isUntranslatable: Bool { state == "22P05" }
  /// Whether the connection is lost, or the server is shutting down.
  package var isOfConnection: Bool {
    guard let state else { return true }
    return state.hasPrefix("08") || state.hasPrefix("57P")
  }
  /// Whether a time limit ended the statement.
  package var isTimeout: Bool { state == "57014" || isLockTimeout }
  /// Whether a time limit ended the wait for a lock.
  package var isLockTimeout: Bool { state == "55P03" }

  /// Returns the number of the row in a context such as `COPY person, line 3: …`, of which nothing else is kept: it may
  /// contain values.
  private static func line(of context: String) -> Int64? {
    for line in context.split(separator: "\n") where line.hasPrefix("COPY ") {
      guard let match = line.firstMatch(of: /, line ([0-9]+)/) else { continue }
      return Int64(match.1)
    }
    return nil
  }

  /// Joins the lines of a message, without its severity prefix and libpq's suggestions, which are indented.
  private static func line(_ text: String) -> String {
    var line = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("\t") }
      .map { $0.drop(while: \.isWhitespace) }
      .joined(separator: "; ")
    for prefix in ["FATAL:  ", "ERROR:  "] where line.hasPrefix(prefix) { line.removeFirst(prefix.count) }
    return line
  }
}
