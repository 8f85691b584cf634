internal import CDecantCompression
internal import DecantSystem

/// Checks the memory that the header of a 7z requires before libarchive, which has no limit, reads it.
///
/// The header is at the end of the file, mostly packed itself. Only its sizes, counts and compression methods are read
/// (7zFormat.txt of the LZMA SDK).
struct SevenZipHeader {
  private let file: Int32
  private let memberCount: Int
  private var bytes: [UInt8] = []
  private var index = 0
  /// The position of the header, for errors.
  private var place = 0

  /// The maximum size of a header: 100 000 members with names of 40 characters take 10 MiB.
  private static let byteLimit = 1 << 24
  /// The maximum memory of a dictionary.
  private static let memoryLimit = 1 << 27

  private enum Mark {
    static let (end, header, files, encodedHeader) = (0, 1, 5, 0x17)
    static let (streams, packInfo, unpackInfo, subStreams) = (4, 6, 7, 8)
    static let (size, digests, folder, unpackSizes, counts) = (9, 10, 11, 12, 13)
  }

  /// A folder of the format: streams packed together, and their compression.
  private struct Folder {
    var method: [UInt8] = []
    var properties: [UInt8] = []
    var unpackedCount = 0
    var coderCount = 0
    var hasDigest = false
  }

  /// Checks `file`, a whole 7z that may have `memberCount` members.
  init(_ file: Int32, memberCount: Int) {
    (self.file, self.memberCount) = (file, min(memberCount, 1 << 24))
  }

  /// - Throws: `ContainerError.unsupported`, `.exceeded` and `.encrypted` if it requires what is not allowed,
  ///   `.damaged` and `.truncated` if the header is invalid.
  mutating func check() throws(ContainerError) {
    let start = try read(32, at: 0)
    let (offset, count) = (start.number64(at: 12), start.number64(at: 20))
    guard Deflate.crc32(Array(start[12...])) == start.number32(at: 8) else {
      throw .damaged("the checksum of the start header of a 7z is wrong", at: 8)
    }
    guard count > 0 else { return try checkEnd(at: 32) }
    guard offset < 1 << 62 else { throw .damaged("a 7z does not say where its header is", at: 12) }
    place = 32 + offset
    bytes = try read(count, at: place)
    try checkEnd(at: place + count)
    guard Deflate.crc32(bytes) == start.number32(at: 28) else {
      throw .damaged("the checksum of the header of a 7z is wrong", at: place)
    }
    var mark = try number()
    // The header is packed, possibly more than once.
    for _ in 0..<4 where mark == Mark.encodedHeader {
      let (packed, folders) = try streams()
      guard let folder = folders.first, folders.count == 1, folder.coderCount == 1 else {
        throw .unsupported("the header of a 7z is packed in an unknown way", at: place)
      }
      bytes = try unpack(folder, at: 32 + packed.place, count: packed.count)
      index = 0
      mark = try number()
    }
    guard mark == Mark.header else { throw .damaged("a 7z has no header", at: place) }
    mark = try number()
    guard mark == Mark.streams || mark == Mark.files || mark == Mark.end else {
      throw .unsupported("the header of a 7z has unknown parts", at: place)
    }
    if mark == Mark.streams {
      _ = try streams()
      mark = try number()
    }
    if mark == Mark.files { try checkCount(number()) }
  }

