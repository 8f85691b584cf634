internal import CDecantSQLite
internal import DecantSystem

extension Connection {
  /// Registers the collation `utf8`, which sorts texts by their bytes in UTF-8, whatever encoding the database has.
  package func addUTF8Collation() throws(SQLiteError) {
    try check(
      sqlite3_create_collation_v2(
        handle,
        "utf8",
        SQLITE_UTF8,
        nil,
        { _, count, bytes, otherCount, others in
          let shared = Int(min(count, otherCount))
          guard shared > 0, let bytes, let others else { return count - otherCount }
          let order = memcmp(bytes, others, shared)
          return order == 0 ? count - otherCount : order
        },
        nil
      )
    )
  }

  /// Makes joins find texts that a collation treats as equal although their lengths differ.
  package func joinWithoutBloomFilters() { decant_sqlite_join_without_bloom(handle) }

  /// Registers the collation `name`, unless there is one of that name.
  ///
  /// It compares the bytes of texts in UTF-8 by `order`: a negative number if the first text comes first, zero if they are
  /// equal.
  package func addCollation(
    _ name: String,
    _ order: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
  ) throws(SQLiteError) {
    let key = "\(name) collation"
    guard slots[key] == nil else { return }
    let slot = TextOrder(order)
    slots[key] = slot
    try check(
      sqlite3_create_collation_v2(
        handle,
        name,
        SQLITE_UTF8,
        Unmanaged.passUnretained(slot).toOpaque(),
        { slot, count, bytes, otherCount, others in
          guard let slot else { return 0 }
          let order = Unmanaged<TextOrder>.fromOpaque(slot).takeUnretainedValue().order(
            UnsafeRawBufferPointer(start: bytes, count: Int(count)),
            UnsafeRawBufferPointer(start: others, count: Int(otherCount))
          )
          return Int32(clamping: order)
        },
        nil
      )
    )
  }

  /// Allows statements on columns whose collation only the app that created the database defines.
  ///
  /// Such columns cannot be compared or sorted. The substitute for each collation treats every text as greater than the
  /// one before: rows in the order of an index are inserted into its copy in that order, as VACUUM does, and the index
  /// stays the same. A statement that searches such a column finds nothing, and must not be used.
  package func acceptUnknownCollations() throws(SQLiteError) {
    try check(
      sqlite3_collation_needed(handle, nil) { _, handle, encoding, name in
        sqlite3_create_collation_v2(handle, name, encoding, nil, { _, _, _, _, _ in -1 }, nil)
      }
    )
  }
}

/// The order of a collation, for SQLite to refer to.
private final class TextOrder {
  let order: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int

  init(_ order: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int) { self.order = order }
}
