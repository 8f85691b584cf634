/// Encodings of names in zips.
enum RecipeEncoding {
  /// The name of a member of a zip: UTF-8 where it is that, else CP437; with `/` between folders.
  static func name(_ bytes: [UInt8]) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(
        String.UnicodeScalarView(
          bytes.map { byte in
            byte < 0x80 ? Unicode.Scalar(byte) : Self.cp437[Int(byte) - 0x80]
          }
        )
      )
    return String(text.map { $0 == "\\" ? "/" : $0 })
  }

  /// The upper half of the encoding of the first PC.
  private static let cp437: [Unicode.Scalar] = Array(
    """
    ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀\
    αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{a0}
    """.unicodeScalars
  )
}
