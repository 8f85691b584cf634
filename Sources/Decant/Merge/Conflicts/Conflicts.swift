internal import JSON
internal import SQLite

/// The conflicts of a merge that lists them: decides what a file of decisions says of each, and keeps the lines of the others
/// in a temporary database.
final class Conflicts {
  /// What becomes of an object that both have changed.
  struct Settled {
    /// What takes the source's value, or one that was decided on.
    var taken: [Meaning] = []
    /// What nobody has decided.
    var open: [Meaning] = []
  }

  private let decisions: Decisions?
  private let connection: Connection
  private let insertion, valueInsertion, valueLookup, beforeInsertion, beforeLookup: Statement
  /// Whether conflicts may stay undecided, as they are listed.
  private let mayBeOpen: Bool

  /// Prepares to list conflicts as `rules` ask for; `nil` where they do not.
  ///
  /// - Parameter rules: The rules of the merge.
  /// - Throws: ``DecantError`` if the decisions cannot be read.
  init?(_ rules: MergeRules) throws(DecantError) {
    guard rules.listsConflicts else { return nil }
    decisions = try rules.decisionsFile.map { path throws(DecantError) in try Decisions(path) }
    mayBeOpen = rules.conflictsFile != nil
    let connection = try explaining("cannot list conflicts") { () throws(SQLiteError) in
      let connection = try Connection("", mode: .create)
      try connection.run("CREATE TABLE line (number INTEGER PRIMARY KEY, text TEXT)")
      let key = "PRIMARY KEY (root, key, label)) WITHOUT ROWID"
      try connection.run("CREATE TABLE decided (root TEXT, key INTEGER, label TEXT, value, \(key)")
      try connection.run("CREATE TABLE before (root TEXT, key INTEGER, label TEXT, value, \(key)")
      return connection
    }
    self.connection = connection
    let statements = try explaining("cannot list conflicts") { () throws(SQLiteError) in
      let found = "WHERE root = ?1 AND key = ?2 AND label = ?3"
      return (
        try connection.prepare("INSERT INTO line (text) VALUES (?1)"),
        try connection.prepare("INSERT OR REPLACE INTO decided VALUES (?1, ?2, ?3, ?4)"),
        try connection.prepare("SELECT value FROM decided \(found)"),
        try connection.prepare("INSERT OR REPLACE INTO before VALUES (?1, ?2, ?3, ?4)"),
        try connection.prepare("SELECT value FROM before \(found)")
      )
    }
    (insertion, valueInsertion, valueLookup, beforeInsertion, beforeLookup) = statements
  }

  // MARK: The base

  /// Keeps what the base has for a property, as JSON text, until it is known whether that is a conflict.
  func keep(_ value: JSONValue, before meaning: Meaning, of key: Int64, _ root: String)
    throws(SQLiteError)
  {
    try beforeInsertion.run(.text(root), .integer(key), .text(meaning.label), .text(value.text))
  }

  private func before(_ meaning: Meaning, of key: Int64, _ root: String) throws(SQLiteError)
    -> JSONValue
  {
    defer { beforeLookup.reset() }
    try beforeLookup.bind([.text(root), .integer(key), .text(meaning.label)])
    return try beforeLookup.step() ? .raw(beforeLookup.text(at: 0) ?? "null") : .null
  }

  // MARK: Decisions

