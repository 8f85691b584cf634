internal import CDecantSQLite

/// Numbers as SQLite writes them.
package enum SQLiteNumber {
  /// Returns what `printf('%!.17g', number)` returns: all digits that a number can have.
  package static func text(_ number: Double) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      decant_sqlite_number(number, buffer.baseAddress, Int32(buffer.count))
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}
