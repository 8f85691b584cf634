internal import DecantBase
internal import DecantSQLite

/// The characters of an encoding of single bytes, in which a server stores texts.
package struct Repertoire: Sendable, Hashable {
  /// The name of the encoding on a PostgreSQL server, such as `LATIN1`.
  package let name: String

  /// The names that the C library has for these encodings.
  private static let known: [String: String] = {
    var names = ["KOI8R": "KOI8-R", "KOI8U": "KOI8-U", "WIN866": "CP866"]
    for (number, part) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 9), (6, 10), (7, 13), (8, 14), (9, 15), (10, 16)] {
      names["LATIN\(number)"] = "ISO-8859-\(part)"
    }
    for part in 5...8 { names["ISO_8859_\(part)"] = "ISO-8859-\(part)" }
    for part in 1250...1257 { names["WIN\(part)"] = "CP\(part)" }
    return names
  }()

  /// `nil` for UTF-8, for bytes without a meaning, and for encodings whose characters only the server knows.
  package init?(ofServer name: String) {
    guard Repertoire.known[name.uppercased()] != nil else { return nil }
    self.name = name
  }

  /// The characters other than ASCII; empty if the C library does not know the encoding.
  fileprivate var characters: Set<Unicode.Scalar> {
    var found: Set<Unicode.Scalar> = []
    for byte in UInt8(0x80)...0xff {
      guard let decoder = Iconv(Repertoire.known[name.uppercased()] ?? "") else { return [] }
      var text: [UInt8] = []
      if decoder.decode([byte], isLast: true, into: &text) == 0 {
        found.formUnion(String(decoding: text, as: UTF8.self).unicodeScalars)
      }
    }
    return found
  }

  /// Returns SQL that returns `value`, or refuses it if it is a text with a character that the encoding lacks.
  func limiting(_ value: String, of property: String) -> String {
    "limited_text(\(value), \(property.sqlText), \(name.sqlText))"
  }

  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(LimitedText(), as: "limited_text", argumentCount: 3, [.deterministic, .innocuous])
  }
}

/// Returns a text, or refuses it if the encoding that the third argument names lacks one of its characters.
private final class LimitedText: ScalarFunction {
  private var characters: (name: [UInt8], all: Set<Unicode.Scalar>)?

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text, arguments.withBytes(at: 0, { $0.contains { $0 >= 0x80 } }) else {
      return result.pass(arguments, at: 0)
    }
    let isKnown = arguments.withBytes(at: 2) { name in characters?.name.elementsEqual(name) == true }
    if !isKnown {
      let name = arguments.text(at: 2)
      characters = Repertoire(ofServer: name).map { (Array(name.utf8), $0.characters) }
    }
    guard let all = characters?.all, !all.isEmpty,
      arguments.withBytes(
        at: 0, { String(decoding: $0, as: UTF8.self).unicodeScalars.contains { !$0.isASCII && !all.contains($0) } })
    else { return result.pass(arguments, at: 0) }
    let lack = "contains a character that the encoding \(arguments.text(at: 2)) of the database lacks"
    result.fail(RejectCode.text.message("\(arguments.text(at: 1)) \(lack)"))
  }
}
