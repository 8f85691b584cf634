internal import DecantBase

/// The character encoding of a text.
package enum TextEncoding: Sendable, Hashable {
  case utf8
  /// Also the encoding of files that claim to be ISO-8859-1.
  case windows1252
  /// The encoding of DOS in America and western Europe.
  case codePage437

  /// Guesses the encoding of a text without a declaration: UTF-8 if it is valid throughout, otherwise Windows-1252.
  init(of bytes: some Collection<UInt8>) {
    self = TextEncoding.isUTF8(bytes) ? .utf8 : .windows1252
  }

  /// Returns the text in a guessed encoding, without a byte order mark and the characters that `clean` removes.
  package static func text(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) {
      return clean(String(decoding: bytes.dropFirst(3), as: UTF8.self))
    }
    if bytes.starts(with: [0xff, 0xfe]) { return utf16(bytes.dropFirst(2), high: 1, low: 0) }
    if bytes.starts(with: [0xfe, 0xff]) { return utf16(bytes.dropFirst(2), high: 0, low: 1) }
    return TextEncoding(of: bytes).text(bytes)
  }

  /// Returns the text in this encoding, without the characters that `clean` removes.
  func text(_ bytes: some Collection<UInt8>) -> String {
    guard self != .utf8, bytes.contains(where: { $0 >= 0x80 }) else {
      return TextEncoding.clean(String(decoding: bytes, as: UTF8.self))
    }
    let table = self == .windows1252 ? windows1252Characters : codePage437Characters
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      scalars.append(byte < 0x80 ? Unicode.Scalar(byte) : table[Int(byte) - 0x80])
    }
    return TextEncoding.clean(String(scalars))
  }

  /// Returns the character of a byte from 0x80 on; `nil` for UTF-8.
  package func character(_ byte: UInt8) -> Unicode.Scalar? {
    guard byte >= 0x80 else { return Unicode.Scalar(byte) }
    switch self {
    case .utf8: return nil
    case .windows1252: return windows1252Characters[Int(byte) - 0x80]
    case .codePage437: return codePage437Characters[Int(byte) - 0x80]
    }
  }

  /// Whether all of `bytes` is UTF-8.
  static func isUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    guard bytes.contains(where: { $0 >= 0x80 }) else { return true }
    var decoder = UTF8()
    var iterator = bytes.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue: continue
      case .emptyInput: return true
      case .error: return false
      }
    }
  }

  /// Returns `text` without control characters.
  ///
  /// 0x14 ends paragraphs and 0x0C pages of some old files; these and all other control characters except tab and line
  /// feed mean nothing in a recipe, so they are removed; a space replaces one that separates two words.
  package static func clean(_ text: String) -> String {
    var bytes = Array(text.utf8)
    // The lines were already split: a remaining return separates words as any other control character does.
    for index in bytes.indices where bytes[index] == 0x0d { bytes[index] = 0x14 }
    guard bytes.withUnsafeBytes(ControlBytes.areIn) else { return text }
    ControlBytes.remove(from: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, high: Int, low: Int) -> String {
    var units: [UInt16] = []
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      units.append(UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + low]))
      index += 2
    }
    return clean(String(decoding: units, as: UTF16.self))
  }
}

/// The characters of bytes 0x80 to 0xFF in Windows-1252; the five unassigned bytes are control characters, as in
/// browsers.
private let windows1252Characters: [Unicode.Scalar] =
  Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)
  + (0xa0...0xff).compactMap { Unicode.Scalar(UInt32($0)) }

/// The characters of bytes 0x80 to 0xFF in code page 437.
private let codePage437Characters: [Unicode.Scalar] = Array(
  """
  ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐\
  └┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}
  """.unicodeScalars
)
