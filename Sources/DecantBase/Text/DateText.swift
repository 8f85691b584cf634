/// Conversion of dates between decant's form, seconds since 2001-01-01 00:00 UTC, and ISO 8601 text.
///
/// Uses the proleptic Gregorian calendar in UTC; computed here, so that the result is the same everywhere.
package enum DateText {
  /// The days from 1970-01-01, the epoch of the civil calendar functions, to 2001-01-01.
  private static let epochDay: Int64 = 11_323
  private static let secondsPerDay: Int64 = 86_400

  /// Returns `2026-01-31T08:15:00Z`, with up to nine fractional digits; `nil` before the year 0 and after the year
  /// 9999.
  package static func text(of seconds: Double) -> String? {
    let whole = seconds.rounded(.down)
    guard whole >= -63_145_526_400, whole < 252_423_993_600 else { return nil }
    let count = Int64(whole)
    let day = count.flooredQuotient(by: secondsPerDay)
    let second = count - day * secondsPerDay
    let (year, month, date) = civil(day + epochDay)
    let time = [second / 3600, second / 60 % 60, second % 60].map { $0.digits(2) }
    let fraction = fraction(of: seconds)
    return "\(year.digits(4))-\(month.digits(2))-\(date.digits(2))T\(time.joined(separator: ":"))"
      + (fraction.isEmpty ? "" : "." + fraction) + "Z"
  }

  /// Returns the seconds of a date in the form of `text(of:)`; `nil` for any other text.
  ///
  /// Also accepts dates without time, without seconds, with a blank for the T, without Z, or with an offset such as
  /// `+02:00`.
  package static func seconds(of text: String) -> Double? {
    // Most dates have this exact form; a regular expression takes twenty times as long.
    var exact = text
    let known = exact.withUTF8 { Self.seconds(ofExact: UnsafeRawBufferPointer($0)) }
    if let known { return known }
    let form =
      /(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?/
      .asciiOnlyDigits()
    guard let match = text.wholeMatch(of: form) else { return nil }
    let (_, years, months, days, hours, minutes, seconds, fraction, zone) = match.output
    func number(_ digits: Substring?) -> Int64 { digits.flatMap { Int64($0) } ?? 0 }
    let (year, month, date) = (number(years), number(months), number(days))
    guard (1...12).contains(month), (1...length(ofMonth: month, year)).contains(date),
      number(hours) < 24, number(minutes) < 60, number(seconds) < 60
    else { return nil }
    let time = number(hours) * 3600 + number(minutes) * 60 + number(seconds)
    let day = dayNumber(year, month, date) - epochDay
    guard let offset = zone.map({ self.offset($0) }) ?? 0 else { return nil }
    return Double(day * secondsPerDay + time - offset)
      + (fraction.flatMap { Double("0\($0)") } ?? 0)
  }

  /// Returns the date's text if it converts back to exactly `seconds`; otherwise `nil`.
  ///
  /// Nine fractional digits may not suffice, or the date may have no text.
  package static func exactText(of seconds: Double) -> String? {
    guard var text = text(of: seconds) else { return nil }
    let again = text.withUTF8 { self.seconds(ofExact: UnsafeRawBufferPointer($0)) }
    return again?.bitPattern == seconds.bitPattern ? text : nil
  }

  /// Writes the text of `exactText(of:)` to `output`, which has room for 30 bytes, without creating a string.
  ///
  /// Returns the number of bytes, or `nil` if there is no such text. Meant for millions of dates.
  package static func writeExact(_ seconds: Double, to output: UnsafeMutableRawBufferPointer) -> Int? {
    // The fractions of dates before 2001 count backwards.
    guard seconds >= 0, seconds < 252_423_993_600 else {
      guard var text = exactText(of: seconds) else { return nil }
      return text.withUTF8 { text in
        output.copyBytes(from: text)
        return text.count
      }
    }
    let count = Int64(seconds)
    let day = count / secondsPerDay
    let second = count - day * secondsPerDay
    let (year, month, date) = civil(day + epochDay)
    func write(_ number: Int64, _ digits: Int, at place: Int) {
      var rest = number
      for offset in stride(from: place + digits - 1, through: place, by: -1) {
        output[offset] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
        rest /= 10
      }
    }
    write(year, 4, at: 0)
    write(month, 2, at: 5)
    write(date, 2, at: 8)
    write(second / 3600, 2, at: 11)
    write(second / 60 % 60, 2, at: 14)
    write(second % 60, 2, at: 17)
    for (place, mark) in [(4, 0x2d), (7, 0x2d), (10, 0x54), (13, 0x3a), (16, 0x3a)]
      as [(Int, UInt8)]
    {
      output[place] = mark
    }
    var end = 19
    if seconds != Double(count) {
      var shown = "\(seconds)"
      let isPlain = shown.withUTF8 { digits -> Bool in
        guard let point = digits.firstIndex(of: 0x2e), digits.count - point <= 10,
          !digits.contains(0x65)
        else { return false }
        for digit in digits[point...] {
          output[end] = digit
          end += 1
        }
        return true
      }
      guard isPlain else { return nil }
    }
    output[end] = 0x5a
    end += 1
    let again = self.seconds(ofExact: UnsafeRawBufferPointer(rebasing: output[..<end]))
    return again?.bitPattern == seconds.bitPattern ? end : nil
  }

  /// Returns the seconds of a date in exactly the form of `text(of:)`; `nil` for any other form.
  ///
  /// Meant for millions of dates: a regular expression takes ten times as long.
  package static func seconds(ofExact text: UnsafeRawBufferPointer) -> Double? {
    guard text.count == 20 || (22...30).contains(text.count), text[text.count - 1] == 0x5a else {
      return nil
    }
    for (position, mark) in [(4, 0x2d), (7, 0x2d), (10, 0x54), (13, 0x3a), (16, 0x3a)]
    where text[position] != UInt8(mark) { return nil }
    func number(_ range: Range<Int>) -> Int64? {
      var number: Int64 = 0
      for position in range {
        guard (0x30...0x39).contains(text[position]) else { return nil }
        number = number * 10 + Int64(text[position] - 0x30)
      }
      return number
    }
    guard let year = number(0..<4), let month = number(5..<7), let date = number(8..<10),
      let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
      (1...12).contains(month), (1...length(ofMonth: month, year)).contains(date), hour < 24,
      minute < 60, second < 60
    else { return nil }
    let day = dayNumber(year, month, date) - epochDay
    let whole = Double(day * secondsPerDay + hour * 3600 + minute * 60 + second)
    guard text.count > 20 else { return whole }
    guard text[19] == 0x2e, let fraction = number(20..<(text.count - 1)) else { return nil }
    var unit = 1.0
    for _ in 20..<(text.count - 1) { unit *= 10 }
    return whole + Double(fraction) / unit
  }

  private static func offset(_ zone: Substring) -> Int64? {
    let digits = zone.filter(\.isNumber)
    guard digits.count == 4, let hours = Int64(digits.prefix(2)),
      let minutes = Int64(digits.suffix(2)), hours < 24, minutes < 60
    else { return zone == "Z" ? 0 : nil }
    return (zone.first == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  /// Returns the shortest digits of the fraction, counted from the second before it.
  private static func fraction(of seconds: Double) -> String {
    let parts = "\(seconds.magnitude)".split(separator: "e")
    var digits = parts[0].split(separator: ".").last.map { Array($0.utf8) } ?? []
    if parts.count == 2 {
      // Less than 0.0001: zeros follow the point before the digits.
      let zeros = [UInt8](repeating: 48, count: min(20, (Int(parts[1]) ?? 0).magnitudeAsInt - 1))
      digits = zeros + parts[0].utf8.filter { $0 != 46 }
    }
    while digits.last == 48 { digits.removeLast() }
    if seconds < 0 {
      // Counted backwards from the second: 0.25 before it is 0.75 after the previous one.
      for index in digits.indices.reversed() {
        digits[index] = index == digits.count - 1 ? 106 - digits[index] : 105 - digits[index]
      }
    }
    var shown = digits.prefix(9)
    while shown.last == 48 { shown.removeLast() }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Returns year, month and day of the month of a day counted from 1970-01-01.
  ///
  /// Internally years begin in March, so that the leap day is their last day.
  private static func civil(_ day: Int64) -> (Int64, Int64, Int64) {
    let shifted = day + 719_468
    let era = shifted.flooredQuotient(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let leaps = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
    let yearOfEra = (dayOfEra - leaps) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    let month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * fromMarch + 2) / 5 + 1)
  }

  private static func dayNumber(_ year: Int64, _ month: Int64, _ date: Int64) -> Int64 {
    let fromMarch = month > 2 ? month - 3 : month + 9
    let year = month > 2 ? year : year - 1
    let era = year.flooredQuotient(by: 400)
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * fromMarch + 2) / 5 + date - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func length(ofMonth month: Int64, _ year: Int64) -> Int64 {
    let next = month == 12 ? (year + 1, Int64(1)) : (year, month + 1)
    return dayNumber(next.0, next.1, 1) - dayNumber(year, month, 1)
  }
}

extension Int64 {
  fileprivate func flooredQuotient(by divisor: Int64) -> Int64 {
    self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
  }

  /// Returns the number padded with leading zeros.
  fileprivate func digits(_ count: Int) -> String {
    let text = String(self)
    return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
  }
}

extension Int {
  fileprivate var magnitudeAsInt: Int { self < 0 ? -self : self }
}
