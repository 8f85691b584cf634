internal import DecantBase64
package import DecantBase
internal import DecantDigests

/// The pictures of the current recipe, decoded and on disk until the recipe has been taken.
package final class RecipePictures {
  /// A stored picture.
  package struct Picture {
    package let bytes: SpooledText
    package let format: ImageFormat

    /// Reads it, and returns its SHA-256 in hexadecimal digits.
    package func digest() throws -> String {
      var digest = SHA256()
      try bytes.forEachPiece { digest.update($0) }
      return SHA256.text(digest.finish())
    }
  }

  private let spool: TextSpool
  private var taken: [Picture] = []
  /// The digests of pictures that were compared with others, by their numbers.
  private var digests: [Int64: String] = [:]

  /// The maximum size of a picture in bytes; it is held in memory when it is written.
  static let byteLimit: Int64 = 512 << 20

  /// Keeps pictures in `folder`.
  package init(in folder: String) throws(DecantError) {
    spool = try TextSpool(at: "\(folder)/pictures")
  }

  /// Stores a picture in base64, with or without a `data:…;base64,` prefix, white space, and padding.
  ///
  /// - Returns: The number that identifies it until `clear`.
  /// - Throws: `RecipeFault` if the text is not base64, or not a picture.
  func take(base64 text: DocumentText) throws -> Int64 {
    var decoder = Base64Decoder([.blanks, .unpadded, .address])
    var bytes: [UInt8] = []
    return try take { spool throws in
      do {
        try text.forEachPiece { piece in
          try decoder.decode(piece, to: &bytes)
          if !bytes.isEmpty { try bytes.withUnsafeBytes { try spool($0) } }
        }
        try decoder.finish(to: &bytes)
      } catch let fault as Base64Decoder.Fault {
        throw RecipeFault(fault.words)
      }
      if !bytes.isEmpty { try bytes.withUnsafeBytes { try spool($0) } }
    }
  }

  /// Stores a picture in hexadecimal digits, which may contain white space.
  func take(hex text: DocumentText) throws -> Int64 {
    var decoder = HexPieces()
    return try take { spool throws in
      try text.forEachPiece { piece in try decoder.decode(piece) { try spool($0) } }
      try decoder.finish()
    }
  }

  /// Stores a picture piece by piece, as `body` provides it.
  package func take(_ body: ((UnsafeRawBufferPointer) throws -> Void) throws -> Void) throws -> Int64 {
    var head: [UInt8] = []
    spool.begin()
    try body { piece in
      if head.count < 16 { head.append(contentsOf: piece.prefix(16 - head.count)) }
      try spool.append(piece)
    }
    let bytes = spool.finish()
    guard bytes.byteCount > 0 else { throw RecipeFault("a picture is empty") }
    guard bytes.byteCount <= Self.byteLimit else {
      throw RecipeFault("a picture has \(bytes.byteCount) bytes, more than the limit")
    }
    guard let format = ImageFormat(head: head) else {
      let digits = head.prefix(4).map { SHA256.text([$0]) }.joined(separator: " ")
      throw RecipeFault("a picture has an unknown format: it begins with \(digits)")
    }
    taken.append(Picture(bytes: bytes, format: format))
    return Int64(taken.count - 1)
  }

  /// Returns the picture to which `take` gave this number.
  package func picture(_ number: Int64) -> Picture? {
    taken.indices.contains(Int(number)) ? taken[Int(number)] : nil
  }

  /// Whether two pictures have the same bytes; one that cannot be read equals no other, and its error is reported when
  /// it is stored.
  func areSame(_ one: Int64, _ other: Int64) -> Bool {
    guard let first = picture(one), let second = picture(other), first.bytes.byteCount == second.bytes.byteCount,
      let digest = try? digest(one), let otherDigest = try? self.digest(other)
    else { return false }
    return digest == otherDigest
  }

  /// Returns the SHA-256 of a picture, which is read for it once.
  private func digest(_ number: Int64) throws -> String {
    if let digest = digests[number] { return digest }
    let digest = try taken[Int(number)].digest()
    digests[number] = digest
    return digest
  }

  /// Discards all pictures, once their recipe has been taken.
  package func clear() {
    taken.removeAll(keepingCapacity: true)
    digests.removeAll()
    spool.clear()
  }
}

extension Base64Decoder.Fault {
  /// The problem with a picture, in words.
  fileprivate var words: String {
    switch self {
    case .foreign, .unusedBits: "a picture is not valid base64"
    case .behindEnd: "a picture is not valid base64: it continues after its end"
    case .cut: "a base64 picture is truncated"
    }
  }
}
