internal import DecantBase
internal import DecantSQLite

/// Writes the statements of a patch, piece by piece, with literals that mean the same everywhere.
final class PatchOutput {
  private var buffer: [UInt8] = []
  private let write: (UnsafeRawBufferPointer) throws(DecantError) -> Void
  /// Converts a text to a number as SQLite does.
  private let number: Statement
  /// The number of pieces of text that were written.
  private(set) var count = 0

  /// Whether nothing was written.
  var isEmpty: Bool { count == 0 }

  /// - Parameters:
  ///   - connection: Any connection, used to find out what a literal means to SQLite.
  ///   - write: Receives the text, piece by piece.
  /// - Throws: `SQLiteError` if the connection cannot be used.
  init(
    _ connection: Connection,
    _ write: @escaping (UnsafeRawBufferPointer) throws(DecantError) -> Void
  ) throws(SQLiteError) {
    self.write = write
    number = try connection.prepare("SELECT CAST(?1 AS REAL)")
  }

  /// Adds text unchanged.
  func add(_ text: String) throws(DecantError) {
    count += 1
    buffer.append(contentsOf: text.utf8)
    if buffer.count > 1 << 16 { try flush() }
  }

  /// Writes the buffered text.
  func flush() throws(DecantError) {
    let pending = buffer
    buffer.removeAll(keepingCapacity: true)
    var failure: DecantError?
    pending.withUnsafeBytes { bytes in
      do throws(DecantError) { try write(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Adds bytes as hexadecimal digits.
  func addHex(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    let digits = Array("0123456789abcdef".utf8)
    for start in stride(from: 0, to: bytes.count, by: 1 << 15) {
      for byte in bytes[start..<min(bytes.count, start + 1 << 15)] {
        buffer.append(digits[Int(byte >> 4)])
        buffer.append(digits[Int(byte & 15)])
      }
      if buffer.count > 1 << 16 { try flush() }
    }
  }

  /// Adds a value of a row as a literal.
  ///
  /// - Parameters:
  ///   - position: The column of the value.
  ///   - exact: The column with a text's bytes as hexadecimal digits, if the connection's encoding differs from the
  ///     database's.
  ///   - row: The row.
  /// - Throws: `DecantError` if the value cannot be written.
  func add(_ position: Int, exact: Int? = nil, of row: Statement) throws(DecantError) {
    switch row.type(at: position) {
    case .null: try add("NULL")
    case .integer: try add("\(row.integer(at: position))")
    case .real:
      try add(
        try explaining("cannot write a number") { () throws(SQLiteError) in
          try literal(of: row.real(at: position))
        }
      )
    case .blob:
      try add("x'")
      try addBytes(position, of: row)
      try add("'")
    case .text:
      if let literal = try literal(position, isWide: exact != nil, of: row) {
        return try add(literal)
      }
      // Control characters and invalid text do not survive a terminal or a shell that reads lines.
      try add("CAST(x'")
      if let exact {
        try add(row.text(at: exact) ?? "")
      } else {
        try addBytes(position, of: row)
      }
      try add("' AS TEXT)")
    }
  }

  /// Returns a text in quotes; `nil` if it would not be read back unchanged.
  private func literal(_ position: Int, isWide: Bool, of row: Statement) throws(DecantError) -> String? {
    guard isWide else { return row.withBytes(at: position) { PatchOutput.literal(of: $0) } }
    let exact = try explaining("cannot read a text") { () throws(SQLiteError) in
      try row.exactValue(at: position)
    }
    guard case .utf8(let bytes) = exact,
      let literal = bytes.withUnsafeBytes({ PatchOutput.literal(of: $0) }),
      // SQLite changes these when it converts them to UTF-16.
      !literal.unicodeScalars.contains(where: {
        (0xFFFE...0xFFFF).contains($0.value) || $0 == "\u{FEFF}"
      })
    else { return nil }
    return literal
  }

  private func addBytes(_ position: Int, of row: Statement) throws(DecantError) {
    var failure: DecantError?
    row.withBytes(at: position) { bytes in
      do throws(DecantError) { try addHex(bytes) } catch { failure = error }
    }
    if let failure { throw failure }
  }

  /// Returns a number that is read back exactly: the shortest decimal, or otherwise an expression of whole numbers.
  private func literal(of real: Double) throws(SQLiteError) -> String {
    guard real.isFinite else { return real < 0 ? "-9e999" : "9e999" }
    let text = "\(real)"
    try number.bind(.text(text), at: 1)
    defer { number.reset() }
    if try number.step(), number.real(at: 0).bitPattern == real.bitPattern { return text }
    // A whole number of at most 53 bits and powers of two are computed without rounding.
    let significand = Int64(real.significandBitPattern) | (real.isNormal ? 1 << 52 : 0)
    var exponent = (real.isNormal ? Int(real.exponent) : -1022) - 52
    var literal = "\(real.sign == .minus ? "-" : "")\(significand)*1.0"
    while exponent != 0 {
      let bits = min(abs(exponent), 62)
      literal += "\(exponent < 0 ? "/" : "*")\(Int64(1) << Int64(bits))"
      exponent += exponent < 0 ? bits : -bits
    }
    return literal
  }

  /// Returns a text in quotes, with line ends as `char` calls; `nil` if that is not possible.
  private static func literal(of bytes: UnsafeRawBufferPointer) -> String? {
    var (hasLineEnd, hasReturn) = (false, false)
    for byte in bytes {
      switch byte {
      case 0x0A: hasLineEnd = true
      case 0x0D: hasReturn = true
      case 0x09: break
      case 0..<0x20, 0x7F: return nil
      default: break
      }
    }
    guard var text = String(validating: bytes, as: UTF8.self),
      !text.unicodeScalars.contains(where: { (0x80..<0xA0).contains($0.value) })
    else { return nil }
    if hasLineEnd || hasReturn {
      // Bytes are compared, since a combining mark after the letter would form another character.
      let isEscaped = zip(bytes, bytes.dropFirst()).contains { first, second in
        first == UInt8(ascii: "\\") && (second == UInt8(ascii: "n") || second == UInt8(ascii: "r"))
      }
      guard !isEscaped else { return nil }
      // As a `Character`, “\r\n” would be a single one.
      let parts = text.unicodeScalars.map { scalar in
        scalar == "\n" ? "\\n" : scalar == "\r" ? "\\r" : String(scalar)
      }
      text = parts.joined()
    }
    var literal = text.sqlText
    if hasLineEnd { literal = "replace(\(literal),'\\n',char(10))" }
    if hasReturn { literal = "replace(\(literal),'\\r',char(13))" }
    return literal
  }
}
