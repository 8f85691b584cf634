internal import DecantRecipeFormats

/// Encodings of names in zips.
enum RecipeEncoding {
  /// The name of a member of a zip: UTF-8 where it is that, else CP437; with `/` between folders.
  static func name(_ bytes: [UInt8]) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { TextEncoding.codePage437.character($0) ?? "\u{fffd}" }))
    return String(text.map { $0 == "\\" ? "/" : $0 })
  }
}
