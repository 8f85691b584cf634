internal import DecantRecipeFormats

extension PagePictures {
  /// Finds the pictures with a web address: `exact` have the same address in any scheme, or contain it as a resizing
  /// service does; `alike` have the same name except for the size.
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

  /// The pictures whose caption contains the title of the recipe.
  func found(called title: String) -> [Picture] {
    let letters = FoldedText.letters(of: title)
    guard letters.count >= 4 else { return [] }
    return pictures.filter { FoldedText.letters(of: String(($0.caption ?? "").prefix(400))).contains(letters) }
  }
}

extension PagePictures.Picture {
  /// The paths at which it may be beside the page, those without a scheme first.
  var places: [String] {
    let written = names.filter(PictureName.isBeside) + names.filter { !PictureName.isBeside($0) }
    return written.flatMap { name -> [String] in
      let plain = PageAddress.unescaped(name)
      return [name, plain, String(plain.prefix { $0 != "?" && $0 != "#" })]
    }.withoutRepeats.filter { !$0.isEmpty }
  }
}
