internal import DecantBase

/// Parsing of sizes.
package enum ByteCount {
  /// The reason why a text is not a size.
  package struct Mistake: Error {
    package let message: String
  }

  /// Parses `20MB`, which is decimal, `64MiB`, which is binary, or a plain number of bytes.
  package static func parse(_ text: String) throws(Mistake) -> Int64 {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let unit = text.dropFirst(digits.count).drop(while: \.isWhitespace).lowercased()
    let units: [String: Int64] = [
      "": 1, "b": 1, "kb": 1000, "mb": 1_000_000, "gb": 1_000_000_000, "tb": 1_000_000_000_000,
      "kib": 1 << 10, "mib": 1 << 20, "gib": 1 << 30, "tib": 1 << 40,
    ]
    guard let number = Int64(digits), let factor = units[unit] else {
      throw Mistake(message: "“\(text.shortened)” is not a size: write it as 20MB or 64MiB")
    }
    let (product, overflow) = number.multipliedReportingOverflow(by: factor)
    guard !overflow else { throw Mistake(message: "the size “\(text.shortened)” is too large") }
    return product
  }
}
