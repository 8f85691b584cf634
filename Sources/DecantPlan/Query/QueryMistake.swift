internal import DecantBase
internal import DecantSQLite

/// The explanation of a mistake in a query, and its remedy.
struct QueryMistake {
  let sql: String
  let views: EntityViews

  static let notSelect = "it is not a SELECT"
  static let several = "more than one statement"
  static let noValue = "no value for the parameter "
  static let noParameter = "it has no parameter "

  /// Runs `body`; turns a failure of SQLite into an error of the query, or of the store.
  func explaining<Result>(_ body: () throws(SQLiteError) -> Result) throws(DecantError) -> Result {
    do throws(SQLiteError) {
      return try body()
    } catch {
      guard error.isStatement else { throw DecantError("cannot run the query", cause: error) }
      let message =
        isRefusal(error) ? refusal : RejectCode.marked(error.message)?.text ?? error.message
      throw DecantError(
        misspelt(error.message) == nil ? .invalidExpression : .unknownName,
        "cannot run the query: \(message)",
        remedy: remedy(for: error),
        remedies: misspelt(error.message),
        cause: error
      )
    }
  }

  /// Returns whether the authorizer denied it: SQLite's message “not authorized” would mislead the user.
  private func isRefusal(_ error: SQLiteError) -> Bool { error.message == "not authorized" }

  private var refusal: String {
    ["select", "with"].contains(tokens.first?.word)
      ? "it does more than read" : QueryMistake.notSelect
  }

  private func remedy(for error: SQLiteError) -> DecantError.Text? {
    let message = error.message
    if let name = message.name(after: "no such table: ") { return DecantError.Text(tableRemedy(name)) }
    if let name = message.name(after: "no such column: ") { return DecantError.Text(columnRemedy(name)) }
    if let name = message.name(after: QueryMistake.noValue) {
      return "pass one\(shell: ": -p \(name.dropFirst())=VALUE", app: " for \(name.dropFirst())")"
    }
    if let name = message.name(after: "no such function: ") {
      guard !SafeFunctions.all.contains(name.lowercased()) else {
        return
          "decant is linked with SQLite \(Connection.libraryVersion), which does not have it"
      }
      return name.nearest(in: SafeFunctions.all.sorted()).map { DecantError.Text("did you mean \($0)?") }
        ?? "available are SQLite's built-in functions and \(ValueFunctions.names.sorted().list)"
    }
    if message.hasPrefix("not authorized to use function") {
      return "a query can only call functions that depend on their arguments alone"
    }
    if let name = message.name(between: "near \"", and: "\": syntax error") {
      return syntaxRemedy(name)
    }
    if message.hasPrefix("access to ") || message.hasPrefix("vtable constructor failed")
      || message == QueryMistake.notSelect || isRefusal(error)
      || error.isRefused
    {
      return "a query can only read, and only \(entityNames)"
    }
    return QueryMistake.remedies.first { message.hasPrefix($0.key) }?.value
  }

  private static let remedies: [String: DecantError.Text] = [
    "ambiguous column name: ": "qualify it: FROM Recipe AS r, then r.title",
    "incomplete input": "its end is missing: an expression, a parenthesis, an END",
    "unrecognized token: ": "a quote may not be closed",
    "there is no SQL": "write 'SELECT … FROM …'; \(command: "inspect", app: "an inspection") lists what can be read",
    QueryMistake.several: "run \(shell: "decant once for each statement", app: "each statement as a query of its own")",
    QueryMistake.noParameter: "write a parameter in SQL as :name, @name or $name",
  ]

  /// Returns the remedy for a name that SQLite does not find; `nil` for other mistakes.
  private func misspelt(_ message: String) -> [DecantError.Remedy]? {
    if let name = message.name(after: "no such table: ") {
      return [.correctName(name, among: views.readableNames)]
    }
    guard let name = message.name(after: "no such column: ") else { return nil }
    let column = name.split(separator: ".").last.map(String.init) ?? name
    return [.correctName(column, among: mentionedViews.flatMap { $0.columns.map(\.name) })]
  }

  private func tableRemedy(_ name: String) -> String {
    let plain = name.split(separator: ".").last.map(String.init) ?? name
    if let fault = views.stored.faults[plain.lowercased()] {
      return "\(plain) exists but cannot be read: \(fault)"
    }
    let names = views.readableNames
    guard !names.isEmpty else { return "the store has no entities" }
    return (name.nearest(in: names) ?? plain.nearest(in: names)).map { "did you mean \($0)?" }
      ?? "there are \(entityNames)"
  }

