internal import DecantBase
internal import DecantSQLite

extension CopyStep {
  /// The source's values for the proof; those too large for memory are hashed.
  package var expectedValues: [String] {
    provenValues(\.expected) { stream in (CopySession.source, sourceKey, stream.source) }
  }

  /// Returns the destination's values for the proof in `schema`, likewise.
  package func actualValues(in schema: String) -> [String] {
    provenValues(\.actual) { stream in (schema, keyColumn.sqlName, stream.destination) }
  }

  private func provenValues(
    _ side: KeyPath<Proof, String>,
    _ end: (StreamedColumn) -> (schema: String, key: String, end: StreamedColumn.End)
  ) -> [String] {
    assignments.compactMap { assignment in
      guard let proof = assignment.proof else { return nil }
      let value = proof[keyPath: side]
      guard hasLargeValues, let stream = assignment.stream else { return value }
      let (schema, key, place) = end(stream)
      let names = [schema, place.table, place.column].map(\.sqlText).joined(separator: ", ")
      let mark = "x'\(place.mark.map(\.hex).joined())'"
      var cases = "WHEN \(place.isLargeInline) THEN large(\(names), \(key), \(mark))"
      if let side = place.filesOf {
        cases +=
          " WHEN \(place.isLarge) THEN large_file(\(side.sqlText), \(place.column.sqlName))"
      }
      return "CASE \(cases) ELSE \(value) END"
    }
  }
}
