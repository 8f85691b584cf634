public import DecantBase
public import DecantPlan
package import DecantStore
internal import DecantSQLite

/// A suggestion of a links file for a database: the columns that look like links, with the evidence for each.
public struct LinkSuggestion: Runnable {
  private let store: StoreLocation
  private var options: CopyOptions
  private let opener: any StoreOpener
  /// How the database is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }

  /// Describes a suggestion for a store of a kind that `opener` knows.
  ///
  /// - Parameters:
  ///   - store: The database.
  ///   - options: How to read it.
  ///   - opener: Opens the database.
  package init(for store: StoreLocation, options: CopyOptions, opener: any StoreOpener) {
    self.store = store
    self.options = options
    self.opener = opener
  }

  /// The suggestion: YAML for `LinksFile`, without a final line break; every column that may contain keys is read once.
  ///
  /// An error is of the family `.usage` if the store's model already defines the links.
  public var operation: DecantOperation<String> {
    DecantOperation("suggestion", .inspect) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in
        try perform(cancellation, tell)
      }
    }
  }

  private func perform(_ cancellation: Cancellation, _ tell: @escaping (WorkEvent) -> Void)
    throws(DecantError) -> String
  {
    tell(.began(.read))
    let source = try opener.openSource(store, options: options)
    guard source.identity.terms == .rows else {
      throw DecantError(
        .unsuitableOption,
        "\(option: .suggestLinks) is for plain databases: the model of “\(store.place)” already defines its links",
        remedy: "remove it"
      )
    }
    try cancellation.check()
    tell(.began(.resolve))
    let found = try LinkSuggestion.found(in: source, cancellation, tell)
    tell(.began(.check))
    return LinkSuggestion.text(of: found, place: store.place)
  }

  /// Finds the columns of a plain database that look like links; every column that may contain keys is read once.
  ///
  /// - Parameters:
  ///   - source: The database.
  ///   - cancellation: Stops the search from another thread.
  ///   - tell: Receives progress.
  /// - Returns: The evidence for each, in the order of tables and columns.
  /// - Throws: `DecantError` if the database cannot be read, or of the family `.interrupted`.
  package static func found(
    in source: any SourceStore,
    _ cancellation: Cancellation,
    _ tell: @escaping (WorkEvent) -> Void
  ) throws(DecantError) -> [LinkEvidence] {
    let session = try CopySession(source: source)
    session.setProgressCheck(StopCheck(cancellation))
    try explaining("cannot begin reading") { () throws(SQLiteError) in try session.beginReading() }
    let ids = IDTable()
    defer { ids.removeAll() }
    _ = try Resolve(
      connection: session.connection,
      sourceModel: source.model,
      sourceLayout: source.layout,
      sourceSchema: CopySession.source,
      counters: [:]
    ).fill(ids)
    var search = UndeclaredLinks(layout: source.layout, ids: ids, schema: CopySession.source)
    search.asksOfChangesOnly = false
    return try search.found(on: session.connection, SearchProgress(tell).part(0.2...1))
  }

  private static func text(of found: [LinkEvidence], place: String) -> String {
    var lines = [
      "# Undeclared links of \(place.yamlComment), suggested by names and values.",
      "# Check each line, then pass this file with --links. “- no-link: table.column” rules a link out.",
    ]
    let (plain, pairs) = (
      found.filter { $0.typeColumn == nil && !$0.isList },
      found.filter { $0.typeColumn != nil && !$0.hasPrefixes }
    )
    let (texts, lists) = (found.filter(\.hasPrefixes), found.filter(\.isList))
    let (strong, weak) = (
      plain.filter { $0.weight == .strong && !$0.isAmbiguous },
      plain.filter { $0.weight == .weak || $0.isAmbiguous }
    )
    if found.isEmpty { lines.append("# None found.") }
    for evidence in strong {
      lines.append("- link: \(evidence.links()[0].yamlText)  # \(evidence.text.yamlComment)")
    }
    if !weak.isEmpty {
      lines += ["", "# Doubtful: only the values, or only a part of the name, suggest a link."]
      for evidence in weak {
        lines.append("# - link: \(evidence.links()[0].yamlText)  # \(evidence.text.yamlComment)")
      }
    }
    if !pairs.isEmpty {
      lines += ["", "# Keys of several tables: another column names the table of each row."]
    }
    for evidence in pairs {
      for (type, link) in zip(evidence.types, evidence.links(portable: true)) {
        let text =
          "\(type.valueCount.counted("row")) of type \(type.name), \(type.hitCount) of them with an existing key"
        lines.append(
          type.root == nil
            ? "# - link: \(link.yamlText)  # \("no such table; \(text)".yamlComment)"
            : "\(evidence.weight == .strong ? "" : "# ")- link: \(link.yamlText)  # \(text.yamlComment)"
        )
      }
    }
    if !texts.isEmpty { lines += ["", "# Keys after a prefix, the text before the %."] }
    for evidence in texts {
      let mark = evidence.weight == .strong ? "" : "# "
      for link in evidence.links(portable: true) {
        lines.append("\(mark)- link: \(link.yamlText)  # \(evidence.text.yamlComment)")
      }
    }
    if !lists.isEmpty {
      lines += [
        "", "# Lists of keys in text: a link cannot describe them, and they are copied unchanged.",
      ]
    }
    for evidence in lists {
      lines.append("# \(evidence.column), of \(evidence.target.root): \(evidence.text)".yamlComment)
    }
    return lines.joined(separator: "\n")
  }
}
