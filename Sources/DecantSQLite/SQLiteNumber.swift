internal import CDecantSQLite

/// Numbers in SQLite's notation.
package enum SQLiteNumber {
  /// Returns the result of `printf('%!.17g', number)`: all digits that a number can have.
  package static func text(_ number: Double) -> String {
    // Most numbers are integers of up to 15 digits; SQLite writes them with a zero after the point.
    if number.magnitude < 1e15, let whole = Int64(exactly: number), whole != 0 || number.sign == .plus {
      return "\(whole).0"
    }
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      decant_sqlite_number(number, buffer.baseAddress, Int32(buffer.count))
      return buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}
