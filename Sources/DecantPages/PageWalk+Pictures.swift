internal import DecantBase

/// The main picture of an object: its own, or that of another object.
enum PageLead {
  case none
  case own(PageBytes)
  case another(PageBytes)

  /// The picture.
  var bytes: PageBytes? {
    switch self {
    case .none: nil
    case .own(let bytes), .another(let bytes): bytes
    }
  }

  fileprivate var isOwn: Bool { if case .own = self { true } else { false } }
}

// Pictures, and bytes that are offered as files.
extension PageWalk {
  /// Writes the main picture of `object`: the first one with a to-one edge, otherwise its own, otherwise, for a recipe,
  /// the first of many.
  func writeLeadPicture(of object: PageObject) throws(DecantError) -> PageLead {
    let ways = object.shape.edges.filter {
      isPicture($0) && (!$0.isToMany || object.shape.recipe != nil)
    }
    for edge in ways.sorted(by: { !$0.isToMany && $1.isToMany }) {
      var targets = try store.targets(of: edge, from: object)
      guard let target = try targets.next(), try store.visibility(of: target) == .shown,
        try !store.isShown(target), let picture = try store.object(target)
      else { continue }
      for column in picture.shape.binaries {
        guard let bytes = try store.bytes(of: picture, column), bytes.isShown, try mark(picture)
        else {
          continue
        }
        try write(bytes, caption(of: picture, column, standingFor: object, isAlone: true), isLead: true)
        return .another(bytes)
      }
    }
    // This includes objects that are pictures themselves.
    for column in object.shape.binaries {
      guard let bytes = try store.bytes(of: object, column), bytes.isShown else { continue }
      try write(bytes, caption(of: object, column, standingFor: object), isLead: true)
      return .own(bytes)
    }
    return .none
  }

  /// Writes the pictures of `object` and of its linked objects, except its main picture.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - lead: The main picture.
  ///   - isAlone: Whether only the pictures of the object are shown.
  /// - Throws: `DecantError` if the store cannot be read or the page cannot be written.
  func writePictures(of object: PageObject, except lead: PageLead = .none, isAlone: Bool = false) throws(DecantError) {
    var isFirst = true
    var hasBegun = false
    func begin() throws(DecantError) {
      if !hasBegun, !isAlone { try writer.beginPart(.gallery, nil, level: 3) }
      hasBegun = true
    }
    for column in object.shape.binaries {
      guard let bytes = try store.bytes(of: object, column) else { continue }
      guard bytes.format != nil || bytes.isLost else { continue }
      let isSmall = object.shape.names[column]?.has(["thumbnail", "thumb", "preview"]) == true
      if lead.bytes != nil && isSmall || (lead.isOwn && isFirst && bytes.isShown) {
        if bytes.isShown { isFirst = false }
        continue
      }
      try begin()
      try write(bytes, caption(of: object, column, standingFor: object, isAlone: isAlone))
    }
    for edge in object.shape.edges where isPicture(edge) && !isAlone {
      var targets = try store.targets(of: edge, from: object)
      while let target = try targets.next() {
        guard try store.visibility(of: target) == .shown, try !store.isShown(target),
          edge.isOwning || !isEverything, let picture = try store.object(target)
        else { continue }
        try begin()
        if try mark(picture) { try writePictures(of: picture, isAlone: true) }
      }
    }
    if hasBegun, !isAlone { try writer.endPart(.gallery) }
  }

  private func write(_ bytes: PageBytes, _ caption: PageCaption, isLead: Bool = false) throws(DecantError) {
    var caption = caption
    caption.isLead = isLead
    if bytes.isLost { lostCount += 1 } else { pictureCount += 1 }
    try writer.bytes(bytes, caption)
  }

  private func caption(
    of picture: PageObject,
    _ column: Int,
    standingFor object: PageObject,
    isAlone: Bool = false
  ) -> PageCaption {
    let title = picture.shape.title.flatMap { picture.values[$0].text }?.firstWords(200)
    // A file name given by a camera or an app means nothing to a reader.
    let name = title.flatMap { PageCaption.isFileName($0) ? nil : $0 }
    let other = picture.shape.values.lazy.compactMap { picture.values[$0].text }.first
    let isOther = picture.reference != object.reference || isAlone
    let text = isOther ? name ?? other?.firstWords(200) : nil
    let label = label(of: picture, column) ?? "Picture"
    let described =
      text
      ?? (isOther && isAlone && picture.reference == object.reference
        ? label : store.ownTitle(of: object) ?? label)
    return PageCaption(
      text: text,
      description: described,
      label: label,
      fileName: described.fileName,
      // Links to an object can only lead to its first picture.
      object: isAlone && column == picture.shape.binaries.first ? picture.reference : nil,
      origin: picture.reference.map { ($0, column) }
    )
  }
}

extension String {
  /// The text as a safe file name: no path, no dots at its start, and not long.
  var fileName: String {
    let plain = unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
      return isPlain || scalar == "-" ? Character(scalar) : " "
    }
    let words = String(plain).split(separator: " ").joined(separator: "-")
    return words.isEmpty ? "file" : String(words.prefix(60))
  }
}

extension PageCaption {
  /// Whether a text is the name of a picture file.
  fileprivate static func isFileName(_ text: String) -> Bool {
    let text = text.lowercased()
    return [".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".bmp", ".tiff", ".avif"]
      .contains { text.hasSuffix($0) }
  }
}
