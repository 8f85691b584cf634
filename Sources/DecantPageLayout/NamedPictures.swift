internal import DecantRecipeFormats

/// The pictures that a recipe names by web addresses, which are not fetched.
struct NamedPictures {
  let title: String
  /// The addresses of the recipe's pictures.
  private(set) var addresses: [String]
  /// The addresses of the pictures of its steps, with the indices of the steps.
  private(set) var ofSteps: [(step: Int, addresses: [String])]
  /// The texts of its steps.
  let steps: [String]
  /// The number of pictures it already has.
  let imageCount: Int

  init(_ recipe: Recipe) {
    title = recipe.title
    addresses = recipe.pictureAddresses
    ofSteps = recipe.steps.enumerated().compactMap { index, step in
      let addresses = step.pictureAddresses
      return addresses.isEmpty ? nil : (index, addresses)
    }
    steps = ofSteps.isEmpty ? [] : recipe.steps.map(\.text)
    imageCount = recipe.images.count
  }

  /// Adds the addresses in another version of the same recipe.
  mutating func take(_ other: Recipe) {
    addresses = (addresses + other.pictureAddresses.prefix(20)).withoutRepeats
  }
}

extension PagePictures {
  /// Returns the pictures of a recipe that are among those of the page; their files may be missing.
  ///
  /// - Parameters:
  ///   - named: The pictures that the recipe names.
  ///   - steps: The current texts of its steps.
  ///   - context: Stores the pictures that the page itself contains.
  /// - Returns: The pictures, those of the whole recipe first.
  /// - Throws: `DecantError` where the spool cannot be read.
  func images(of named: NamedPictures, _ steps: [String], _ context: RecipeContext) throws -> [RecipeImage] {
    var images: [RecipeImage] = []
    var addresses = Array(named.addresses.prefix(20))
    if addresses.isEmpty, named.imageCount == 0 { addresses = shared.map { [$0] } ?? [] }
    var isFound = named.imageCount > 0
    for group in groups(of: addresses) {
      isFound = isFound || group.contains { has($0) }
      if let image = try image(at: group, context) { images.append(image) }
    }
    if !isFound, let other = try image(of: found(called: named.title), [], context) {
      if case .file(let others) = other.place, let first = images.first, case .file(let names) = first.place {
        // If there is no file at the address, the picture whose caption has the title of the recipe may be it.
        images[0].place = .file((names + others).withoutRepeats)
      } else {
        images = [other]
      }
    }
    for (step, addresses) in named.ofSteps.prefix(500) {
      let place =
        named.steps.indices.contains(step) ? steps.firstIndex(of: named.steps[step]) ?? step : step
      for group in groups(of: Array(addresses.prefix(5))) {
        guard var image = try image(at: group, context) else { continue }
        image.step = place
        images.append(image)
      }
    }
    return images
  }

  /// Whether a picture of the page has this address, or a similar name.
  private func has(_ address: String) -> Bool {
    let found = found(at: address)
    return !found.exact.isEmpty || !found.alike.isEmpty
  }

  /// Groups the addresses of one picture in several sizes.
  private func groups(of addresses: [String]) -> [[String]] {
    var groups: [(stem: String?, addresses: [String])] = []
    for address in addresses {
      let stem = PictureName(address, nil).stem
      if let place = groups.firstIndex(where: { stem != nil && $0.stem == stem }) {
        groups[place].addresses.append(address)
      } else {
        groups.append((stem, [address]))
      }
    }
    return groups.map(\.addresses)
  }

  /// Returns the picture at one of its addresses.
  private func image(at addresses: [String], _ context: RecipeContext) throws -> RecipeImage? {
    let found = addresses.map { self.found(at: $0) }
    let names = holdsWeb ? addresses : addresses.flatMap { PictureName.besides(context.entry, $0) }
    return try image(of: found.flatMap(\.exact) + found.flatMap(\.alike), names, context)
  }

  private func image(of pictures: [Picture], _ names: [String], _ context: RecipeContext) throws -> RecipeImage? {
    let caption = pictures.lazy.compactMap(\.caption).first { !$0.isEmpty && $0.utf8.count < 200 }
    if let data = pictures.lazy.compactMap(\.data).first {
      return try context.picture(base64: .long(data), caption: caption)
    }
    let names = (names + pictures.flatMap(\.places)).withoutRepeats
    guard !names.isEmpty else { return nil }
    var image = RecipeImage(.file(Array(names.prefix(200))), caption: caption)
    image.isNamed = false
    return image
  }
}

extension PictureName {
  /// Returns the paths where browsers save a picture beside the page called `page`: in a folder named after the page.
  fileprivate static func besides(_ page: String, _ address: String) -> [String] {
    guard isOnWeb(address), let end = page.lastIndex(of: "."),
      let file = address.prefix(while: { $0 != "?" && $0 != "#" }).split(separator: "/").last, isPicture(String(file))
    else { return [] }
    let name = String(page[..<end].split(separator: "/").last ?? "")
    return ["_files", " files", "-Dateien"].map { "\(name)\($0)/\(PageAddress.unescaped(String(file)))" }
  }
}
