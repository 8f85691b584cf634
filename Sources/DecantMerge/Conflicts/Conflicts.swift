package import DecantBase
internal import DecantMatch
package import DecantPlan
internal import DecantStore
internal import DecantJSON
internal import DecantSQLite

/// The conflicts of a merge that lists them or asks about them.
///
/// It looks up the decision on each conflict, and stores the lines of the others in a temporary database.
package final class Conflicts {
  /// The conflicts of one object after the decisions.
  struct Settled {
    /// The properties that take the source's value, or a decided value.
    var taken: [ColumnRole] = []
    /// The properties without a decision.
    var open: [ColumnRole] = []
  }

  /// Decides a conflict; called again with the reason if the answer does not fit.
  package typealias Decider = (MergeConflict, _ problem: String?) -> MergeDecision

  private let decisions: Decisions?
  private let ask: Decider?
  private var isStopped = false
  /// The first decision that cannot be applied, because an object that is kept belongs to one that would be removed.
  private var refusal: DecantError?
  /// The number of links whose decided source value was not taken, as the target is to stay deleted.
  package private(set) var blockedCount: Int64 = 0
  private let connection: Connection
  private let insertion, valueInsertion, valueLookup, beforeInsertion, beforeLookup: Statement
  /// Whether conflicts may stay undecided, because they are listed or were asked about.
  private let mayBeOpen: Bool
  /// Whether nothing is written, so that every decision is needed again.
  private let isDryRun: Bool

  /// Prepares to list conflicts as required by `rules`; `nil` if they are not listed.
  ///
  /// - Parameters:
  ///   - rules: The rules of the merge.
  ///   - isDryRun: Whether nothing is written.
  ///   - ask: The interactive decider; `nil` for none.
  /// - Throws: ``DecantError`` if the decisions cannot be read.
  package init?(_ rules: MergeRules?, isDryRun: Bool, asking ask: Decider?) throws(DecantError) {
    guard let rules, rules.listsConflicts else { return nil }
    self.ask = rules.asksAboutConflicts ? ask : nil
    self.isDryRun = isDryRun
    decisions = try rules.decisionsFile.map { path throws(DecantError) in try Decisions(path) }
    mayBeOpen = rules.conflictsFile != nil || rules.asksAboutConflicts
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
        try connection.prepare("SELECT value, json_type(value), value ->> '$' FROM before \(found)")
      )
    }
    (insertion, valueInsertion, valueLookup, beforeInsertion, beforeLookup) = statements
  }

  // MARK: The base

  /// Keeps the value of a property in the base, as JSON text, until it is known whether there is a conflict.
  func keep(_ value: JSONValue, before columnRole: ColumnRole, of key: Int64, _ root: String) throws(SQLiteError) {
    try beforeInsertion.run(.text(root), .integer(key), .text(columnRole.label), .text(value.text))
  }

  private func before(_ columnRole: ColumnRole, of key: Int64, _ root: String) throws(SQLiteError) -> JSONValue {
    defer { beforeLookup.reset() }
    try beforeLookup.bind([.text(root), .integer(key), .text(columnRole.label)])
    guard try beforeLookup.step() else { return .null }
    switch beforeLookup.text(at: 1) {
    case "text": return .string(beforeLookup.text(at: 2) ?? "")
    case "object":
      var members: [(String, JSONValue)] = []
      try connection.forEachRow(
        "SELECT key, type, atom, value FROM json_each(?1)",
        .text(beforeLookup.text(at: 0) ?? "{}")
      ) { row in
        let value: JSONValue =
          switch row.text(at: 1) {
          case "text": .string(row.text(at: 2) ?? "")
          case "integer": .integer(row.integer(at: 2))
          default: .raw(row.text(at: 3) ?? "null")
          }
        members.append((row.text(at: 0) ?? "", value))
      }
      return .object(members)
    default: return .raw(beforeLookup.text(at: 0) ?? "null")
    }
  }

  // MARK: Decisions

  /// Returns the decision on a conflict with its JSON text; `nil` if there is none.
  private func decision(of line: ConflictLine, _ column: RelationColumn? = nil)
    throws(SQLiteError) -> (decision: Decisions.Decision, text: String)?
  {
    if let found = try decisions?.decision(of: line, column) { return found }
    guard let ask, !isStopped else { return nil }
    var problem: String?
    while true {
      switch ask(line.conflict, problem) {
      case .mine: return (.mine, "\"mine\"")
      case .theirs: return (.theirs, "\"theirs\"")
      case .both where line.kind == .pair: return (.both, "\"both\"")
      case .both: problem = "“both” only applies to a pair"
      case .undecided: return nil
      case .stop:
        isStopped = true
        return nil
      case .value(let text):
        let found = try DecidedValue.read(text, line.kind, column, on: connection)
        if let value = found.value { return (.value(value, json: text), "{\"value\":\(text)}") }
        problem = found.problem
      }
    }
  }

  /// Decides on the attributes and links of an object that both stores have changed.
  ///
  /// If one of them is left open, all are listed with the decisions on the others, and the object is not changed.
  ///
  /// - Parameters:
  ///   - pair: The object.
  ///   - columnRoles: The properties that both stores have changed.
  ///   - blocked: Links of the source to objects that are not merged; they cannot be taken, and are listed again if
  ///     conflicts are listed.
  ///   - values: The reader of the stores.
  ///   - root: The object's root entity.
  /// - Returns: The properties that are taken, and those left open.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func settle(
    _ pair: MatchedPair,
    _ columnRoles: [ColumnRole],
    blocked: [ColumnRole],
    _ values: ConflictValues,
    _ root: MatchRoot
  ) throws(SQLiteError) -> Settled {
    var (settled, lines, decisions) = (Settled(), [ConflictLine](), [Decisions.Decision?]())
    for columnRole in columnRoles {
      var line = try values.line(
        pair.root,
        source: pair.source,
        destination: pair.destination,
        .value(
          columnRole.name,
          base: try before(columnRole, of: pair.source, pair.root),
          mine: try values.value(columnRole, of: pair.destination, pair.root, .destination),
          theirs: try values.value(columnRole, of: pair.source, pair.root, .source)
        )
      )
      let column = columnRole.isLink ? nil : root.relations.destination.column(columnRole)
      let found = try decision(of: line, column)
      line.decision = found?.text
      lines.append(line)
      decisions.append(found?.decision)
      switch found?.decision {
      case .mine, .both: break
      case .theirs where blocked.contains(columnRole):
        if mayBeOpen { settled.open.append(columnRole) } else { blockedCount += 1 }
      case .theirs: settled.taken.append(columnRole)
      case .value(let value, _):
        settled.taken.append(columnRole)
        try valueInsertion.run(.text(pair.root), .integer(pair.source), .text(columnRole.label), value)
      case nil: settled.open.append(columnRole)
      }
    }
    for unit in root.relations.destination.jointProperties where refusal == nil {
      let members = zip(columnRoles, decisions).filter { unit.contains($0.0) }
      guard Set(members.compactMap(\.1).map(\.origin)).count > 1, let line = lines.first else { continue }
      let names = Set(members.map(\.0.name)).sorted().map { "“\($0)”" }.joined(separator: ", ")
      refusal = DecantError(
        .decisionNeeded,
        "\(try name(of: line).split(separator: ",")[0]): \(names) have one meaning together, and are taken from one store",
        place: "\(option: .decisions)",
        remedy: "decide “mine” for all of them, or “theirs”; nothing was changed"
      )
    }
    let isOpen = !settled.open.isEmpty
    for (line, decision) in zip(lines, decisions) {
      switch decision {
      case .value(_, let json) where !isOpen && !isDryRun:
        // From now on this is the destination's value: a conflict, unless the source has the same value.
        let isTheirs = try connection.integer(
          "SELECT json_quote(?1 ->> '$') IS json_quote(?2 ->> '$.theirs')",
          .text(json),
          .text(line.text)
        )
        try list(line.replacing(mine: .raw(json)), "\"mine\"", unless: isTheirs == 1)
      default: try list(line, line.decision, unless: !isOpen && decision?.isTheirs == true)
      }
    }
    return settled
  }

  /// Decides on two differing objects whose pairing may be wrong.
  ///
  /// - Parameters:
  ///   - pair: The objects.
  ///   - way: How they were paired.
  ///   - columnRoles: The properties in which they differ.
  ///   - values: The reader of the stores.
  /// - Returns: The decision; `nil` if there is none, and the pair is listed.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func decision(
    of pair: MatchedPair,
    by way: String,
    _ columnRoles: [ColumnRole],
    _ values: ConflictValues
  ) throws(SQLiteError) -> Decisions.Decision? {
    var found: [(name: String, mine: JSONValue, theirs: JSONValue)] = []
    for columnRole in columnRoles {
      found.append(
        (
          columnRole.name, try values.value(columnRole, of: pair.destination, pair.root, .destination),
          try values.value(columnRole, of: pair.source, pair.root, .source)
        )
      )
    }
    let line = try values.line(
      pair.root,
      source: pair.source,
      destination: pair.destination,
      .pair(by: way, values: found)
    )
    let decided = try decision(of: line)
    try list(line, decided?.text, unless: decided?.decision.isTheirs == true)
    return decided?.decision
  }

  /// Returns whether the file of decisions declares a pair to be two objects.
  func areTwo(_ pair: MatchedPair, _ values: ConflictValues) throws(SQLiteError) -> Bool {
    guard let decisions else { return false }
    let line = try values.line(pair.root, source: pair.source, destination: pair.destination, .pair(by: "", values: []))
    return try decisions.saysTwo(line)
  }

  /// Decides on an object that one store has removed and the other has changed.
  ///
  /// - Parameters:
  ///   - key: Its key in the store that has it.
  ///   - root: Its root entity.
  ///   - side: That store.
  ///   - values: The reader of the stores.
  /// - Returns: Whether the source's version is taken; `nil` if there is no decision, and the conflict is listed.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func takesTheirs(
    deleted key: Int64,
    of root: String,
    _ side: MatchSide,
    _ values: ConflictValues
  ) throws(SQLiteError) -> Bool? {
    try takesTheirs(values.line(deleted: key, of: root, side))
  }

  /// Returns whether the source's version of a conflict is taken; without a decision `nil`, and the conflict is listed.
  func takesTheirs(_ line: ConflictLine) throws(SQLiteError) -> Bool? {
    let found = try decision(of: line)
    try list(line, found?.text, unless: found?.decision.isTheirs == true)
    return found.map { $0.decision.isTheirs }
  }

  /// Records that an object of the destination cannot be removed as decided, because an object that is kept belongs to
  /// it.
  ///
  /// - Parameters:
  ///   - object: The object's key and root entity.
  ///   - part: The key and root entity of the kept object.
  ///   - values: The reader of the stores.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func refuse(
    removing object: (key: Int64, root: String),
    for part: (key: Int64, root: String),
    _ values: ConflictValues
  ) throws(SQLiteError) {
    guard refusal == nil else { return }
    let (owner, own) = (
      try name(of: values.line(deleted: object.key, of: object.root, .destination)),
      try name(of: values.line(deleted: part.key, of: part.root, .destination))
    )
    refusal = DecantError(
      .decisionNeeded,
      "\(owner) cannot be removed as decided: \(own) was moved into it here, but the source keeps it elsewhere",
      place: "\(option: .decisions)",
      remedy: "decide “mine” for it, or move \(own) out of it first; nothing was changed"
    )
  }

  /// Lists an object that was decided to be restored but has to wait, because it links to an undecided object.
  func listAgain(_ key: Int64, of root: String, _ values: ConflictValues) throws(SQLiteError) {
    try list(values.line(deleted: key, of: root, .source), "\"theirs\"")
  }

  /// Returns the entity, key and attribute of a line for the reader.
  private func name(of line: ConflictLine) throws(SQLiteError) -> String {
    try connection.text("SELECT \(Conflicts.nameSQL) FROM (SELECT ?1 AS text)", .text(line.text)) ?? ""
  }

  /// Adds a line to the new file, with the decision if the next run needs it again.
  ///
  /// - Parameters:
  ///   - line: The line.
  ///   - decision: The decision as JSON text; `nil` if it is undecided.
  ///   - isSettled: Whether this run resolves the conflict.
  /// - Throws: `SQLiteError` if the temporary database fails.
  private func list(_ line: ConflictLine, _ decision: String?, unless isSettled: Bool = false) throws(SQLiteError) {
    guard isDryRun || !isSettled else { return }
    var line = line
    line.decision = decision
    try insertion.run(.text(line.text))
  }

  /// Returns the decided value for a property of a source object.
  func decided(_ key: Int64, _ root: String, _ label: String) throws(SQLiteError) -> Binding? {
    defer { valueLookup.reset() }
    try valueLookup.bind([.text(root), .integer(key), .text(label)])
    return try valueLookup.step() ? valueLookup.value(at: 0) : nil
  }

  // MARK: Remaining conflicts

  /// Throws if a decision cannot be applied, after all conflicts are known.
  func check() throws(DecantError) {
    guard !isStopped else {
      throw DecantError(.interrupted, "the merge was interrupted, nothing was changed")
    }
    try decisions?.check(isComplete: true, mayBeOpen: mayBeOpen)
    if let refusal { throw refusal }
    guard !mayBeOpen else { return }
    let (count, first) = try explaining("cannot list conflicts") { () throws(SQLiteError) in
      let open = "FROM line WHERE text ->> '$.take' IS NULL"
      return (
        try connection.integer("SELECT count(*) \(open)") ?? 0,
        try connection.text("SELECT \(Conflicts.nameSQL) \(open) ORDER BY number LIMIT 1")
      )
    }
    guard count > 0 else { return }
    throw DecantError(
      .decisionNeeded,
      "\(count.counted("conflict")) \(count == 1 ? "has" : "have") no line in the file, such as \(first ?? "")",
      place: "\(option: .decisions)",
      remedy: "add \(say: .conflicts) FILE to list them in a new file; nothing was changed"
    )
  }

  /// The SQL for the entity, key and attribute of a line for the reader.
  static let nameSQL = """
    (text ->> '$.entity') || ' ' || coalesce(text ->> '$.key.mine', text ->> '$.key.theirs', '?')
      || coalesce(', ' || (text ->> '$.attribute'), '')
    """

  /// Calls `body` with each line of the file.
  func forEachLine(_ body: (String) -> Void) throws(SQLiteError) {
    try connection.forEachRow("SELECT text FROM line ORDER BY number") { row in
      body(row.text(at: 0) ?? "")
    }
  }
}

extension ColumnRole {
  /// Whether it is the key of another object.
  fileprivate var isLink: Bool {
    switch self {
    case .target, .owner: true
    default: false
    }
  }
}
