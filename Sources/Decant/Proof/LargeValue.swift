internal import CXXHash
internal import SQLite

/// The SQL function `large(schema, table, column, rowid)`: a hash of a value that is too large for
/// memory, read piece by piece.
final class LargeValue: StandIn {
  /// The connection that owns this function.
  private unowned let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  override func call(
    _ arguments: borrowing FunctionArguments,
    _ result: borrowing FunctionResult
  ) {
    guard let state = XXH3_createState() else { return result.fail("out of memory") }
    defer { XXH3_freeState(state) }
    XXH3_128bits_reset(state)
    do throws(SQLiteError) {
      let value = try BlobHandle(
        arguments.text(at: 0),
        arguments.text(at: 1),
        arguments.text(at: 2),
        rowID: arguments.integer(at: 3),
        on: connection
      )
      try value.forEachPiece { piece, _ in
        XXH3_128bits_update(state, piece.baseAddress, piece.count)
      }
      give(XXH3_128bits_digest(state), for: Int64(value.byteCount), result)
    } catch {
      result.fail(error.message)
    }
  }
}

extension XXH128_hash_t {
  /// The hash in the same bytes on every machine.
  var canonical: XXH128_canonical_t {
    var canonical = XXH128_canonical_t()
    XXH128_canonicalFromHash(&canonical, self)
    return canonical
  }
}

extension CopyStep {
  /// The proven values of the source, those too large for memory by their hash.
  var expectedValues: [String] {
    provenValues(\.expected) { stream in (Workbench.source, sourceKey, stream.source) }
  }

  /// The proven values of the destination in `schema`, likewise.
  func actualValues(in schema: String) -> [String] {
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
      return "CASE WHEN \(place.isLarge) THEN large(\(names), \(key)) ELSE \(value) END"
    }
  }
}
