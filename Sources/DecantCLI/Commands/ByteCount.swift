internal import ArgumentParser

/// Sizes as people write them.
enum ByteCount {
  /// Reads `20MB`, which is decimal, `64MiB`, which is binary, or a plain number of bytes.
  static func parse(_ text: String) throws -> Int64 {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop(while: \.isWhitespace).lowercased()
    let units: [String: Int64] = [
      "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
      "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
    guard let number = Int64(digits), let factor = units[unit] else {
      throw ValidationError("write the size as 20MB or 64MiB, not “\(text)”")
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow else { throw ValidationError("“\(text)” is too large a size") }
    return product
  }
}
