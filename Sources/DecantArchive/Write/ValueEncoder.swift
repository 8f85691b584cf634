internal import DecantJSON
internal import DecantSQLite
internal import DecantSystem

/// Writes single values in the archive format, so that each can be restored bit for bit.
struct ValueEncoder {
  /// Whether texts are read without conversion by SQLite, as those in UTF-16 have to be.
  let isWide: Bool

  /// The result of writing a value with a size limit.
  enum Outcome {
    case written
    /// Bytes or a text that must be written in separate pieces.
    case large(isText: Bool)
  }

  /// Writes the value in column `place` of a row, unless it has more than `limit` bytes.
  func encode(
    _ row: Statement,
    _ place: Int,
    _ coding: ValueCoding,
    limit: Int,
    to line: inout LineBuffer
  ) throws(SQLiteError) -> Outcome {
    switch row.type(at: place) {
    case .null: line.append("null")
    case .integer: encode(row.integer(at: place), coding, to: &line)
    case .real: encode(row.real(at: place), coding, to: &line)
    case .text:
      guard isWide else {
        return try row.withLentBytes(at: place) { bytes in
          guard bytes.count <= limit else { return .large(isText: true) }
          encode(text: bytes, coding, to: &line)
          return .written
        }
      }
      guard case .utf8(let bytes) = try row.exactValue(at: place) else { break }
      guard bytes.count <= limit else { return .large(isText: true) }
      bytes.withUnsafeBytes { encode(text: $0, coding, to: &line) }
    case .blob:
      return try row.withLentBytes(at: place) { bytes in
        guard bytes.count <= limit else { return .large(isText: false) }
        encode(bytes: bytes, coding, to: &line)
        return .written
      }
    }
    return .written
  }

  /// Writes the value of a link column: a key, or any other value of a plain database.
  func encode(link row: Statement, _ place: Int, to line: inout LineBuffer) throws(SQLiteError) {
    guard case .large = try encode(row, place, .asStored, limit: 1 << 18, to: &line) else { return }
    throw SQLiteError(
      code: SQLiteError.internalCode,
      message: "a link has a value of more than 256 KiB, which an archive cannot hold"
    )
  }

  private func encode(_ integer: Int64, _ coding: ValueCoding, to line: inout LineBuffer) {
    switch coding {
    case .boolean where integer == 0: line.append("false")
    case .boolean where integer == 1: line.append("true")
    case .date where integer.magnitude <= 1 << 53: encode(Double(integer), .date, to: &line)
    case .decimal:
      line.append(#"{"decimal":""#)
      line.append(integer)
      line.append(#""}"#)
    case .asStored, .boolean, .date, .uuid, .uri: encode(integer: integer, to: &line)
    }
  }

  /// Writes an integer; as text if many readers would lose some of its digits.
  func encode(integer: Int64, to line: inout LineBuffer) {
    guard integer.magnitude > 1 << 53 else { return line.append(integer) }
    line.append(#"{"int":""#)
    line.append(integer)
    line.append(#""}"#)
  }

  private func encode(_ number: Double, _ coding: ValueCoding, to line: inout LineBuffer) {
    guard number.isFinite else {
      return line.append(number < 0 ? #"{"double":"-inf"}"# : #"{"double":"inf"}"#)
    }
    switch coding {
    case .date:
      if !line.append(date: number) {
        line.append(#"{"seconds":"#)
        line.append(number)
        line.append("}")
      }
    case .decimal:
      line.append(#"{"decimal":"#)
      line.append(string: "\(number)")
      line.append("}")
    case .asStored, .boolean, .uuid, .uri: line.append(number)
    }
  }

  /// Writes a text; in base64 if JSON cannot hold it unchanged.
  func encode(text bytes: UnsafeRawBufferPointer, _ coding: ValueCoding, to line: inout LineBuffer) {
    guard bytes.isValidUTF8, !bytes.containsNUL else {
      line.append(#"{"text64":""#)
      line.append(base64: bytes)
      return line.append(#""}"#)
    }
    guard case .uri = coding else { return line.append(string: bytes) }
    line.append(#"{"uri":"#)
    line.append(string: bytes)
    line.append("}")
  }

  /// Writes bytes.
  func encode(bytes: UnsafeRawBufferPointer, _ coding: ValueCoding, to line: inout LineBuffer) {
    guard case .uuid = coding, bytes.count == 16 else {
      line.append(#"{"base64":""#)
      line.append(base64: bytes)
      return line.append(#""}"#)
    }
    line.append(#"{"uuid":""#)
    for (place, part) in [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].enumerated() {
      if place > 0 { line.append("-") }
      line.append(hex: UnsafeRawBufferPointer(rebasing: bytes[part]), isUpper: true)
    }
    line.append(#""}"#)
  }
}