  /// Reads the packed streams and their compression methods.
  private mutating func streams() throws(ContainerError) -> (packed: (place: Int, count: Int), folders: [Folder]) {
    var packed = (place: 0, count: 0)
    var folders: [Folder] = []
    var mark = try number()
    if mark == Mark.packInfo {
      packed.place = try number()
      let count = try listCount()
      mark = try number()
      if mark == Mark.size {
        for _ in 0..<count { packed.count = try number() }
        mark = try number()
      }
      if mark == Mark.digests {
        _ = try digests(count)
        mark = try number()
      }
      try expect(mark, Mark.end)
      mark = try number()
    }
    if mark == Mark.unpackInfo {
      try expect(number(), Mark.folder)
      let count = try listCount()
      try expect(number(), 0)
      for _ in 0..<count { folders.append(try folder()) }
      try expect(number(), Mark.unpackSizes)
      for place in folders.indices {
        // The last size is that of the folder: coders are listed in the order of packing.
        for coder in 0..<folders[place].coderCount {
          let size = try number()
          if coder == 0 { folders[place].unpackedCount = size }
        }
      }
      mark = try number()
      if mark == Mark.digests {
        for (place, has) in try digests(count).enumerated() { folders[place].hasDigest = has }
        mark = try number()
      }
      try expect(mark, Mark.end)
      mark = try number()
    }
    if mark == Mark.subStreams {
      try subStreams(folders)
      mark = try number()
    }
    try expect(mark, Mark.end)
    return (packed, folders)
  }

  /// Reads the number of files in each folder.
  private mutating func subStreams(_ folders: [Folder]) throws(ContainerError) {
    var counts = folders.map { _ in 1 }
    var mark = try number()
    if mark == Mark.counts {
      for place in counts.indices {
        counts[place] = try number()
        try checkCount(counts[place])
      }
      mark = try number()
    }
    let total = counts.reduce(0, +)
    try checkCount(total)
    if mark == Mark.size {
      for count in counts { for _ in 0..<max(count - 1, 0) { _ = try number() } }
      mark = try number()
    }
    if mark == Mark.digests {
      let known = zip(counts, folders).count { $0 == 1 && $1.hasDigest }
      _ = try digests(total - known)
      mark = try number()
    }
    try expect(mark, Mark.end)
  }

  /// Reads the compression of a folder, and checks the memory that it requires.
  private mutating func folder() throws(ContainerError) -> Folder {
    var folder = Folder()
    folder.coderCount = try listCount()
    for _ in 0..<folder.coderCount {
      let flags = try Int(take(1)[0])
      folder.method = try take(flags & 0xF)
      guard flags & 0x90 == 0 else {
        throw .unsupported("the 7z uses the BCJ2 filter", at: place)
      }
      folder.properties = flags & 0x20 == 0 ? [] : try take(number())
      try checkMemory(folder.method, folder.properties)
    }
    // The order in which the coders are chained.
    for _ in 0..<(2 * max(folder.coderCount - 1, 0)) { _ = try number() }
    return folder
  }

  private func checkMemory(_ method: [UInt8], _ properties: [UInt8]) throws(ContainerError) {
    var byteCount = 0
    switch method {
    case [0x06, 0xF1, 0x07, 0x01]: throw .encrypted(at: place)
    // LZMA and PPMd.
    case [0x03, 0x01, 0x01], [0x03, 0x04, 0x01]:
      guard properties.count == 5 else { throw .damaged("a 7z has wrong properties", at: place) }
      byteCount = properties.number32(at: 1)
    // LZMA2.
    case [0x21]:
      guard properties.count == 1, properties[0] <= 40 else {
        throw .damaged("a 7z has wrong properties", at: place)
      }
      byteCount = (2 | Int(properties[0]) & 1) << (Int(properties[0]) / 2 + 11)
    default: break
    }
    guard byteCount <= SevenZipHeader.memoryLimit else {
      throw .unsupported("the 7z data needs more than 128 MiB of memory", at: place)
    }
  }

