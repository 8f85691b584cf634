internal import DecantBase

/// Tables whose first row holds the column names.
extension CSVReader {
  /// Whether the first line of a text contains all of these names, in lower case, among its cells.
  static func hasColumns(_ names: [String], _ head: [UInt8]) -> Bool {
    guard let first = HeadLines.parts(head, limit: 1).first else { return false }
    let words = TextEncoding.text(first).lowercased()
    let cells = words.split(separator: Character(Unicode.Scalar(CSVReader.separator(of: first)))).map {
      $0.trimming("\"")
    }
    return names.allSatisfy(cells.contains)
  }

  /// Passes each row after the first to `take`, each cell trimmed and paired with the name of its column.
  ///
  /// - Parameters:
  ///   - lines: The table.
  ///   - context: Receives warnings about malformed rows.
  ///   - take: Receives each row, or the reason it cannot be read.
  /// - Throws: Errors from `take` and from reading.
  static func forEachRow(
    of lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<[(name: String, value: String)], RecipeFault>) throws -> Void
  ) throws {
    let reader = CSVReader(lines)
    guard let names = try reader.next() else { return }
    while true {
      let row: [String]?
      do {
        row = try reader.next()
      } catch let fault as RecipeFault {
        try take(.failure(fault))
        continue
      }
      guard let row else { return }
      if row.allSatisfy({ $0.trimmed.isEmpty }) { continue }
      if row.count > names.count {
        let message = "the row on line \(reader.line) has \(row.count) cells, but the first row has \(names.count)"
        try take(.failure(RecipeFault(message)))
        continue
      }
      reader.warning.map(context.warn)
      try take(.success(zip(names, row).map { ($0.trimmed, $1.trimmed) }))
    }
  }
}
