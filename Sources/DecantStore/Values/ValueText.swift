package import DecantBase
package import DecantSQLite

/// Values as short texts for people.
package enum ValueText {
  /// The text for the key of an object that only the first of two stores has.
  package static let noPartner = "only in A"
  /// The maximum number of characters of a text.
  private static let characterLimit = 60

  /// Returns the text for `value` in a column such as `column`.
  package static func text(of value: Binding, in column: RelationColumn?, _ terms: Terms = .objects) -> String {
    let isLink =
      switch column?.columnRole {
      case .target, .owner: true
      default: false
      }
    switch value {
    case .null: return "nothing"
    case .integer(let integer):
      return isLink ? terms.key(integer) : number(integer, Double(integer), column)
    case .real(let real): return number(real, real, column)
    case .text(ValueText.noPartner) where isLink:
      return "\(terms == .rows ? "a row" : "an object") only in A"
    case .text(let text): return isLink ? text : quoted(text)
    case .utf8(let bytes): return quoted(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes):
      if column?.type == .uuid, bytes.count == 16 { return bytes.uuidText }
      return bytes.count == 1 ? "1 byte" : "\(bytes.count) bytes"
    }
  }

  /// Returns the text for a value of a key.
  static func text(ofKey value: Binding) -> String {
    guard case .blob(let bytes) = value else { return text(of: value, in: nil) }
    if bytes.count == 16 { return bytes.uuidText }
    let shown = bytes.prefix(16).map(\.hex).joined()
    return "x'\(shown)'" + (bytes.count > 16 ? "…" : "")
  }

  private static func quoted(_ text: String) -> String {
    let line = String(text.map { $0.isNewline ? "↵" : $0 })
    let isLong = line.count > characterLimit
    return "“\(isLong ? line.prefix(characterLimit) + "…" : line)”"
  }

  private static func number(
    _ plain: some CustomStringConvertible,
    _ value: Double,
    _ column: RelationColumn?
  ) -> String {
    guard column?.type == .date else { return plain.description }
    return DateText.text(of: value) ?? plain.description
  }
}
