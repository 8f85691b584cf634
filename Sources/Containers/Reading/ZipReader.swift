/// The members of a zip in the order in which they lie in it, without going back to its directory.
///
/// The directory at the end has to name just these members, in any order, with the same places, names,
/// checksums and sizes: so members cannot overlap, hide, or be missing.
final class ZipReader {
  private let input: BufferedInput
  private let meter: Meter
  /// Where in the input the zip begins: places in it count from there.
  private let origin: Int
  private var directory = ZipDirectory()
  private var member: (place: Int, source: ZipMemberSource)?

  /// Begins at the first byte of a zip.
  init(_ input: BufferedInput, meter: Meter) {
    self.input = input
    self.meter = meter
    origin = input.position
  }

  /// Returns the next member that is no folder, or `nil` behind the last, with the zip's end checked.
  ///
  /// The one before has to be read to its end.
  func next() throws(ContainerError) -> ZipMemberSource? {
    while true {
      if let (place, source) = member { directory.add(source, at: place) }
      member = nil
      let place = input.position - origin
      let signature = try input.peek(4, of: "a zip").number32(at: 0)
      guard signature == ZipHeader.signature else {
        try directory.check(input, origin: origin)
        return nil
      }
      try meter.countMember()
      let header = try ZipHeader(input)
      let source = try ZipMemberSource(header, input)
      member = (place, source)
      guard header.name.last == UInt8(ascii: "/") else { return source }
      let nothing = try withUnsafeTemporaryBytes { buffer throws(ContainerError) in
        try source.read(into: buffer)
      }
      guard nothing == 0 else { throw .damaged("a folder has content", at: input.position) }
    }
  }

  /// Leaves the member that `next` returned last behind, wrong as it may be; false where its end is not known.
  func skip() throws(ContainerError) -> Bool { try member?.source.skip() ?? false }

  private func withUnsafeTemporaryBytes(
    _ body: (UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int
  ) throws(ContainerError) -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16, alignment: 8)
    defer { buffer.deallocate() }
    return try body(buffer)
  }
}
