internal import DecantBase

/// A form in which programs write points in time as texts, in UTC.
package struct DateForm: Sendable, Hashable, CustomStringConvertible {
  /// The notation of fractions of a second.
  private enum Fraction: String, Sendable {
    case none = ""
    case three = ".sss"
    case six = ".ssssss"
    /// Six digits unless they are zeros, as Python writes them.
    case sixOrNone = "[.ssssss]"
    /// As many digits as needed.
    case shortest = "[.s…]"
  }

  /// What is between the day and the time; `nil` for days without a time.
  private let separator: String?
  private let fraction: Fraction
  private let zone: String

  /// All forms, the most detailed first, so that values added by an app look like the existing ones.
  package static let all: [DateForm] =
    [Fraction.six, .three, .none, .sixOrNone, .shortest].flatMap { fraction in
      ["T", " "].flatMap { separator in
        ["", "Z", "+00:00"].map { DateForm(separator: separator, fraction: fraction, zone: $0) }
      }
    } + [DateForm(separator: nil, fraction: .none, zone: "")]

  package var description: String {
    "YYYY-MM-DD" + (separator.map { "\($0)hh:mm:ss\(fraction.rawValue)\(zone)" } ?? "")
  }

  /// Returns the microseconds since 2001 of a text in this form; `nil` for any other text.
  package func microseconds(in text: String) -> Int64? {
    DateForm.read(text).flatMap { self.text(of: $0) == text ? $0 : nil }
  }

  /// Returns the numbers of the forms that `text` has, as bits.
  static func forms(of text: String) -> Int64 {
    guard let microseconds = read(text) else { return 0 }
    return all.indices.reduce(0) { all[$1].text(of: microseconds) == text ? $0 | 1 << Int64($1) : $0 }
  }

  /// Reads a text in any of the forms.
  private static func read(_ text: String) -> Int64? { read(Array(text.utf8))?.microseconds }

  /// Reads a text in any of the forms, also without seconds; `rest` is what follows the time, such as a zone.
  static func read(_ bytes: [UInt8]) -> (microseconds: Int64, rest: ArraySlice<UInt8>)? {
    guard bytes.count >= 10, bytes.count <= 40 else { return nil }
    func part(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
    var exact = part(0..<10) + "T"
    var micros: Int64 = 0
    var rest = bytes[10...]
    if rest.isEmpty {
      exact += "00:00:00Z"
    } else {
      guard bytes.count >= 16, bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ") else { return nil }
      let hasSeconds = bytes.count >= 19 && bytes[16] == UInt8(ascii: ":")
      exact += hasSeconds ? part(11..<19) + "Z" : part(11..<16) + ":00Z"
      rest = bytes[(hasSeconds ? 19 : 16)...]
      if rest.first == UInt8(ascii: ".") {
        let digits = rest.dropFirst().prefix { (48...57).contains($0) }
        guard (1...6).contains(digits.count) else { return nil }
        micros = digits.reduce(0) { $0 * 10 + Int64($1 - 48) }
        for _ in digits.count..<6 { micros *= 10 }
        rest = rest.dropFirst(1 + digits.count)
      }
    }
    let seconds = exact.withUTF8 { DateText.seconds(ofExact: UnsafeRawBufferPointer($0)) }
    return seconds.map { (Int64($0) * 1_000_000 + micros, rest) }
  }

  /// Returns the text, with a time or more digits than the form has if the point in time needs them; `nil` outside of
  /// the years 0 to 9999.
  package func text(of microseconds: Int64) -> String? {
    var seconds = microseconds / 1_000_000
    if microseconds % 1_000_000 < 0 { seconds -= 1 }
    let rest = microseconds - seconds * 1_000_000
    guard let exact = DateText.text(of: Double(seconds)) else { return nil }
    let (day, time) = (exact.prefix(10), exact.dropFirst(11).dropLast())
    if separator == nil, rest == 0, time == "00:00:00" { return String(day) }
    let digits = String(rest)
    let six = String(repeating: "0", count: 6 - digits.utf8.count) + digits
    var shortest = Substring(six)
    while shortest.last == "0" { shortest.removeLast() }
    let shown: Substring =
      switch fraction {
      case .three where shortest.count <= 3: six.prefix(3)
      case .none, .three, .shortest: shortest
      case .six: Substring(six)
      case .sixOrNone: rest == 0 ? "" : Substring(six)
      }
    return "\(day)\(separator ?? " ")\(time)\(shown.isEmpty ? "" : ".\(shown)")\(zone)"
  }
}
