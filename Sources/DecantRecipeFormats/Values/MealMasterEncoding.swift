extension TextEncoding {
  /// Determines the encoding of one recipe of a Meal-Master file.
  ///
  /// Such files were assembled from recipes of DOS and of Windows, so one file may contain both encodings. Each byte
  /// from 0x80 on is read either way and judged by its neighbours: “sautée” has a letter between letters where “saut‚e”
  /// has a quote between them. In doubt it is the encoding of DOS, on which the program ran.
  init(ofMealMaster bytes: [UInt8]) {
    guard bytes.contains(where: { $0 >= 0x80 }) else {
      self = .utf8
      return
    }
    if TextEncoding.isUTF8(bytes) {
      self = .utf8
      return
    }
    var forDOS = 0
    for index in bytes.indices where bytes[index] >= 0x80 {
      forDOS += TextEncoding.codePage437.likelihood(at: index, of: bytes)
      forDOS -= TextEncoding.windows1252.likelihood(at: index, of: bytes)
    }
    self = forDOS >= 0 ? .codePage437 : .windows1252
  }

  /// Returns how well the byte at `index` fits its neighbours when read in this encoding: from −2 to 2.
  private func likelihood(at index: Int, of bytes: [UInt8]) -> Int {
    let blank: Unicode.Scalar = " "
    func neighbour(_ index: Int) -> Unicode.Scalar {
      guard bytes.indices.contains(index) else { return blank }
      return character(bytes[index]) ?? blank
    }
    let scalar = neighbour(index)
    let before = neighbour(index - 1)
    let after = neighbour(index + 1)
    switch scalar {
    case "°", "º": return before.isDigit ? 2 : 0
    case "½", "¼", "¾":
      return before.isLetter ? -1 : after.isLetter ? 0 : 2
    case "’": return before.isLetter && after.isLetter ? 2 : 0
    case "‘", "“", "„", "«":
      return !before.isLetter && after.isLetter ? 2 : before.isLetter ? -2 : 0
    case "”", "»": return !after.isLetter && before.isLetter ? 2 : after.isLetter ? -2 : 0
    case "…", "–", "—", "•", "·", "™", "®", "©", "÷", "±", "¿", "¡", "£", "¢", "€", "\u{A0}":
      return scalar == "·" && before.isLetter && after.isLetter ? -2 : 0
    case "\u{80}"..."\u{9F}": return -2
    default: break
    }
    if (0x2500...0x259f).contains(scalar.value) {
      return before == scalar || after == scalar ? 2 : before.isLetter || after.isLetter ? -2 : -1
    }
    guard scalar.isLetter else { return before.isLetter || after.isLetter ? -2 : -1 }
    guard scalar.value < 0x250 else { return -2 }
    guard before.isLetter || after.isLetter, before != scalar, after != scalar else { return -1 }
    let isUpper = scalar.properties.isUppercase
    if isUpper, before.isLetter, !before.properties.isUppercase { return -1 }
    if !isUpper, before.isDigit || (!before.isLetter && after.properties.isUppercase) { return -1 }
    return before.isLetter && after.isLetter ? 2 : 1
  }
}

extension Unicode.Scalar {
  fileprivate var isLetter: Bool { properties.isAlphabetic }
  fileprivate var isDigit: Bool { value >= 0x30 && value <= 0x39 }
}
