internal import DecantBase
internal import DecantSQLite
internal import DecantSystem

/// The characters of an encoding other than UTF-8, in which a server stores texts.
package struct Repertoire: Sendable, Hashable {
  /// The name of the encoding on a PostgreSQL server, such as `LATIN1`.
  package let name: String

  /// The names that the C library has for these encodings.
  private static let known: [String: String] = {
    var names = [
      "KOI8R": "KOI8-R", "KOI8U": "KOI8-U", "EUC_JP": "EUC-JP", "EUC_CN": "EUC-CN", "EUC_KR": "EUC-KR",
      "EUC_TW": "EUC-TW",
      "WIN866": "CP866", "WIN874": "CP874",
    ]
    for (number, part) in [(1, 1), (2, 2), (3, 3), (4, 4), (5, 9), (6, 10), (7, 13), (8, 14), (9, 15), (10, 16)] {
      names["LATIN\(number)"] = "ISO-8859-\(part)"
    }
    for part in 5...8 { names["ISO_8859_\(part)"] = "ISO-8859-\(part)" }
    for part in 1250...1258 { names["WIN\(part)"] = "CP\(part)" }
    return names
  }()

  /// `nil` for UTF-8, for bytes without a meaning, and for an encoding that the C library does not know.
  package init?(ofServer name: String) {
    guard let known = Repertoire.known[name.uppercased()], Converter(to: known) != nil else { return nil }
    self.name = name
  }

  /// Returns SQL that returns `value`, or refuses it if it is a text with a character that the encoding lacks.
  func limiting(_ value: String, of property: String) -> String {
    "limited_text(\(value), \(property.sqlText), \(name.sqlText))"
  }

  static func register(on connection: Connection) throws(SQLiteError) {
    try connection.register(LimitedText(), as: "limited_text", argumentCount: 3, [.deterministic, .innocuous])
  }

  /// A converter of the C library from UTF-8.
  fileprivate final class Converter {
    private let descriptor: iconv_t

    init?(to name: String) {
      descriptor = iconv_open(name, "UTF-8")
      if descriptor == iconv_t(bitPattern: -1) { return nil }
    }

    convenience init?(to repertoire: Repertoire) { self.init(to: Repertoire.known[repertoire.name.uppercased()] ?? "") }

    deinit { iconv_close(descriptor) }

    /// Returns whether the encoding has all characters of `text`.
    func holds(_ text: UnsafeRawBufferPointer) -> Bool {
      guard text.contains(where: { $0 >= 0x80 }) else { return true }
      _ = iconv(descriptor, nil, nil, nil, nil)
      // `iconv` reads through this pointer and never writes; its declaration lacks the `const`.
      var source = UnsafeMutablePointer(mutating: text.baseAddress?.assumingMemoryBound(to: CChar.self))
      var left = text.count
      return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
        while left > 0 {
          var (target, room) = (buffer.baseAddress, buffer.count)
          guard iconv(descriptor, &source, &left, &target, &room) == -1 else { return true }
          // Other characters are written in place of those that it lacks only if the name asks for it.
          guard errno == E2BIG else { return false }
        }
        return true
      }
    }
  }
}

/// Returns a text, or refuses it if the encoding that the third argument names lacks one of its characters.
private final class LimitedText: ScalarFunction {
  private var converter: (name: [UInt8], converter: Repertoire.Converter)?

  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text else { return result.pass(arguments, at: 0) }
    let isKnown = arguments.withBytes(at: 2) { name in converter?.name.elementsEqual(name) == true }
    if !isKnown {
      let name = arguments.text(at: 2)
      converter = Repertoire(ofServer: name).flatMap(Repertoire.Converter.init).map { (Array(name.utf8), $0) }
    }
    guard let converter = converter?.converter, arguments.withBytes(at: 0, { !converter.holds($0) }) else {
      return result.pass(arguments, at: 0)
    }
    let lack = "contains a character that the encoding \(arguments.text(at: 2)) of the database lacks"
    result.fail(RejectCode.text.message("\(arguments.text(at: 1)) \(lack)"))
  }
}
