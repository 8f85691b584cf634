internal import DecantBase
package import DecantSQLite

/// The position of a step: its last copied row.
package enum RowPosition: Sendable, Hashable {
  /// An object's key, or a rowid.
  case key(Int64)
  /// The values of a non-integer key.
  case values([Binding])

  /// Parses the form of `stored`; `nil` for anything else.
  package init?(_ stored: Binding) {
    switch stored {
    case .integer(let key): self = .key(key)
    case .text(let text):
      let values = text.split(separator: ",").map { Binding(position: $0) }
      guard !values.contains(nil) else { return nil }
      self = .values(values.compactMap(\.self))
    case .null, .real, .utf8, .blob: return nil
    }
  }

  /// The position in the form of a checkpoint.
  package var stored: Binding {
    switch self {
    case .key(let key): .integer(key)
    case .values(let values): .text(values.map(\.positionText).joined(separator: ","))
    }
  }
}

/// The rows after one position up to another.
package struct RowBatch: Sendable, Hashable {
  /// The last row before the batch; `nil` for the first batch.
  package var after: RowPosition?
  /// The last row of the batch.
  package var last: RowPosition

  package init(after: RowPosition? = nil, last: RowPosition) {
    (self.after, self.last) = (after, last)
  }

  /// The key range of a batch by integer key.
  package var range: ClosedRange<Int64>? {
    guard case .key(let upper) = last else { return nil }
    switch after {
    case .key(let key) where key < upper: return (key + 1)...upper
    case nil: return Int64.min...upper
    case .key, .values: return nil
    }
  }
}

extension Binding {
  /// The value in the form of a checkpoint: exact, and without a comma.
  fileprivate var positionText: String {
    switch self {
    case .null: "n"
    case .integer(let integer): "i\(integer)"
    case .real(let real): "r\(real.bitPattern)"
    case .text(let text): "t" + text.utf8.map(\.hex).joined()
    case .utf8(let bytes): "t" + bytes.map(\.hex).joined()
    case .blob(let bytes): "b" + bytes.map(\.hex).joined()
    }
  }

  fileprivate init?(position text: Substring) {
    let rest = text.dropFirst()
    switch text.first {
    case "n": self = .null
    case "i":
      guard let integer = Int64(rest) else { return nil }
      self = .integer(integer)
    case "r":
      guard let bits = UInt64(rest) else { return nil }
      self = .real(Double(bitPattern: bits))
    case "t": self = .utf8(Binding.bytes(of: rest))
    case "b": self = .blob(Binding.bytes(of: rest))
    default: return nil
    }
  }

  private static func bytes(of hexadecimal: Substring) -> [UInt8] {
    let digits = Array(hexadecimal.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).map { index in
      UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0
    }
  }
}

extension RowPosition {
  /// The key in SQL syntax, with long texts and bytes truncated: `7`, `'A1', 3`, `x'00ff'`.
  package var keyText: String {
    switch self {
    case .key(let key): String(key)
    case .values(let values): values.map(\.shortSQL).joined(separator: ", ")
    }
  }
}

extension Binding {
  private static let shortLength = 40

  /// The value in SQL syntax, truncated if long.
  fileprivate var shortSQL: String {
    switch self {
    case .null: "NULL"
    case .integer(let integer): String(integer)
    case .real(let real): String(real)
    case .text(let text): Binding.short(text)
    case .utf8(let bytes): Binding.short(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes):
      "x'\(bytes.prefix(Binding.shortLength / 2).map(\.hex).joined())'"
        + (bytes.count > Binding.shortLength / 2 ? "…" : "")
    }
  }

  private static func short(_ text: String) -> String {
    "\(String(text.prefix(shortLength)).sqlText)" + (text.count > shortLength ? "…" : "")
  }
}
