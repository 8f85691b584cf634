package import DecantBase
internal import DecantSQLite
internal import DecantStore

/// The objects of a source whose values are too large for one row, because some of them are in files.
///
/// The temporary databases hold 1,000,000,000 bytes per row, and so does every row that is copied to them; the server
/// holds one gibibyte.
package struct RowLimit {
  private let source: any SourceStore

  package init(of source: any SourceStore) { self.source = source }

  private static let byteCount = 1_000_000_000

  /// Throws if there are any that must not be left out, naming their entities and counts.
  package func check(_ options: CopyOptions) throws(DecantError) {
    guard options.onError == .stop, !options.choosesObjects else { return }
    let relations = source.layout.relations.filter { $0.columns.contains(where: \.isExternal) }
    guard !relations.isEmpty else { return }
    let session = try CopySession(source: source, encoding: nil)
    var found: [String] = []
    try explaining("cannot read the sizes of the values in “\(source.identity.place)”") { () throws(SQLiteError) in
      let reader = session.connection.reader(of: CopySession.source)
      for relation in relations {
        let lengths = relation.columns.filter(\.isExternal).map { column -> String in
          let name = column.name.sqlName
          return """
            CASE WHEN typeof(\(name)) <> 'blob' THEN 0
            WHEN length(\(name)) < 128 THEN max(file_length('source', \(name)), length(\(name))) ELSE length(\(name)) END
            """
        }
        // The rest of the row is small in comparison, or would not fit in a row of the source.
        let count = try reader.integer(
          """
          SELECT count(*) FROM \(relation.sqlTable(in: CopySession.source))
          WHERE \(lengths.joined(separator: " + ")) > \(RowLimit.byteCount - 1_000_000)
          """)
        if let count, count > 0 {
          let names = relation.columns.filter(\.isExternal).map(\.name).joined(separator: ", ")
          found.append("\(relation.root) (\(names)): \(count.counted("object"))")
        }
      }
    }
    guard !found.isEmpty else { return }
    throw DecantError(
      .unsupportedContent,
      "the values of an object may have 1 GB in all, but not these: \(found.joined(separator: "; "))",
      place: "\(source.identity.place)",
      remedy: "\(option: .where) chooses the objects, \(option: .onError, "reject") leaves these out"
    )
  }
}
