internal import DecantBase
internal import DecantStore
internal import DecantSystem
internal import DecantSQLite

/// The decisions in a file of conflicts, kept in a temporary database.
///
/// Each is identified by its kind, the object's keys and the attribute. SQLite reads the JSON, so that its formatting
/// does not matter.
final class Decisions {
  /// A decision.
  enum Decision {
    case mine, theirs
    /// For a pair: both objects are kept.
    case both
    /// For an attribute: another value, in the form of the column and as JSON text.
    case value(Binding, json: String)

    /// Where the values come from.
    enum Origin { case mine, theirs, decision }

    var origin: Origin {
      switch self {
      case .mine, .both: .mine
      case .theirs: .theirs
      case .value: .decision
      }
    }

    /// Whether the source's version is taken.
    var isTheirs: Bool { origin == .theirs }
  }

  private let path: String
  private let connection: Connection
  private let lookup, use: Statement
  /// The first few lines that cannot be applied, with the reason.
  private var problems: [(line: Int64, reason: String)] = []
  private var problemCount = 0

  /// Reads the file.
  ///
  /// - Parameter path: The path of the file.
  /// - Throws: ``DecantError`` if the file cannot be read, or a line is not a decision.
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
        var bytes = UnsafeRawBufferPointer(start: buffer, count: count)
        // Some editors begin a file with a byte order mark.
        if number == 1, bytes.starts(with: [0xef, 0xbb, 0xbf]) {
          bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(3))
        }
        guard bytes.contains(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) else { continue }
        if let problem = try reader.take(Array(bytes), number) { add(number, problem) }
      }
      try connection.run("COMMIT")
    }
    guard ferror(file) == 0 else { throw DecantError(SystemError("read", path)) }
  }

  /// Records that a line cannot be applied.
  private func add(_ line: Int64, _ reason: String) {
    problemCount += 1
    if problems.count < 5 { problems.append((line, reason)) }
  }

  // MARK: Looking up

  /// Returns the decision on a conflict; `nil` if there is none.
  ///
  /// A decision on values that have changed since is a problem, as is one that does not fit `column`.
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

  /// The SQL for the decision in a line; NULL if the line is undecided.
  ///
  /// Two objects that are declared to be different are both kept.
  private static let take = """
    CASE WHEN json_type(?1, '$.same') = 'false' THEN '"both"' ELSE nullif(?1 -> '$.take', 'null') END
    """

  /// Returns the object and attribute of a line for the reader.
  private func name(of text: String) throws(SQLiteError) -> String {
    try connection.text("SELECT \(Conflicts.nameSQL) FROM (SELECT ?1 AS text)", .text(text)) ?? ""
  }

  /// Returns whether a line declares a pair to be two objects, regardless of their present values.
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

  /// Returns the first of a line's values that has changed since.
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
    let areSame = try connection.integer(
      "SELECT ?1 ->> '$.parts.sha256' IS ?2 ->> '$.parts.sha256'",
      .text(now),
      .text(then)
    )
    return areSame == 1 ? nil : "a part"
  }

  // MARK: Remaining decisions

  /// Throws if a line cannot be applied.
  ///
  /// - Parameters:
  ///   - isComplete: Whether all conflicts are known, so that a line without a conflict is an error.
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
