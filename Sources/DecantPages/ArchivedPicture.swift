internal import DecantBase
internal import DecantPlan

extension PageStore {
  /// Returns the picture within `bytes` if they are an archive of `NSKeyedArchiver` that holds one.
  ///
  /// A `UIImage` is archived with the bytes of a PNG or JPEG, as data of a binary property list. The beginning of such
  /// data is searched for piece by piece, without decoding the archive, which may be too large for memory.
  func archivedPicture(in bytes: PageBytes) throws(DecantError) -> PageBytes? {
    var search = ArchivedPictureSearch(end: bytes.count)
    do throws(DecantError) {
      try forEachPiece(of: bytes) { piece throws(DecantError) in
        search.look(into: piece)
        // The loop over the pieces of a file or a value can only be left by throwing.
        if search.isOver { throw DecantError(.interrupted, "the search is finished") }
      }
    } catch  where search.isOver {}
    return search.found.map { found in
      PageBytes(place: bytes.place, start: bytes.start + found.start, count: found.count, format: found.format)
    }
  }
}

/// A search for data in a binary property list that begin like a picture, piece by piece.
struct ArchivedPictureSearch {
  /// The place, size and format of the picture found.
  private(set) var found: (start: Int, count: Int, format: ImageFormat)?
  /// Whether the search is finished.
  private(set) var isOver = false
  private let end: Int
  /// The bytes at the end of the last piece, in which a picture may begin.
  private var rest: [UInt8] = []
  private var offset = 0

  /// The length of a marker, the type and the digits of a length, and the beginning of a picture.
  private static let reach = 2 + 8 + ImageFormat.headByteCount
  private static let magic = Array("bplist00".utf8)

  /// Begins a search in `end` bytes.
  init(end: Int) { self.end = end }

  /// Searches the next bytes.
  mutating func look(into piece: UnsafeRawBufferPointer) {
    guard !isOver else { return }
    if offset == 0, !piece.starts(with: ArchivedPictureSearch.magic) {
      isOver = true
      return
    }
    offset += piece.count
    let isLast = offset >= end
    // First the data that begin at the end of the last piece, or in a piece that is too short.
    let reach = ArchivedPictureSearch.reach
    let seam = rest + piece.prefix(reach)
    let place = offset - piece.count - rest.count
    if piece.count <= reach {
      let sure = isLast ? seam.count : max(0, seam.count - reach)
      seam.withUnsafeBytes { look(into: $0, upTo: sure, at: place) }
      rest = Array(seam[sure...])
    } else {
      let count = rest.count
      seam.withUnsafeBytes { look(into: $0, upTo: count, at: place) }
      let sure = isLast ? piece.count : piece.count - reach
      look(into: piece, upTo: sure, at: offset - piece.count)
      rest = Array(piece[sure...])
    }
    if isLast { isOver = true }
  }

  /// Searches the first `limit` of `bytes`, which are at `place`.
  private mutating func look(into bytes: UnsafeRawBufferPointer, upTo limit: Int, at place: Int) {
    var position = 0
    while position < limit, !isOver {
      defer { position += 1 }
      // Data of 15 bytes or more: 4F, then an integer object with their length.
      guard bytes[position] == 0x4f, position + 1 < bytes.count, bytes[position + 1] & 0xf0 == 0x10
      else { continue }
      let width = 1 << Int(bytes[position + 1] & 0x0f)
      let start = position + 2 + width
      guard width <= 8, start < bytes.count else { continue }
      let length = bytes[(position + 2)..<start].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let first = place + start
      guard let count = Int(exactly: length), count > ImageFormat.headByteCount,
        count <= end - first,
        let format = ImageFormat(head: bytes[start...])
      else { continue }
      found = (first, count, format)
      isOver = true
    }
  }
}
