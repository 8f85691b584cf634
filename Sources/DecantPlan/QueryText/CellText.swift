internal import DecantBase

extension QueryValue {
  /// The value as shown in a table cell; no value is an empty cell.
  package var cellText: String {
    switch self {
    case .null: ""
    case .integer(let integer): String(integer)
    case .double(let double): double.finiteText
    case .float(let float): Double(float).isFinite ? "\(float)" : Double(float).finiteText
    case .boolean(let isTrue): isTrue ? "true" : "false"
    case .date(let seconds): DateText.text(of: seconds) ?? seconds.secondsText
    case .text(let text): text
    case .uuid(let bytes): bytes.uuidText
    case .bytes(let summary): summary.text
    }
  }

  /// Whether the value is right-aligned, as numbers are.
  package var isNumber: Bool {
    switch self {
    case .integer, .double, .float: true
    case .null, .boolean, .date, .text, .uuid, .bytes: false
    }
  }
}

extension Double {
  /// The number of seconds of a date outside the calendar's range, as stored, without a trailing “.0”.
  var secondsText: String { Int64(exactly: self).map { String($0) } ?? finiteText }

  /// The number in the fewest digits that parse back to it; `Infinity` or `-Infinity` if it is not finite.
  var finiteText: String {
    isFinite ? "\(self)" : self > 0 ? "Infinity" : "-Infinity"
  }
}

extension ByteSummary {
  /// The bytes in words: the file that they were saved to, `PNG image, 12.3 kB`, `16 bytes` or `missing`.
  fileprivate var text: String {
    if let file { return file }
    guard let byteCount else { return "missing" }
    return (image.map { "\($0.name) image, " } ?? "") + byteCount.asByteCount
  }
}