  /// Unpacks a header.
  private func unpack(_ folder: Folder, at place: Int, count: Int) throws(ContainerError) -> [UInt8] {
    try checkSize(folder.unpackedCount)
    var packed = try read(count, at: place)
    let stream = UnsafeMutablePointer<lzma_stream>.allocate(capacity: 1)
    stream.initialize(to: decant_lzma_stream())
    defer {
      lzma_end(stream)
      stream.deallocate()
    }
    let code: lzma_ret
    if folder.method == [0x03, 0x01, 0x01] {
      // In the format of a plain LZMA file: properties, size, data.
      var head = folder.properties
      head.append(littleEndian: [(8, folder.unpackedCount)])
      packed = head + packed
      code = lzma_alone_decoder(stream, UInt64(2 * SevenZipHeader.memoryLimit))
    } else if folder.method == [0x21] {
      code = decant_lzma2_decoder(stream, folder.properties[0])
    } else {
      throw .unsupported("the header of a 7z is packed in an unknown way", at: place)
    }
    guard code == LZMA_OK else { throw .outOfMemory }
    var end = LZMA_OK
    let plain = [UInt8](unsafeUninitializedCapacity: folder.unpackedCount) { plain, filled in
      packed.withUnsafeBufferPointer { packed in
        stream.pointee.next_in = packed.baseAddress
        stream.pointee.avail_in = packed.count
        stream.pointee.next_out = plain.baseAddress
        stream.pointee.avail_out = plain.count
        end = lzma_code(stream, LZMA_RUN)
      }
      filled = plain.count - stream.pointee.avail_out
    }
    guard end == LZMA_OK || end == LZMA_STREAM_END, plain.count == folder.unpackedCount else {
      throw .damaged("the header of a 7z cannot be unpacked", at: place)
    }
    return plain
  }

  /// Throws unless only zeros follow, which some programs use to fill blocks.
  private func checkEnd(at end: Int) throws(ContainerError) {
    let rest = Int(lseek(file, 0, SEEK_END)) - end
    guard rest < 1 << 16, try read(max(rest, 0), at: end).allSatisfy({ $0 == 0 }) else {
      throw .damaged("bytes follow the end of a 7z", at: end)
    }
  }

  // MARK: Numbers

  /// Reads which of `count` items have a checksum, and skips the checksums.
  private mutating func digests(_ count: Int) throws(ContainerError) -> [Bool] {
    var have = [Bool](repeating: true, count: max(count, 0))
    if try take(1)[0] == 0 {
      let bits = try take((have.count + 7) / 8)
      for place in have.indices { have[place] = bits[place / 8] & 0x80 >> UInt8(place % 8) != 0 }
    }
    _ = try take(4 * have.count { $0 })
    return have
  }

  /// Reads the number of items that follow, each of which takes at least one byte.
  private mutating func listCount() throws(ContainerError) -> Int {
    let count = try number()
    guard count <= bytes.count - index else { throw .truncated("the header of a 7z", at: place) }
    return count
  }

  private mutating func number() throws(ContainerError) -> Int {
    let first = try Int(take(1)[0])
    var (value, mask) = (0, 0x80)
    for position in 0..<8 {
      guard first & mask != 0 else {
        value |= (first & (mask - 1)) << (8 * position)
        break
      }
      value |= try Int(take(1)[0]) << (8 * position)
      mask >>= 1
    }
    guard (0..<1 << 62).contains(value) else {
      throw .damaged("a number in a 7z is too large", at: place)
    }
    return value
  }

  private mutating func take(_ count: Int) throws(ContainerError) -> [UInt8] {
    guard count <= bytes.count - index else { throw .truncated("the header of a 7z", at: place) }
    defer { index += count }
    return Array(bytes[index..<(index + count)])
  }

  private func expect(_ mark: Int, _ expected: Int) throws(ContainerError) {
    guard mark == expected else { throw .damaged("the header of a 7z is wrong", at: place) }
  }

  private func checkCount(_ count: Int) throws(ContainerError) {
    if count > memberCount { throw .exceeded(.memberCount, limit: memberCount) }
  }

  private func checkSize(_ count: Int) throws(ContainerError) {
    guard count <= SevenZipHeader.byteLimit else {
      throw .unsupported("the header of a 7z takes more than 16 MiB", at: place)
    }
  }

  /// Reads `count` bytes of the file.
  private func read(_ count: Int, at place: Int) throws(ContainerError) -> [UInt8] {
    try checkSize(count)
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let free = buffer.baseAddress.map { $0 + filled }
        let read = pread(file, free, count - filled, place + filled)
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        guard read > 0 else { return }
        filled += read
      }
    }
    guard code == 0 else { throw .system("read", errno: code) }
    guard bytes.count == count else { throw .truncated("a 7z", at: place + bytes.count) }
    return bytes
  }
}