  /// Decides about the attributes and links of an object that both have changed.
  ///
  /// If one of them is left open all are listed, with the decisions about the others: the object stays as it is.
  ///
  /// - Parameters:
  ///   - pair: The object.
  ///   - meanings: What both have changed.
  ///   - values: What reads the stores.
  ///   - root: The object's root entity.
  /// - Returns: What is taken, and what is left open.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func settle(
    _ pair: MergeBase.Pair,
    _ meanings: [Meaning],
    _ values: ConflictValues,
    _ root: MatchRoot
  ) throws(SQLiteError) -> Settled {
    var (settled, lines) = (Settled(), [ConflictLine]())
    for meaning in meanings {
      let (mine, theirs) = (
        try values.value(meaning, of: pair.destination, pair.root, .destination),
        try values.value(meaning, of: pair.source, pair.root, .source)
      )
      var line = try values.line(
        .value,
        pair.root,
        source: pair.source,
        destination: pair.destination,
        [
          ("attribute", .string(meaning.name)),
          ("base", try before(meaning, of: pair.source, pair.root)), ("mine", mine),
          ("theirs", theirs),
        ]
      )
      let isLink = hasLink(meaning)
      let column = isLink ? nil : root.relations.destination.column(meaning)
      let found = try decisions?.decision(of: line, column)
      line.decision = found?.text
      lines.append(line)
      switch found?.decision {
      case .mine, .both: break
      case .theirs: settled.taken.append(meaning)
      case .value(let value):
        settled.taken.append(meaning)
        try valueInsertion.run(
          .text(pair.root),
          .integer(pair.source),
          .text(meaning.label),
          value
        )
      case nil: settled.open.append(meaning)
      }
    }
    guard !settled.open.isEmpty else { return settled }
    for line in lines { try insertion.run(.text(line.text)) }
    return settled
  }

  private func hasLink(_ meaning: Meaning) -> Bool {
    switch meaning {
    case .target, .owner: true
    default: false
    }
  }

  /// Decides about an object that one has removed and the other has changed.
  ///
  /// - Parameters:
  ///   - key: Its key in the store that has it.
  ///   - root: Its root entity.
  ///   - side: That store.
  ///   - values: What reads the stores.
  /// - Returns: Whether the source's decision stands; `nil` if nobody has decided, and the conflict is listed.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func takesTheirs(
    deleted key: Int64,
    of root: String,
    _ side: MatchSide,
    _ values: ConflictValues
  ) throws(SQLiteError) -> Bool? {
    let line = try values.line(
      .deleted,
      root,
      source: side == .source ? key : nil,
      destination: side == .destination ? key : nil,
      [("deletedBy", .string(side == .source ? "mine" : "theirs"))]
    )
    switch try decisions?.decision(of: line)?.decision {
    case .theirs: return true
    case .mine, .both, .value: return false
    case nil:
      try insertion.run(.text(line.text))
      return nil
    }
  }

  /// The value that was decided on for a property of an object of the source.
  func decided(_ key: Int64, _ root: String, _ label: String) throws(SQLiteError) -> Binding? {
    defer { valueLookup.reset() }
    try valueLookup.bind([.text(root), .integer(key), .text(label)])
    return try valueLookup.step() ? valueLookup.value(at: 0) : nil
  }

  // MARK: What is left

  /// Throws if a decision cannot be carried out, now that all conflicts are known.
  func check() throws(DecantError) {
    try decisions?.check(isComplete: true, mayBeOpen: mayBeOpen)
    guard !mayBeOpen else { return }
    let (count, first) = try explaining("cannot list conflicts") { () throws(SQLiteError) in
      (
        try connection.integer("SELECT count(*) FROM line WHERE text ->> '$.take' IS NULL") ?? 0,
        try connection.text(
          "SELECT \(Conflicts.nameSQL) FROM line WHERE text ->> '$.take' IS NULL ORDER BY number LIMIT 1"
        )
      )
    }
    guard count > 0 else { return }
    throw DecantError(
      .usage,
      "\(count.counted("conflict")) \(count == 1 ? "is" : "are") decided by no line, such as \(first ?? "")",
      place: "--decisions",
      remedy: "have them listed with --conflicts FILE beside --decisions; nothing was changed"
    )
  }

  /// An object's entity, key and attribute, as a person reads them.
  private static let nameSQL = """
    (text ->> '$.entity') || ' ' || coalesce(text ->> '$.key.mine', text ->> '$.key.theirs')
      || coalesce(', ' || (text ->> '$.attribute'), '')
    """

  /// Calls `body` with each line of the file.
  func forEachLine(_ body: (String) -> Void) throws(SQLiteError) {
    try connection.forEachRow("SELECT text FROM line ORDER BY number") { row in
      body(row.text(at: 0) ?? "")
    }
  }
}
