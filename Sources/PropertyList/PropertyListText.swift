/// The values of XML property lists as they are written.
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

  /// Reads a number with a fraction.
  static func real(_ text: String) -> Double? {
    Double(trimmed(text))
  }

  /// Reads a date written `2001-01-01T00:00:00Z`, as seconds since that very moment.
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

  /// Reads base64; white space does not count.
  static func data(_ text: String) -> [UInt8]? {
    var data: [UInt8] = []
    var buffer: UInt32 = 0
    var digitCount = 0
    var isPadded = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: "="):
        isPadded = true
        continue
      default: break
      }
      guard !isPadded, let digit = digit(byte) else { return nil }
      buffer = buffer << 6 | digit
      digitCount += 1
      if digitCount % 4 == 0 {
        data += [UInt8(buffer >> 16), UInt8(buffer >> 8 & 0xFF), UInt8(buffer & 0xFF)]
        buffer = 0
      }
    }
    switch digitCount % 4 {
    case 1: return nil
    case 2: data.append(UInt8(buffer >> 4 & 0xFF))
    case 3: data += [UInt8(buffer >> 10 & 0xFF), UInt8(buffer >> 2 & 0xFF)]
    default: break
    }
    return data
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  /// The days from 2001-01-01 to a day of the Gregorian calendar.
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