  private func columnRemedy(_ name: String) -> String {
    // In r.title, r is the user's own alias; "address.city" is one attribute.
    let candidates = [name, name.split(separator: ".").last.map(String.init) ?? name]
    let mentioned = mentionedViews
    if candidates[1].lowercased() == EntityView.key, mentionedViews.isEmpty, mentionsVirtual {
      return "the key of a row in a virtual table is rowid"
    }
    let isQuoted = tokens.contains { $0.kind == .quotedName && candidates.contains($0.name ?? "") }
    if ["rowid", "_rowid_", "oid", "z_pk"].contains(candidates[1].lowercased()) {
      return "the key of an object is \(EntityView.key)"
    }
    for view in mentioned {
      for candidate in candidates {
        if let remedy = toManyRemedy(candidate, of: view) { return remedy }
      }
    }
    let quoting = "write text 'like this'"
    for candidate in candidates {
      let names = mentioned.flatMap { $0.columns.map(\.name) }
      if let near = candidate.nearest(in: names) {
        return "did you mean \(near)?" + (isQuoted ? " And \(quoting)" : "")
      }
      let others = views.views.filter { $0.has(candidate) }.map(\.name)
      if !others.isEmpty {
        return "\(others.list) \(others.count == 1 ? "has" : "have") \(candidate)"
      }
    }
    guard let view = mentioned.first, mentioned.count == 1 else { return quoting }
    let names = "\(view.name) has \(view.propertyNames.sorted().list)"
    return isQuoted ? "\(quoting); \(names)" : "\(names); \(quoting)"
  }

  /// Returns what to write in place of a to-many relationship, which is not a column.
  private func toManyRemedy(_ name: String, of view: EntityView) -> String? {
    let relationship = views.model.relationships(of: view.entity).first {
      $0.name.lowercased() == name.lowercased() && $0.isToMany
    }
    guard let relationship else { return nil }
    for owner in views.model.lineage(of: view.entity) {
      let links = views.views.first {
        // An entity may have the same name as the view of links.
        $0.entity == owner.name && $0.name.hasPrefix("\(owner.name)_\(relationship.name)")
      }
      if let links {
        let columns = links.columns.map(\.name).list
        return "it is to-many: join \(links.name), which has \(columns)"
      }
    }
    guard let inverse = relationship.inverse else { return nil }
    return "it is to-many: join \(relationship.destination) on its \(inverse) = "
      + "\(view.name)._id"
  }

  private func syntaxRemedy(_ name: String) -> DecantError.Text? {
    let names = views.views.map(\.name) + views.views.flatMap(\.propertyNames)
    if let own = names.first(where: { $0.lowercased() == name.lowercased() }) {
      return "\(own) is an SQL keyword: as a name, write it in double quotes, \(own.quotedName)"
    }
    if sql.drop(while: \.isWhitespace).first == "." {
      return
        "that is a command of the sqlite3 shell; \(command: "inspect", app: "an inspection") shows the contents of a store"
    }
    return nil
  }

  private var tokens: [SQLTokens.Token] { SQLTokens(sql).tokens }

  /// The views whose names occur in the query.
  private var mentionedViews: [EntityView] {
    let names = Set(tokens.compactMap { $0.name?.lowercased() })
    return views.views.filter { names.contains($0.name.lowercased()) }
  }

  private var mentionsVirtual: Bool {
    let names = Set(tokens.compactMap { $0.name?.lowercased() })
    return views.stored.virtual.contains { names.contains($0.name.lowercased()) }
  }

  /// The names of entities, views and virtual tables; only the first if there are many.
  private var entityNames: String {
    let entities = views.model.entities.map(\.name)
    let names = entities + views.stored.names.filter { !entities.contains($0) }
    return "the \(views.model.terms == .rows ? "tables and views" : "entities") "
      + (names.count > 30 ? names.prefix(30).joined(separator: ", ") + ", …" : names.list)
  }
}

extension String {
  fileprivate func name(after prefix: String) -> String? {
    hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
  }

  fileprivate func name(between prefix: String, and suffix: String) -> String? {
    guard hasPrefix(prefix), hasSuffix(suffix) else { return nil }
    return String(dropFirst(prefix.count).dropLast(suffix.count))
  }
}

extension EntityView {
  fileprivate func has(_ name: String) -> Bool {
    columns.contains { $0.name.lowercased() == name.lowercased() }
  }
}

extension [String] {
  fileprivate var list: String { joined(separator: ", ") }
}
