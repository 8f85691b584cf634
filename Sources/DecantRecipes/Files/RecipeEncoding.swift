internal import DecantRecipeFormats

/// Encodings of names in ZIP files.
enum RecipeEncoding {
  /// Returns the name of a ZIP member: in UTF-8 if that is valid, otherwise in CP437; with `/` between folders.
  static func name(_ bytes: [UInt8]) -> String {
    let text =
      String(validating: bytes, as: UTF8.self)
      ?? String(String.UnicodeScalarView(bytes.map { TextEncoding.codePage437.character($0) ?? "\u{fffd}" }))
    return String(text.map { $0 == "\\" ? "/" : $0 })
  }
}
