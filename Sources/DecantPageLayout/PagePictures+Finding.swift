internal import DecantRecipeFormats

extension PagePictures {
  /// Where the picture may lie that goes by an address of the web: by the same address in whatever scheme, within one of a
  /// service that makes pictures smaller, or in another size by a name that tells it.
  func found(at address: String) -> (exact: [Picture], alike: [Picture]) {
    let wanted = PictureName(address, base)
    let names = names
    func all(_ condition: (PictureName) -> Bool) -> [Int] {
      pictures.indices.filter { names[$0].contains(where: condition) }
    }
    let exact = all { $0.isSame(wanted) }
    guard let stem = wanted.stem else { return (exact.map { pictures[$0] }, []) }
    func width(_ index: Int) -> Int { names[index].filter { $0.stem == stem }.map(\.width).max() ?? 0 }
    let alike = all { $0.stem == stem }.sorted { (width($0), $1) > (width($1), $0) }
    return (exact.map { pictures[$0] }, alike.map { pictures[$0] })
  }

  /// The pictures that are called as the recipe is, by the text that stands in their place or the name of their file.
  func found(called title: String) -> [Picture] {
    let letters = FoldedText.letters(of: title)
    guard letters.count >= 4 else { return [] }
    let words = Self.words(of: title)
    let names = names
    let alike = pictures.indices.filter { index in
      let caption = (pictures[index].caption ?? "").prefix(400)
      if FoldedText.letters(of: String(caption)).contains(letters) { return true }
      guard names[index].allSatisfy({ $0.width >= Self.leastWidth }) else { return false }
      let stems = names[index].prefix(10).compactMap(\.stem)
      let own = Self.words(of: caption + " " + stems.joined(separator: " "))
      let count = words.intersection(own).count
      return count >= min(2, words.count) && count * 10 >= words.count * 6 && count > 0
    }
    return alike.map { pictures[$0] }
  }

  /// The largest picture in a page into which a program has put all of them, and which has lost their addresses.
  var largest: Picture? {
    guard isWhole else { return nil }
    let byteCount: (Picture) -> Int64 = { $0.data?.byteCount ?? 0 }
    return pictures.max { byteCount($0) < byteCount($1) }.flatMap { byteCount($0) >= Self.largeByteCount ? $0 : nil }
  }

  /// How many characters of base64 a picture has at least that may be the one of the dish.
  private static let largeByteCount: Int64 = 20_000

  /// What is less wide shows another recipe, or who wrote it.
  private static let leastWidth = 200

  /// The longer words of a text, without those that many recipes have in their titles.
  private static func words(of text: some StringProtocol) -> Set<String> {
    let folded = String(decoding: FoldedText.searched(String(text)), as: UTF8.self)
    return Set(folded.split { !$0.isLetter }.filter { $0.count > 3 }.map(String.init)).subtracting(common)
  }

  private static let common: Set = [
    "recipe", "recipes", "with", "best", "easy", "from", "homemade", "made", "rezept", "recette", "receta", "ricetta",
    "recept",
  ]
}

extension PagePictures.Picture {
  /// The names by which it may lie beside the page, those without a scheme first.
  var places: [String] {
    let written = names.filter(PictureName.isBeside) + names.filter { !PictureName.isBeside($0) }
    return written.flatMap { name -> [String] in
      let plain = PageAddress.unescaped(name)
      return [name, plain, String(plain.prefix { $0 != "?" && $0 != "#" })]
    }.withoutRepeats.filter { !$0.isEmpty }
  }
}
