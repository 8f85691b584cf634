internal import DecantBase
package import DecantSQLite

/// The form of values in a column of another type, from which they can be read back unchanged.
package struct ValueForm: Sendable, Hashable, CustomStringConvertible {
  /// The conversion of a value.
  package enum Kind: Sendable, Hashable {
    /// The value is not converted.
    case same
    /// A number becomes its digits.
    case digits
    /// The digits of a number become that number.
    case number
    /// Seconds or milliseconds since 1970, or seconds since 2001, become a point in time.
    case unix, milliseconds, since2001
    /// A text becomes a point in time.
    case date(DateForm)
    /// The text of a UUID, in lower or upper case, becomes its bytes.
    case lowerUUID, upperUUID
  }

  package let kind: Kind
  /// Whether SQLite stores whole numbers of the column alike, so that 2 and 2.0 are the same.
  package let unitesNumbers: Bool

  package init(_ kind: Kind, unitesNumbers: Bool) { (self.kind, self.unitesNumbers) = (kind, unitesNumbers) }

  private static let names: [(Kind, String)] =
    [
      (.same, "same"), (.digits, "digits"), (.number, "number"), (.unix, "unix"), (.milliseconds, "milliseconds"),
      (.since2001, "since 2001"), (.lowerUUID, "lower uuid"), (.upperUUID, "upper uuid"),
    ] + DateForm.all.map { (.date($0), $0.description) }

  private static let mark = ", numbers united"

  /// The form as a text that `init(_:)` parses.
  package var description: String {
    let name = ValueForm.names.first { $0.0 == kind }?.1 ?? "same"
    return name + (unitesNumbers ? ValueForm.mark : "")
  }

  /// Parses the text of a form; `nil` for any other text.
  package init?(_ description: String) {
    let isUnited = description.hasSuffix(ValueForm.mark)
    let name = isUnited ? String(description.dropLast(ValueForm.mark.count)) : description
    guard let kind = ValueForm.names.first(where: { $0.1 == name })?.0 else { return nil }
    self.init(kind, unitesNumbers: isUnited)
  }

  /// The microseconds from 1970-01-01 to 2001-01-01.
  private static let epoch: Int64 = 978_307_200_000_000

  /// Returns the value that a column of `type` stores for `value`: microseconds since 2001 for points in time; `nil` if
  /// `value` could not be read back.
  package func encoded(_ value: Binding, as type: StrictType) -> Binding? {
    guard let stored = stored(value, as: type), type.holds(stored), let back = decoded(stored), isSame(back, value)
    else { return nil }
    return stored
  }

  private func stored(_ value: Binding, as type: StrictType) -> Binding? {
    switch (kind, value) {
    case (.same, .integer(let integer)) where type == .double:
      return Int64(exactly: Double(integer)) == integer ? .real(Double(integer)) : nil
    case (.same, .real(let real)) where type == .decimal: return DecimalText.number(in: DecimalText.text(of: real))
    case (.same, .text) where type == .decimal: return nil
    case (.same, _): return value
    case (.digits, .integer(let integer)): return .text(String(integer))
    case (.digits, .real(let real)): return .text(DecimalText.text(of: real))
    case (.digits, .text): return value
    case (.number, .text(let text)): return ValueForm.number(in: text, as: type)
    case (.unix, _): return ValueForm.microseconds(value, per: 1_000_000, since: ValueForm.epoch)
    case (.milliseconds, _): return ValueForm.microseconds(value, per: 1_000, since: ValueForm.epoch)
    case (.since2001, _): return ValueForm.microseconds(value, per: 1_000_000, since: 0)
    case (.date(let form), .text(let text)): return form.microseconds(in: text).map { .integer($0) }
    case (.lowerUUID, .text(let text)), (.upperUUID, .text(let text)):
      return [UInt8](uuidText: text).map { .blob($0) }
    default: return nil
    }
  }

  /// Returns the value for what a column holds; `nil` if there is none.
  package func decoded(_ stored: Binding) -> Binding? {
    switch (kind, stored) {
    case (.same, _): stored
    case (.digits, .text(let text)): DecimalText.number(in: text) ?? stored
    case (.number, .integer(let integer)): .text(String(integer))
    case (.number, .real(let real)): .text(DecimalText.text(of: real))
    case (.number, .text): stored
    case (.unix, .integer(let count)): ValueForm.number(count, per: 1_000_000, since: ValueForm.epoch)
    case (.milliseconds, .integer(let count)): ValueForm.number(count, per: 1_000, since: ValueForm.epoch)
    case (.since2001, .integer(let count)): ValueForm.number(count, per: 1_000_000, since: 0)
    case (.date(let form), .integer(let count)): form.text(of: count).map { .text($0) }
    case (.lowerUUID, .blob(let bytes)): .text(bytes.uuidText.lowercased())
    case (.upperUUID, .blob(let bytes)): .text(bytes.uuidText)
    default: nil
    }
  }

  /// Returns whether two values are the same in SQLite.
  package func isSame(_ one: Binding, _ other: Binding) -> Bool {
    switch (one, other) {
    case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
      unitesNumbers && Int64(exactly: real) == integer
    default: one == other
    }
  }

  /// Returns the number in a text, if the text is how a column of `type` would write it.
  private static func number(in text: String, as type: StrictType) -> Binding? {
    switch type {
    case .double: return Double(text).flatMap { DecimalText.text(of: $0) == text ? .real($0) : nil }
    case .decimal: return isDecimal(text) ? .text(text) : nil
    default: return Int64(text).flatMap { String($0) == text ? .integer($0) : nil }
    }
  }

  /// Returns whether `numeric` writes a number in this notation, with all its digits.
  private static func isDecimal(_ text: String) -> Bool {
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy { (48...57).contains($0) } }) else { return false }
    guard parts[0] == "0" || !parts[0].hasPrefix("0") else { return false }
    let isZero = unsigned.allSatisfy { $0 == "0" || $0 == "." }
    return !(isZero && text.hasPrefix("-")) && parts[0].utf8.count <= 131_072
      && (parts.count == 1 || parts[1].utf8.count <= 16_383)
  }

  /// Returns the microseconds since 2001 of a number of units, each of `unit` microseconds.
  private static func microseconds(_ number: Binding, per unit: Int64, since epoch: Int64) -> Binding? {
    switch number {
    case .integer(let count):
      let (difference, overflows) = count.subtractingReportingOverflow(epoch / unit)
      let (product, overflowsToo) = difference.multipliedReportingOverflow(by: unit)
      return overflows || overflowsToo ? nil : .integer(product)
    case .real(let count):
      guard let whole = Int64(exactly: (count * Double(unit)).rounded()) else { return nil }
      let (difference, overflows) = whole.subtractingReportingOverflow(epoch)
      return overflows ? nil : .integer(difference)
    default: return nil
    }
  }

  private static func number(_ microseconds: Int64, per unit: Int64, since epoch: Int64) -> Binding? {
    guard !microseconds.isMultiple(of: unit) else { return .integer(microseconds / unit + epoch / unit) }
    let (count, overflows) = microseconds.addingReportingOverflow(epoch)
    return overflows ? nil : .real(Double(count) / Double(unit))
  }
}
