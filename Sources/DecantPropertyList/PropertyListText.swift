internal import DecantBase64

/// The text forms of values in XML property lists.
enum PropertyListText {
  /// Reads a decimal or hexadecimal integer.
  static func integer(_ text: String) -> Int64? {
    let text = trimmed(text)
    let isNegative = text.hasPrefix("-")
    let digits = isNegative || text.hasPrefix("+") ? text.dropFirst() : text[...]
    if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
      return Int64((isNegative ? "-" : "") + digits.dropFirst(2), radix: 16)
    }
    return Int64(text)
  }

  /// Reads a floating-point number.
  static func real(_ text: String) -> Double? {
    Double(trimmed(text))
  }

  /// Reads a date written `2001-01-01T00:00:00Z`, as seconds since that date.
  static func date(_ text: String) -> Double? {
    let text = trimmed(text)
    guard text.hasSuffix("Z") else { return nil }
    let parts = text.dropLast().split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2 else { return nil }
    let isBeforeChrist = parts[0].hasPrefix("-")
    let days = parts[0].drop { $0 == "-" }.split(separator: "-").map { Int($0) }
    let hours = parts[1].split(separator: ":").map { Int($0) }
    guard days.count == 3, hours.count == 3,
      let year = days[0], let month = days[1], let day = days[2],
      let hour = hours[0], let minute = hours[1], let second = hours[2],
      (0...999_999).contains(year), (1...12).contains(month), (1...31).contains(day),
      (0...24).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let time = hour * 3600 + minute * 60 + second
    return Double(daysSince2001(isBeforeChrist ? -year : year, month, day) * 86_400 + time)
  }

  /// Reads base64, ignoring white space.
  static func data(_ text: String) -> [UInt8]? {
    try? Base64Decoder.bytes(of: text, [.blanks, .unpadded])
  }

  /// Returns the days from 2001-01-01 to a day of the Gregorian calendar.
  ///
  /// Years are counted from March, so that the leap day is the last of its year.
  private static func daysSince2001(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month <= 2 ? year - 1 : year
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 730_791
  }

  private static func trimmed(_ text: String) -> String {
    let start = text.drop { $0.isWhitespace }
    guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
    return String(start[...last])
  }
}
