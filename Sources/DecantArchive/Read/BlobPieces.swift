internal import DecantBase64
internal import DecantContainers
internal import DecantDigests
internal import DecantJSON

/// Assembles the pieces of large values, one value at a time, and verifies their digests.
struct BlobPieces {
  private var blob: ArchiveBlob?
  private var digest = SHA256()
  private var piece: [UInt8] = []

  /// Whether a value has begun but not ended.
  var isOpen: Bool { blob != nil }

  /// The digest of the open value.
  var openHash: String { blob?.hash ?? "" }

  /// Reads the rest of a line that begins with the name `blob`, and passes its content on.
  mutating func take(_ cursor: inout JSONReader, _ taker: any ArchiveTaker) throws {
    var (hash, place, size): (String?, Int64?, Int64?) = (nil, nil, nil)
    var hasPiece = false
    var others = SeenNames()
    try cursor.object { key, cursor in
      switch String(decoding: key, as: UTF8.self) {
      case "blob" where hash == nil: hash = try cursor.text()
      case "at" where place == nil: place = try cursor.integer(as: "at")
      case "size" where size == nil: size = try cursor.integer(as: "size")
      case "base64" where !hasPiece:
        hasPiece = true
        guard Base64Decoder.decode(try cursor.string(), to: &piece) else {
          throw ArchiveFault("a piece of a large value is not valid base64")
        }
      case "deflate" where !hasPiece:
        hasPiece = true
        guard Base64Decoder.decode(try cursor.string(), to: &piece) else {
          throw ArchiveFault("a piece of a large value is not valid base64")
        }
        piece = try BlobPieces.inflated(piece)
      case "blob", "at", "size", "base64", "deflate":
        throw ArchiveFault("a name appears twice in one object")
      default:
        try others.insert(key)
        try cursor.skip()
      }
    }
    try cursor.finish()
    guard let hash, let place, hasPiece else {
      throw ArchiveFault("a piece of a large value lacks its name, offset or bytes")
    }
    guard hash.utf8.count == 64, hash.utf8.allSatisfy(BlobPieces.isDigit) else {
      throw ArchiveFault("the name of a large value is not a lowercase hexadecimal SHA-256")
    }
    if let blob, blob.hash != hash {
      throw ArchiveFault("a large value is missing its last piece: \(blob.hash.prefix(12))…")
    }
    var blob = blob ?? ArchiveBlob(hash: hash)
    if blob.byteCount == 0 { digest = SHA256() }
    guard place == blob.byteCount else {
      throw ArchiveFault(
        "a piece of a large value is missing or out of order: expected byte \(blob.byteCount), "
          + "found byte \(place)"
      )
    }
    piece.withUnsafeBytes { digest.update($0) }
    let result = piece.withUnsafeBytes { bytes in
      Result { try taker.take(piece: bytes, of: blob) }
    }
    try result.get()
    blob.byteCount += Int64(piece.count)
    guard let size else {
      guard !piece.isEmpty else { throw ArchiveFault("a piece of a large value has no bytes") }
      self.blob = blob
      return
    }
    self.blob = nil
    guard size == blob.byteCount else {
      throw ArchiveFault("a large value has \(blob.byteCount) bytes, but its last piece says \(size)")
    }
    guard SHA256.text(digest.finish()) == hash else {
      throw ArchiveFault("the bytes of a large value do not match the SHA-256 in its name")
    }
    try taker.take(finished: blob)
  }

  /// Returns `packed` unpacked, at most the size of a piece.
  private static func inflated(_ packed: [UInt8]) throws(ArchiveFault) -> [UInt8] {
    do throws(ContainerError) {
      return try Deflate.inflate(packed, format: .zlib, limit: BlobLines.pieceSize)
    } catch {
      throw ArchiveFault("a piece of a large value cannot be unpacked: \(error)")
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }
}
