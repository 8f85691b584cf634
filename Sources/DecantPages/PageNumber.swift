internal import DecantBase

/// Numbers, sizes, dates and times in the form for readers.
package enum PageNumber {
  /// Returns a number of bytes: `644 bytes`, `12 KB`, `3.4 MB`.
  package static func size(_ byteCount: Int) -> String {
    if byteCount < 1_000 { return byteCount == 1 ? "1 byte" : "\(byteCount) bytes" }
    let units = ["KB", "MB", "GB"]
    var value = Double(byteCount) / 1_000
    var unit = 0
    while value >= 999.5, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    let isRough = value >= 9.95 || unit == 0
    let tenths = (value * 10).rounded() / 10
    return "\(isRough ? text(value.rounded()) : text(tenths)) \(units[unit])"
  }

  /// Returns a number without a zero fraction.
  static func text(_ number: Double) -> String {
    if let whole = Int64(exactly: number), abs(number) < 1e15 { return String(whole) }
    return "\(number)"
  }

  private static let fractions: [(value: Double, sign: String)] = [
    (1 / 2, "½"), (1 / 3, "⅓"), (2 / 3, "⅔"), (1 / 4, "¼"), (3 / 4, "¾"), (1 / 8, "⅛"),
    (3 / 8, "⅜"), (5 / 8, "⅝"), (7 / 8, "⅞"),
  ]

  /// Returns an amount as in a recipe: `1½`.
  static func amount(_ number: Double) -> String {
    let whole = number.rounded(.down)
    guard number > 0, whole < 100,
      let fraction = fractions.first(where: { abs(number - whole - $0.value) < 0.004 })
    else {
      let rounded = (number * 1_000).rounded() / 1_000
      return rounded == 0 ? text(number) : text(rounded)
    }
    return (whole == 0 ? "" : text(whole)) + fraction.sign
  }

  /// Returns a count with the word for the counted objects.
  package static func count(_ count: Int64, _ one: String, _ many: String) -> String {
    "\(count) \(count == 1 ? one : many)"
  }

  /// Returns a date, in UTC, to the minute; only the day if it has no time.
  static func date(_ seconds: Double) -> String? {
    guard let text = DateText.text(of: seconds.rounded(.down)), text.utf8.count == 20 else {
      return nil
    }
    let time = text.dropFirst(11).prefix(5)
    return "\(text.prefix(10))" + (time == "00:00" ? "" : " \(time) UTC")
  }
}

extension PageObject {
  /// Returns the value of `column` for a reader; `nil` for an empty value, and for bytes.
  package func shown(_ column: Int) -> String? {
    let type = shape.types[column] ?? .undefined
    switch values[column] {
    case .null, .bytes: return nil
    case .text(let text):
      guard values[column].text != nil else { return nil }
      if type == .date, let seconds = DateText.seconds(of: text) {
        return PageNumber.date(seconds) ?? text
      }
      return text
    case .integer(let integer):
      switch type {
      case .boolean: return integer == 0 ? "No" : "Yes"
      case .date: return PageNumber.date(Double(integer)) ?? String(integer)
      default: return String(integer)
      }
    case .real(let real):
      switch type {
      case .date: return PageNumber.date(real) ?? PageNumber.text(real)
      // As many digits as 32 bits can distinguish: 4.3, and not 4.300000190734863.
      case .float: return PageNumber.text(Double("\(Float(real))") ?? real)
      default: return PageNumber.text(real)
      }
    }
  }

  /// Returns the number in `column`; `nil` if there is none.
  package func number(_ column: Int) -> Double? {
    switch values[column] {
    case .integer(let integer): Double(integer)
    case .real(let real): real
    case .null, .text, .bytes: nil
    }
  }

  /// Returns the number or text in `column` as an amount: `1½`; `nil` if it is empty.
  package func amount(_ column: Int) -> String? {
    guard let number = number(column) else { return values[column].text?.firstWords(80) }
    return number == 0 ? nil : PageNumber.amount(number)
  }
}
