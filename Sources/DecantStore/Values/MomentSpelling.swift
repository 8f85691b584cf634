internal import DecantBase

/// Days, times and points in time as a server shows them.
package enum MomentSpelling {
  /// The microseconds of a day.
  private static let day: Int64 = 86_400_000_000
  private static let shortest = DateForm.all.first { $0.description == "YYYY-MM-DD hh:mm:ss[.s…]" }
  /// The form of a `timestamptz`.
  package static let exact = DateForm.all.first { $0.description == "YYYY-MM-DDThh:mm:ss.ssssssZ" }

  /// Returns a text in the spelling of a type; `nil` if it is no value of the type, or has more digits of a second than
  /// `precision`.
  ///
  /// A point in time without a zone is in UTC, as SQLite's own functions write it. Infinite ones and those outside of the years
  /// 1 to 9999 stay as they are.
  static func text(of text: String, _ kind: ValueSpelling.Kind, precision: Int? = nil) -> String? {
    if kind == .time { return time(text, precision) }
    guard let (local, zone) = DateForm.read(Array(text.utf8)), let offset = offset(zone) else {
      return isBeyond(text) ? text : nil
    }
    guard isExact(local, precision) else { return nil }
    switch kind {
    case .timestamptz: return exact?.text(of: local - offset)
    case .timestamp: return offset == 0 ? shortest?.text(of: local) : nil
    case .date:
      return offset == 0 && local.isMultiple(of: day) ? shortest?.text(of: local).map { String($0.prefix(10)) } : nil
    default: return nil
    }
  }

  /// Whether a text has the form of a point in time that decant does not read: infinite, before the year 1, or after 9999.
  private static func isBeyond(_ text: String) -> Bool {
    if text == "infinity" || text == "-infinity" { return true }
    let isBefore = text.hasSuffix(" BC")
    let bytes = Array(isBefore ? text.utf8.dropLast(3) : text.utf8[...])
    let year = bytes.prefix { (48...57).contains($0) }.count
    let (day, time) = (bytes[year...].prefix(6), bytes[year...].dropFirst(6))
    guard year > 4 || (year == 4 && isBefore), day.count == 6,
      day.enumerated().allSatisfy({
        $0.offset % 3 == 0 ? $0.element == UInt8(ascii: "-") : (48...57).contains($0.element)
      })
    else { return false }
    guard let first = time.first else { return true }
    return [UInt8(ascii: " "), UInt8(ascii: "T")].contains(first) && time.count > 1
      && time.dropFirst().allSatisfy { (48...57).contains($0) || ":.+-Z".utf8.contains($0) }
  }

  /// Whether a number of digits of a second is enough for a point in time: the server would round it.
  private static func isExact(_ microseconds: Int64, _ precision: Int?) -> Bool {
    let unit = (min(6, precision ?? 6)..<6).reduce(Int64(1)) { unit, _ in unit * 10 }
    return microseconds.isMultiple(of: unit)
  }

  private static func time(_ text: String, _ precision: Int?) -> String? {
    if text == "24:00:00" { return text }
    guard let (moment, zone) = DateForm.read(Array("2001-01-01 \(text)".utf8)), zone.isEmpty,
      isExact(moment, precision)
    else { return nil }
    return shortest?.text(of: moment).map { String($0.dropFirst(11)) }
  }

  /// Returns the microseconds that a zone is ahead of UTC: `Z`, or hours with or without minutes; none for an empty text.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
    if zone.isEmpty || zone.elementsEqual([UInt8(ascii: "Z")]) { return 0 }
    guard let sign = zone.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") else { return nil }
    let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
    let isMarked = zone.dropFirst().contains(UInt8(ascii: ":"))
    guard digits.count == 2 && !isMarked || digits.count == 4 && zone.count == (isMarked ? 6 : 5),
      digits.allSatisfy({ (48...57).contains($0) }), let number = Int64(String(decoding: digits, as: UTF8.self))
    else { return nil }
    let minutes = digits.count == 2 ? number * 60 : number / 100 * 60 + number % 100
    guard minutes < 16 * 60, number % 100 < 60 || digits.count == 2 else { return nil }
    return (sign == UInt8(ascii: "-") ? -1 : 1) * minutes * 60_000_000
  }
}
