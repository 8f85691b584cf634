extension MarkupReader {
  /// The maximum length of a tag in bytes, including pictures in its attributes.
  private static let tagByteCount = 12 << 20
  /// The maximum number of bytes examined for tags that turn out not to be tags.
  private static let wasteByteCount = 256 << 20

  /// Reads a start tag; without one, reads nothing and returns `nil`.
  func scanStartTag() throws -> (MarkupElement, isEmpty: Bool)? {
    var scan = TagScan(reader: self)
    guard let (element, isEmpty) = try scan.startTag() else {
      wastedByteCount += scan.offset
      if isHTML, try scan.offset > 1 && input.peek(scan.offset) == nil {
        isCutOff = true
        warn("the document ends inside a tag")
      }
      guard wastedByteCount < Self.wasteByteCount else {
        throw error("the document is too damaged to be read")
      }
      return nil
    }
    for warning in scan.warnings { warn(warning) }
    input.skip(scan.offset)
    return (element, isEmpty)
  }

  /// Reads an end tag and returns its name; without one, reads nothing and returns `nil`.
  func scanEndTag() throws -> String? {
    var scan = TagScan(reader: self)
    scan.offset = 2
    guard let first = try input.peek(2), TagScan.beginsName(first) else { return nil }
    let name = try scan.name()
    while let byte = try input.peek(scan.offset), byte != 0x3c {
      scan.offset += 1
      if byte == 0x3e { break }
    }
    input.skip(scan.offset)
    return isHTML ? name.lowercased() : name
  }

  /// Examines a tag before it is read, since it may turn out not to be one.
  fileprivate struct TagScan {
    let reader: MarkupReader
    /// The offset from the next byte up to which the tag was examined.
    var offset = 1
    var warnings: [String] = []

    init(reader: MarkupReader) { self.reader = reader }

    static func beginsName(_ byte: UInt8) -> Bool {
      switch byte {
      case 0x41...0x5a, 0x61...0x7a, 0x5f, 0x3a, 0x80...: true
      default: false
      }
    }

    static func isBlank(_ byte: UInt8?) -> Bool { byte == 0x20 || byte == 0x0a || byte == 0x09 }

    func peek(_ further: Int = 0) throws -> UInt8? {
      offset + further < MarkupReader.tagByteCount ? try reader.input.peek(offset + further) : nil
    }

    mutating func skipBlanks() throws { while Self.isBlank(try peek()) { offset += 1 } }

    mutating func name() throws -> String {
      let start = offset
      while let byte = try peek(), !Self.isBlank(byte), byte != 0x3e, byte != 0x3c {
        if byte == 0x2f, try reader.isHTML || peek(1) == 0x3e { break }
        if !reader.isHTML, byte == 0x22 || byte == 0x27 || byte == 0x3d { break }
        offset += 1
      }
      return String(decoding: reader.input.slice(start, offset), as: UTF8.self)
    }

    mutating func startTag() throws -> (MarkupElement, isEmpty: Bool)? {
      guard let first = try peek(), Self.beginsName(first) else { return nil }
      var element = MarkupElement(name: try name(), line: reader.input.line)
      if reader.isHTML { element.name = element.name.lowercased() }
      // A word without a value: perhaps the first word of a name that contains a space.
      var word = ""
      while true {
        try skipBlanks()
        guard let byte = try peek() else { return nil }
        switch byte {
        case 0x3e, 0x3c:
          if byte == 0x3c {
            guard !element.attributes.isEmpty else { return nil }
            warnings.append("a tag is not closed")
          } else {
            offset += 1
          }
          finish(word, &element)
          return (element, false)
        case 0x2f where try peek(1) == 0x3e:
          offset += 2
          finish(word, &element)
          return (element, true)
        case 0x22, 0x27, 0x3d, 0x2f:
          if !reader.isHTML { warnings.append("a tag has unexpected characters") }
          offset += 1
        default:
          let name = try attributeName()
          try skipBlanks()
          guard try peek() == 0x3d else {
            if reader.isHTML {
              set("", name, &element)
            } else {
              word += word.isEmpty ? name : " \(name)"
            }
            continue
          }
          offset += 1
          guard let value = try value() else { return nil }
          set(value, word.isEmpty ? name : "\(word) \(name)", &element)
          word = ""
        }
      }
    }

    private mutating func finish(_ word: String, _ element: inout MarkupElement) {
      if !word.isEmpty { set("", word, &element) }
    }

    private mutating func set(_ value: String, _ name: String, _ element: inout MarkupElement) {
      let name = reader.isHTML ? name.lowercased() : name
      guard element.attributes[name] == nil else {
        warnings.append("the attribute \(name.prefix(60)) appears twice; the first is used")
        return
      }
      if !reader.isHTML, !Self.isName(name) {
        warnings.append("the attribute \(name.prefix(60)) has a name that XML does not allow")
      }
      element.attributes[name] = value
    }

    private static func isName(_ name: String) -> Bool {
      guard let first = name.utf8.first, beginsName(first) else { return false }
      return name.utf8.allSatisfy {
        beginsName($0) || (0x30...0x39).contains($0) || $0 == 0x2d || $0 == 0x2e
      }
    }

    private mutating func attributeName() throws -> String {
      let start = offset
      while let byte = try peek(), !Self.isBlank(byte),
        ![0x3d, 0x3e, 0x3c, 0x22, 0x27].contains(byte)
      {
        if byte == 0x2f, try reader.isHTML || peek(1) == 0x3e { break }
        offset += 1
      }
      return String(decoding: reader.input.slice(start, offset), as: UTF8.self)
    }

    private mutating func value() throws -> String? {
      try skipBlanks()
      guard let quote = try peek() else { return nil }
      guard quote == 0x22 || quote == 0x27 else {
        if !reader.isHTML { warnings.append("the value of an attribute has no quotes") }
        let start = offset
        while let byte = try peek(), !Self.isBlank(byte), byte != 0x3e {
          if byte == 0x2f, try !reader.isHTML && peek(1) == 0x3e { break }
          offset += 1
        }
        return try resolved(start, offset)
      }
      offset += 1
      let start = offset
      guard let end = try reader.isHTML ? endOfQuoted(quote) : endOfTolerated(quote) else {
        return nil
      }
      return try resolved(start, end)
    }

    /// Returns where the next `quote` is, and moves past it.
    private mutating func endOfQuoted(_ quote: UInt8) throws -> Int? {
      while let byte = try peek() {
        offset += 1
        if byte == quote { return offset - 1 }
      }
      return nil
    }

    /// Returns where a value ends that may contain quotes or lack the closing one, and moves past its end.
    private mutating func endOfTolerated(_ quote: UInt8) throws -> Int? {
      let start = offset
      var lastQuote: Int?
      var firstEnd: Int?
      while let byte = try peek() {
        switch byte {
        case quote:
          if try endsValue(quote) {
            if lastQuote != nil { warnings.append("the value of an attribute has a quote in it") }
            offset += 1
            return offset - 1
          }
          lastQuote = offset
        case 0x3e:
          if firstEnd == nil { firstEnd = offset }
        case 0x3c:
          if let lastQuote {
            warnings.append("a tag has unexpected characters")
            offset = lastQuote + 1
            return lastQuote
          }
          if let firstEnd {
            warnings.append("the value of an attribute lacks its last quote")
            offset = firstEnd
            return endOfUnended(start, firstEnd)
          }
          warnings.append("the value of an attribute has a < in it")
        default: break
        }
        offset += 1
      }
      return nil
    }

    /// In `<Serv qty="4/>`, the slash belongs to the tag.
    private mutating func endOfUnended(_ start: Int, _ end: Int) -> Int {
      guard end > start, reader.input.slice(end - 1, end).first == 0x2f else { return end }
      offset = end - 1
      return end - 1
    }

    /// Whether the current quote ends its value: the end of the tag or another attribute follows.
    private func endsValue(_ quote: UInt8) throws -> Bool {
      var ahead = 1
      while Self.isBlank(try peek(ahead)) { ahead += 1 }
      guard let byte = try peek(ahead) else { return true }
      if byte == 0x3e || byte == 0x3c { return true }
      if byte == 0x2f || byte == 0x3f, try peek(ahead + 1) == 0x3e { return true }
      // An attribute name; in XML it may be a few words.
      let start = ahead
      while let byte = try peek(ahead), ahead - start < 60 {
        if [0x3d, 0x3e, 0x3c, 0x22, 0x27, 0x2f].contains(byte) { break }
        ahead += 1
      }
      guard ahead > start else { return false }
      guard try peek(ahead) == 0x3d else { return false }
      ahead += 1
      while Self.isBlank(try peek(ahead)) { ahead += 1 }
      return try peek(ahead) == 0x22 || peek(ahead) == 0x27
    }

    /// Returns the value between two places, with references resolved.
    private func resolved(_ start: Int, _ end: Int) throws -> String {
      let raw = reader.input.slice(start, end)
      guard raw.contains(0x26) else { return String(decoding: raw, as: UTF8.self) }
      var bytes: [UInt8] = []
      var place = start
      while place < end {
        let byte = raw[raw.startIndex + place - start]
        if byte == 0x26 {
          place += try reader.reference(at: place, inAttribute: true, into: &bytes)
        } else {
          bytes.append(byte)
          place += 1
        }
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
