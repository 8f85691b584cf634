/// A zip of many members, written from beginning to end (APPNOTE 6.3.10).
///
/// Sizes and checksums follow the members, so that nothing has to be known in advance. Times are the earliest that zip
/// supports, so that the same members give the same bytes. A member has less than 4 GiB, which every program can read;
/// the number of members is not limited.
package final class ZipWriter {
  private struct Member {
    let name: [UInt8]
    let place: Int
    var checksum = 0
    var packedCount = 0
    var byteCount = 0
  }

  private let output: OutputDescriptor
  private let level: Int
  private var members: [Member] = []
  private var deflate: DeflateEncoder?
  private var place = 0

  /// Version 2.0, which supports deflate.
  private static let version = 20
  /// Sizes follow the member; the name is UTF-8.
  private static let flags = 1 << 3 | 1 << 11
  /// 1980-01-01, the earliest date.
  private static let date = 1 << 5 | 1

  /// Begins a zip.
  ///
  /// - Parameters:
  ///   - descriptor: The destination; not closed here, and it must stay open as long as this object exists.
  ///   - level: The compression level, 1 to 9.
  /// - Throws: `ContainerError.invalidLevel` for an invalid level.
  package init(descriptor: Int32, level: Int? = nil) throws(ContainerError) {
    output = OutputDescriptor(descriptor)
    self.level = try Compression.zip(member: "").checked(level)
  }

  /// Begins a member, and ends the previous one.
  ///
  /// - Parameter name: Its path in the zip, of at most 65 535 bytes.
  /// - Throws: `ContainerError` if it cannot be written.
  package func begin(_ name: String) throws(ContainerError) {
    try end()
    let bytes = Array(name.utf8)
    guard bytes.count <= 0xFFFF else {
      throw .unsupported("a member name in a zip is limited to 65535 bytes")
    }
    members.append(Member(name: bytes, place: place))
    var header: [UInt8] = []
    header.append(littleEndian: [
      (4, 0x0403_4B50), (2, ZipWriter.version), (2, ZipWriter.flags), (2, 8), (2, 0),
      (2, ZipWriter.date), (4, 0), (4, 0), (4, 0), (2, bytes.count), (2, 0),
    ])
    header += bytes
    try write(header)
    deflate = try DeflateEncoder(output, level: level)
  }

  /// Adds bytes to the current member.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    try deflate?.write(bytes)
  }

  /// Ends the zip, which may have no members.
  package func finish() throws(ContainerError) {
    try end()
    let directory = place
    for member in members {
      var entry: [UInt8] = []
      let isFar = member.place > 0xFFFF_FFFE
      entry.append(littleEndian: [
        (4, 0x0201_4B50), (2, 3 << 8 | (isFar ? 45 : 20)), (2, isFar ? 45 : 20),
        (2, ZipWriter.flags), (2, 8), (2, 0), (2, ZipWriter.date), (4, member.checksum),
        (4, member.packedCount), (4, member.byteCount), (2, member.name.count),
        (2, isFar ? 12 : 0), (2, 0),
        (2, 0), (2, 0), (4, 0o100644 << 16), (4, isFar ? 0xFFFF_FFFF : member.place),
      ])
      entry += member.name
      if isFar { entry.append(littleEndian: [(2, 1), (2, 8), (8, member.place)]) }
      try write(entry)
    }
    let (byteCount, end64) = (place - directory, place)
    var end: [UInt8] = []
    if directory > 0xFFFF_FFFE || members.count > 0xFFFE {
      end.append(littleEndian: [
        (4, 0x0606_4B50), (8, 44), (2, 3 << 8 | 45), (2, 45), (4, 0), (4, 0), (8, members.count),
        (8, members.count), (8, byteCount), (8, directory),
        (4, 0x0706_4B50), (4, 0), (8, end64), (4, 1),
      ])
    }
    let count = min(members.count, 0xFFFF)
    end.append(littleEndian: [
      (4, 0x0605_4B50), (2, 0), (2, 0), (2, count), (2, count), (4, min(byteCount, 0xFFFF_FFFF)),
      (4, min(directory, 0xFFFF_FFFF)), (2, 0),
    ])
    try write(end)
  }

  private func end() throws(ContainerError) {
    guard let deflate, var member = members.popLast() else { return }
    self.deflate = nil
    try deflate.finish()
    member.checksum = Int(deflate.checksum)
    member.packedCount = deflate.packedCount
    member.byteCount = deflate.byteCount
    members.append(member)
    place += deflate.packedCount
    var descriptor: [UInt8] = []
    guard max(member.packedCount, member.byteCount) < 0xFFFF_FFFF else {
      throw .unsupported("a member of a zip has 4 GiB or more")
    }
    descriptor.append(littleEndian: [
      (4, 0x0807_4B50), (4, member.checksum), (4, member.packedCount), (4, member.byteCount),
    ])
    try write(descriptor)
  }

  private func write(_ bytes: [UInt8]) throws(ContainerError) {
    try output.write(bytes)
    place += bytes.count
  }
}
