internal import DecantBase
internal import DecantStore
internal import DecantSystem
internal import DecantSQLite

/// The decisions of a file of conflicts, in a temporary database.
///
/// Each is known by what it is about: its kind, the object's keys and the attribute. SQLite reads the JSON, so that it does
/// not matter how a program has written it.
final class Decisions {
  /// What was decided.
  enum Decision {
    case mine, theirs
    /// Of a pair: both objects stay.
    case both
    /// Of an attribute: another value, as the column holds it and as JSON text.
    case value(Binding, json: String)

    /// Whether it is the source's version that stands.
    var isTheirs: Bool { if case .theirs = self { true } else { false } }
  }

  private let path: String
  private let connection: Connection
  private let lookup, use: Statement
  /// The first few lines that cannot be carried out, with the reason.
  private var problems: [(line: Int64, reason: String)] = []
  private var problemCount = 0

  /// Reads the file.
  ///
  /// - Parameter path: Where it is.
  /// - Throws: ``DecantError`` if it cannot be read, or a line is no decision.
  init(_ path: String) throws(DecantError) {
    self.path = path
    let opened = try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
      let connection = try Connection("", mode: .create)
      try connection.run(
        """
        CREATE TABLE decision (line INTEGER PRIMARY KEY, about TEXT UNIQUE, text TEXT, is_used INTEGER DEFAULT 0)
        """
      )
      return (
        connection, try connection.prepare("SELECT line, text FROM decision WHERE about = ?1"),
        try connection.prepare("UPDATE decision SET is_used = 1 WHERE line = ?1")
      )
    }
    (connection, lookup, use) = opened
    try read()
    try check()
  }

  // MARK: Reading

  private func read() throws(DecantError) {
    guard let file = fopen(path, "re") else {
      var error = DecantError(SystemError("read", path))
      error.advice = "pass the file that \(option: .conflicts) wrote, with the decisions filled in"
      throw error
    }
    defer { fclose(file) }
    var buffer: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(buffer) }
    var number: Int64 = 0
    try explaining("cannot read “\(path)”") { () throws(SQLiteError) in
      let reader = try LineReader(connection)
      try connection.run("BEGIN")
      while true {
        let count = getline(&buffer, &capacity, file)
        guard count >= 0, let buffer else { break }
        number += 1
        let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        guard bytes.contains(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) else { continue }
        if let problem = try reader.take(Array(bytes), number) { add(number, problem) }
      }
      try connection.run("COMMIT")
    }
    guard ferror(file) == 0 else { throw DecantError(SystemError("read", path)) }
  }

  /// Notes that a line cannot be carried out.
  private func add(_ line: Int64, _ reason: String) {
    problemCount += 1
    if problems.count < 5 { problems.append((line, reason)) }
  }

  // MARK: Looking up

  /// Returns what was decided about a conflict; `nil` where that is left open.
  ///
  /// A decision about values that are not there any more is a problem, and so is one that does not fit `column`.
  func decision(of conflict: ConflictLine, _ column: RelationColumn? = nil) throws(SQLiteError)
    -> (decision: Decision, text: String)?
  {
    let now = conflict.text
    defer { lookup.reset() }
    guard let about = try connection.text("SELECT \(LineReader.about("?1"))", .text(now)) else {
      return nil
    }
    try lookup.bind(.text(about), at: 1)
    guard try lookup.step() else { return nil }
    let (line, text) = (lookup.integer(at: 0), lookup.text(at: 1) ?? "")
    try use.run(.integer(line))
    if let changed = try changedMember(now, text) {
      add(line, "\(changed) of \(try name(of: text)) has changed since it was listed")
      return nil
    }
    guard let take = try connection.text("SELECT \(Decisions.take)", .text(text)) else {
      return nil
    }
    switch take {
    case "\"mine\"": return (.mine, take)
    case "\"theirs\"": return (.theirs, take)
    case "\"both\"": return (.both, take)
    default:
      let json = try connection.text("SELECT ?1 -> '$.take.value'", .text(text)) ?? "null"
      let found = try DecidedValue.read(json, conflict.kind, column, on: connection)
      guard let value = found.value else {
        add(line, found.problem ?? "“take” has no value")
        return nil
      }
      return (.value(value, json: json), take)
    }
  }

  /// The decision in a line, as SQL; NULL if the line is undecided.
  ///
  /// Two objects that are not the same both stay.
  private static let take = """
    CASE WHEN json_type(?1, '$.same') = 'false' THEN '"both"' ELSE nullif(?1 -> '$.take', 'null') END
    """

  /// The object that a line is about, and the attribute, as a person reads them.
  private func name(of text: String) throws(SQLiteError) -> String {
    try connection.text("SELECT \(Conflicts.nameSQL) FROM (SELECT ?1 AS text)", .text(text)) ?? ""
  }

  /// Whether a line says of a pair that it is two objects, whatever these hold by now.
  func saysTwo(_ conflict: ConflictLine) throws(SQLiteError) -> Bool {
    defer { lookup.reset() }
    guard
      let about = try connection.text("SELECT \(LineReader.about("?1"))", .text(conflict.text))
    else { return false }
    try lookup.bind(.text(about), at: 1)
    guard try lookup.step() else { return false }
    let (line, text) = (lookup.integer(at: 0), lookup.text(at: 1) ?? "")
    guard try connection.text("SELECT \(Decisions.take)", .text(text)) == "\"both\"" else {
      return false
    }
    try use.run(.integer(line))
    return true
  }

  /// The first of the values a line shows that is another one now.
  private func changedMember(_ now: String, _ then: String) throws(SQLiteError) -> String? {
    for name in ["base", "mine", "theirs", "values"] {
      let read = name == "values" ? LineReader.members : LineReader.value
      let isSame = try connection.integer(
        "SELECT \(read("?1", "'$.\(name)'")) IS \(read("?2", "'$.\(name)'"))",
        .text(now),
        .text(then)
      )
      if isSame != 1 { return name == "values" ? "a value" : "“\(name)”" }
    }
    return nil
  }

  // MARK: What is left

  /// Throws if a line cannot be carried out.
  ///
  /// - Parameters:
  ///   - isComplete: Whether all conflicts are known by now: then a line that is about none is an error.
  ///   - mayBeOpen: Whether a conflict may stay undecided.
  /// - Throws: ``DecantError`` of the family `.usage`.
  func check(isComplete: Bool = false, mayBeOpen: Bool = true) throws(DecantError) {
    if isComplete {
      let take = Decisions.take.replacing("?1", with: "text")
      try explaining("cannot look for decisions") { () throws(SQLiteError) in
        try connection.forEachRow(
          """
          SELECT line, \(take) IS NULL, \(Conflicts.nameSQL) FROM decision
          WHERE NOT is_used OR \(take) IS NULL ORDER BY 1
          """
        ) { row in
          guard !problems.contains(where: { $0.line == row.integer(at: 0) }) else { return }
          let isOpen = row.integer(at: 1) == 1
          if isOpen, mayBeOpen { return }
          add(
            row.integer(at: 0),
            isOpen
              ? "undecided: “take” is null"
              : "\(row.text(at: 2) ?? "") has no such conflict in this merge"
          )
        }
      }
    }
    guard problemCount > 0 else { return }
    let list = problems.sorted { $0.line < $1.line }
      .map { "line \($0.line): \($0.reason)" }
    let more = problemCount > problems.count ? ["and \(problemCount - problems.count) more"] : []
    throw DecantError(
      .invalidMapping,
      "“\(path)” cannot be applied; \((list + more).joined(separator: "; "))",
      place: "\(option: .decisions)",
      remedy: isComplete
        ? "correct these lines, or list the conflicts again with \(say: .conflicts) FILE and without \(option: .decisions); "
          + "nothing was changed"
        : "correct these lines; nothing was changed"
    )
  }
}
