/// A zip with one deflated member of unknown size (APPNOTE 6.3.10).
///
/// Sizes and checksum follow the member, in 64 bits, so that it can be written to a pipe and have any size. Its time is
/// the earliest that zip supports, so that the same bytes give the same file.
final class ZipEncoder: StreamEncoder {
  private let output: OutputDescriptor
  private let deflate: DeflateEncoder
  private let name: [UInt8]
  private var hasHeader = false

  /// Version 4.5, which supports 64-bit sizes.
  private static let version = 45
  /// Sizes follow the member; the name is UTF-8.
  private static let flags = 1 << 3 | 1 << 11
  /// 1980-01-01, the earliest date.
  private static let date = 1 << 5 | 1

  init(_ output: OutputDescriptor, member: String, level: Int) throws(ContainerError) {
    name = Array(member.utf8)
    guard name.count <= 0xFFFF else {
      throw .unsupported("a member name in a zip is limited to 65535 bytes")
    }
    self.output = output
    deflate = try DeflateEncoder(output, level: level)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    try writeHeader()
    try deflate.write(bytes)
  }

  func pad(_ byteCount: Int) throws(ContainerError) { try deflate.pad(byteCount) }

  func finish() throws(ContainerError) {
    try writeHeader()
    try deflate.finish()
    let sums = (checksum: Int(deflate.checksum), packed: deflate.packedCount, plain: deflate.byteCount)
    var end: [UInt8] = []
    end.append(littleEndian: [
      (4, 0x0807_4B50), (4, sums.checksum), (8, sums.packed), (8, sums.plain),
    ])
    let directory = headerByteCount + sums.packed + end.count
    end.append(littleEndian: [
      // Made on Unix: the member is a regular file that its owner can write and everyone can read.
      (4, 0x0201_4B50), (2, 3 << 8 | ZipEncoder.version), (2, ZipEncoder.version),
      (2, ZipEncoder.flags), (2, 8), (2, 0), (2, ZipEncoder.date), (4, sums.checksum),
      (4, 0xFFFF_FFFF), (4, 0xFFFF_FFFF), (2, name.count), (2, 20), (2, 0), (2, 0), (2, 0),
      (4, 0o100644 << 16), (4, 0),
    ])
    end += name
    end.append(littleEndian: [(2, 1), (2, 16), (8, sums.plain), (8, sums.packed)])
    let end64 = headerByteCount + sums.packed + end.count
    let byteCount = end64 - directory
    if directory > 0xFFFF_FFFE {
      end.append(littleEndian: [
        (4, 0x0606_4B50), (8, 44), (2, 3 << 8 | ZipEncoder.version), (2, ZipEncoder.version),
        (4, 0), (4, 0), (8, 1), (8, 1), (8, byteCount), (8, directory),
        (4, 0x0706_4B50), (4, 0), (8, end64), (4, 1),
      ])
    }
    end.append(littleEndian: [
      (4, 0x0605_4B50), (2, 0), (2, 0), (2, 1), (2, 1), (4, byteCount),
      (4, min(directory, 0xFFFF_FFFF)), (2, 0),
    ])
    try output.write(end)
  }

  private var headerByteCount: Int { 30 + name.count + 20 }

  private func writeHeader() throws(ContainerError) {
    guard !hasHeader else { return }
    hasHeader = true
    var header: [UInt8] = []
    header.append(littleEndian: [
      (4, 0x0403_4B50), (2, ZipEncoder.version), (2, ZipEncoder.flags), (2, 8), (2, 0),
      (2, ZipEncoder.date), (4, 0), (4, 0xFFFF_FFFF), (4, 0xFFFF_FFFF), (2, name.count), (2, 20),
    ])
    header += name
    // The 64-bit sizes, still unknown; the presence of this field means that those after the member have 64 bits as
    // well.
    header.append(littleEndian: [(2, 1), (2, 16), (8, 0), (8, 0)])
    try output.write(header)
  }
}
