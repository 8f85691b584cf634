internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// Compares the full-text indexes of two stores by the words that they contain.
///
/// An index is read word by word through its vocabulary table, because its own `integrity-check` is a command that has
/// to be written to it. The numbers of its texts are mapped as keys are; texts that only one store has are ignored.
struct TextIndexComparison {
  let comparison: Comparison

  private var connection: Connection { comparison.connection }

  /// The indexes that both stores have, with the same declaration.
  private var indexes: [TextIndex] {
    let layouts = Sided {
      comparison.schema.stores[$0].layout.textIndexes
    }
    return layouts.source.filter { index in
      layouts.destination.contains(index) && comparison.schema.isAlike(table: index.table)
    }
  }

  /// A note on why the indexes cannot be compared; `nil` if they can be, or there are none.
  var note: ReportNote? {
    guard !indexes.isEmpty, connection.reader(of: CopySession.source) !== connection else {
      return nil
    }
    let names = indexes.map(\.table).joined(separator: ", ")
    return ReportNote(
      .textIndexesNotCompared,
      "full-text indexes were not compared because the text encodings differ: \(names)"
    )
  }

  /// Finds the indexes that differ.
  ///
  /// - Parameter wanted: The compared entities; `nil` for all.
  /// - Returns: One difference for each differing index.
  /// - Throws: `SQLiteError` if a store cannot be read.
  func differences(of wanted: Set<String>?) throws(SQLiteError) -> [SchemaDifference] {
    guard connection.reader(of: CopySession.source) === connection else { return [] }
    var found: [SchemaDifference] = []
    for index in indexes
    where wanted.map({ $0.contains(index.table) || index.root.map($0.contains) ?? false }) ?? true {
      if let difference = try difference(of: index) { found.append(difference) }
    }
    return found
  }

  private func difference(of index: TextIndex) throws(SQLiteError) -> SchemaDifference? {
    let isCounted = index.module != "fts5"
    // A table of words alone does not say which texts contain them.
    if isCounted, try !pairsAllTexts(index) { return nil }
    var failures: [String] = []
    let words = Sided(try index.words(in: .source, on: connection), try index.words(in: .destination, on: connection))
    defer { withExtendedLifetime(words) {} }
    for side in MatchSide.allCases {
      do throws(SQLiteError) {
        _ = try connection.integer("SELECT count(*) FROM \(words[side])")
      } catch {
        guard error.isCorrupt else { throw error }
        failures.append(side == .source ? "here" : "there")
      }
    }
    guard failures.isEmpty else {
      return SchemaDifference(
        .textIndex,
        index.table,
        .changed,
        detail: "is damaged \(failures.joined(separator: " and "))"
      )
    }
    let rows = Sided { self.rows(of: index, $0, words[$0], isCounted: isCounted) }
    let lone = Sided(
      try count(rows.source, without: rows.destination),
      try count(rows.destination, without: rows.source)
    )
    guard lone.source + lone.destination > 0 else { return nil }
    return SchemaDifference(
      .textIndex,
      index.table,
      .changed,
      count: lone.source + lone.destination,
      detail:
        "has \(lone.source) \(lone.source == 1 ? "entry" : "entries") only here and \(lone.destination) only there"
    )
  }

  /// Returns the contents of an index: each word with its text, column and offset, or with its number of occurrences.
  private func rows(of index: TextIndex, _ side: MatchSide, _ table: TemporaryTable, isCounted: Bool) -> String {
    if isCounted { return "SELECT term, col, documents, occurrences FROM \(table)" }
    guard let root = index.root?.sqlText else {
      return "SELECT term, doc, col, \"offset\" FROM \(table)"
    }
    return side == .source
      ? """
      SELECT term, id(\(root), doc), col, "offset" FROM \(table) WHERE id(\(root), doc) IS NOT NULL
      """
      : """
      SELECT term, doc, col, "offset" FROM \(table) WHERE origin(\(root), doc) IS NOT NULL
      """
  }

  private func count(_ rows: String, without others: String) throws(SQLiteError) -> Int64 {
    try connection.integer("SELECT count(*) FROM (\(rows) EXCEPT \(others))") ?? 0
  }

  /// Returns whether each text of either store has a counterpart in the other.
  private func pairsAllTexts(_ index: TextIndex) throws(SQLiteError) -> Bool {
    guard let root = index.root else { return true }
    guard let map = comparison.ids.map(of: root), map.isWhole,
      let relation = comparison.destination.layout.relation(of: root)
    else { return false }
    let count = "SELECT count(*) FROM \(relation.sqlTable(in: MatchSide.destination.schema))"
    return try connection.integer(count) == map.existing.count
  }
}

extension TextIndex {
  /// Creates a table of the index's words in one of two stores, and of their positions.
  ///
  /// The columns are `term`, `doc`, `col` and `offset` for FTS5, and `term`, `col`, `documents` and `occurrences` for
  /// the others.
  func words(in side: MatchSide, on connection: Connection) throws(SQLiteError) -> TemporaryTable {
    // fts4aux treats quotation marks around a schema as part of its name.
    let arguments = "\(side.schema), \(table.sqlText)"
    return try TemporaryTable(
      using: module == "fts5" ? "fts5vocab(\(arguments), 'instance')" : "fts4aux(\(arguments))",
      on: connection
    )
  }
}
