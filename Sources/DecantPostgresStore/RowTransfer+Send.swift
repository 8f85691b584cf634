internal import DecantBase
internal import DecantPostgres
internal import DecantSQLite
internal import DecantServerSchema
internal import DecantStore

/// Sending values to the server.
extension RowTransfer {
  /// Sends a value of the column's type; `found` is its storage class.
  func send(
    _ row: Statement,
    _ position: Int,
    _ found: StorageClass,
    _ copy: CopyIn
  ) throws {
    switch (kinds[position].type, found) {
    case (.smallint, .integer):
      guard let value = Int16(exactly: row.integer(at: position)) else { throw misfit(position) }
      copy.append(value: value)
    case (.integer, .integer):
      guard let value = Int32(exactly: row.integer(at: position)) else { throw misfit(position) }
      copy.append(value: value)
    case (.bigint, .integer): copy.append(value: row.integer(at: position))
    case (.boolean, .integer): copy.append(value: row.integer(at: position) != 0)
    case (.double, .integer), (.double, .real): copy.append(value: row.real(at: position))
    case (.numeric, .integer), (.numeric, .real):
      let text =
        found == .integer
        ? String(row.integer(at: position)) : DecimalText.text(of: row.real(at: position))
      guard let digits = DecimalDigits(text) else { throw misfit(position) }
      copy.append(digits)
    case (.timestamp, .integer), (.timestamp, .real):
      guard let value = StrictType.microseconds(of: row.real(at: position)) else { throw misfit(position) }
      copy.append(value: value + ServerType.offset)
    case (.text, .text), (.bytea, .blob), (.uuid, .blob):
      var failure: (any Error)?
      row.withBytes(at: position) { bytes in
        do { try copy.append(value: bytes) } catch { failure = error }
      }
      if let failure { throw failure }
    default: throw misfit(position)
    }
  }

  /// Sends a value of another type than the column's, in the form in which the column holds it.
  func send(
    _ form: ValueForm,
    _ row: Statement,
    _ position: Int,
    _ copy: CopyIn
  ) throws {
    let type = kinds[position].type
    let stored = form.encoded(row.value(at: position), as: type.strictType)
    switch (type, stored) {
    case (.smallint, .integer(let value)): copy.append(value: Int16(truncatingIfNeeded: value))
    case (.integer, .integer(let value)): copy.append(value: Int32(truncatingIfNeeded: value))
    case (.bigint, .integer(let value)): copy.append(value: value)
    case (.boolean, .integer(let value)): copy.append(value: value != 0)
    case (.double, .real(let value)): copy.append(value: value)
    case (.timestamp, .integer(let value)): copy.append(value: value + ServerType.offset)
    case (.numeric, .some(let value)):
      let text: String? =
        switch value {
        case .integer(let value): String(value)
        case .real(let value): DecimalText.text(of: value)
        case .text(let text): text
        case .null, .utf8, .blob: nil
        }
      guard let digits = text.flatMap({ DecimalDigits($0) }) else { throw misfit(position) }
      copy.append(digits)
    case (.text, .text(let text)): try append(Array(text.utf8), to: copy)
    case (.uuid, .blob(let bytes)), (.bytea, .blob(let bytes)): try append(bytes, to: copy)
    default: throw misfit(position)
    }
  }

  private func append(_ bytes: [UInt8], to copy: CopyIn) throws {
    try bytes.withUnsafeBytes { bytes in try copy.append(value: bytes) }
  }

  private func misfit(_ position: Int) -> DecantError {
    let column = table.columns[position]
    return DecantError(
      .unsupportedContent,
      "a value of \(table.own).\(column.own) is not of the type \(column.type.rawValue), which the others have",
      remedy: "correct it in a copy of the database, or leave the row out with \(say: .where)"
    )
  }
}
