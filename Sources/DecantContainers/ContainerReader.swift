/// Reads the plain bytes of a file or a pipe, whatever its compression.
///
/// The input is read once, from the first byte to the last, with bounded memory. Only a 7z has its directory at the
/// end: if the input is not a file, it is copied to an unnamed temporary file. The format is detected from the content:
/// plain, gzip, bzip2, zstd, xz or lz4, zip, tar, cpio or 7z, and nested ones. `nextMember` moves to the next stream of
/// plain bytes, `read` reads from it:
///
///     let reader = try ContainerReader(path: path)
///     while let member = try reader.nextMember() {
///       while case let count = try reader.read(into: buffer), count > 0 { … }
///     }
///
/// Checksums and lengths are checked if the format has them; zstd and lz4 files of other programs may have none, tar
/// and cpio have none of the content, so that changes there can remain undetected. A mismatch is found only at the end,
/// when most bytes have been returned: trust nothing before `nextMember` has returned `nil`. After an error every call
/// throws it again.
package final class ContainerReader {
  private let meter: Meter
  private let unpacksMembers: Bool
  private var input: BufferedInput?
  /// The open archives, the outermost first, each with the depth of its members.
  private var archives: [(reader: MemberReader, depth: Int)] = []
  private var current: BufferedInput?
  private var failure: ContainerError?

  /// Reads from a descriptor, from its current position.
  ///
  /// - Parameters:
  ///   - descriptor: A file, a pipe or another readable descriptor; not closed here, and it must stay open as long as
  ///     this object exists.
  ///   - limits: The limits for the content.
  /// - Throws: Nothing at present: `nextMember` reads the first byte.
  package init(descriptor: Int32, limits: ContainerLimits = ContainerLimits()) throws(ContainerError) {
    meter = Meter(limits)
    unpacksMembers = true
    input = try BufferedInput(DescriptorSource(descriptor), depth: 0, meter: meter)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: The limits for the content.
  ///   - unpacksMembers: Whether members of an archive are unpacked further; otherwise they are returned as stored, so
  ///     that a damaged one does not affect the others.
  ///   - depth: The number of compression layers around the file itself, if it was already unpacked.
  /// - Throws: `ContainerError.system` if the file cannot be opened.
  package init(
    path: String,
    limits: ContainerLimits = ContainerLimits(),
    unpacksMembers: Bool = true,
    depth: Int = 0
  ) throws(ContainerError) {
    meter = Meter(limits, depth: depth)
    self.unpacksMembers = unpacksMembers
    input = try BufferedInput(DescriptorSource(path: path), depth: depth, meter: meter)
  }

  /// Reads from a function.
  ///
  /// - Parameters:
  ///   - limits: The limits for the content.
  ///   - unpacksMembers: As for a file.
  ///   - depth: As for a file.
  ///   - fill: Writes bytes to the start of its buffer, and returns their number; 0 at the end.
  /// - Throws: Nothing at present: `nextMember` reads the first byte.
  package init(
    limits: ContainerLimits = ContainerLimits(),
    unpacksMembers: Bool = true,
    depth: Int = 0,
    _ fill: @escaping (UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int
  ) throws(ContainerError) {
    meter = Meter(limits, depth: depth)
    self.unpacksMembers = unpacksMembers
    input = try BufferedInput(FunctionSource(fill), depth: depth, meter: meter)
  }

  /// Moves to the next stream of plain bytes; returns its description, or `nil` after the last one.
  ///
  /// The rest of the previous stream is read and checked first. Folders in an archive are skipped.
  ///
  /// - Throws: `ContainerError.empty` for empty input, `.exceeded` for an exceeded limit, and `.damaged`, `.truncated`,
  ///   `.encrypted` and `.unsupported` for invalid input.
  package func nextMember() throws(ContainerError) -> ContainerMember? {
    try remembering { () throws(ContainerError) in
      try drain()
      if let first = input {
        input = nil
        guard try first.has(1) else { throw .empty }
        if let member = try enter(first, name: nil) {
          try meter.countMember()
          return member
        }
      }
      while let archive = archives.last {
        guard let source = try archive.reader.next() else {
          archives.removeLast()
          continue
        }
        let input = try BufferedInput(source, depth: archive.depth, meter: meter)
        guard unpacksMembers && source.kind == .file else {
          current = input
          return ContainerMember(
            nameBytes: source.name, kind: source.kind, depth: archive.depth, changed: source.changed)
        }
        if let member = try enter(input, name: source.name) { return member }
      }
      return nil
    }
  }

  /// Reads from the current member.
  ///
  /// - Parameter buffer: The destination; not empty.
  /// - Returns: The number of bytes written to the start of `buffer`; 0 at the end of the member, whose checksum has
  ///   then been verified.
  /// - Throws: The errors of `nextMember`.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    try remembering { () throws(ContainerError) in
      guard let current else { return 0 }
      let count = buffer.isEmpty ? 0 : try current.read(into: buffer)
      if count == 0 && !buffer.isEmpty { self.current = nil }
      return count
    }
  }

  /// Skips a member in which `read` found an error, so that `nextMember` continues with the one after it.
  ///
  /// - Returns: Whether that is possible: for members of an archive that are returned as stored and are encrypted,
  ///   damaged or use an unsupported compression, if the archive has their length. Otherwise every call throws the
  ///   error again.
  package func skipMember() -> Bool {
    guard !unpacksMembers, current != nil, let archive = archives.last else { return false }
    switch failure {
    case .damaged, .encrypted, .unsupported: break
    default: return false
    }
    do throws(ContainerError) {
      guard try archive.reader.skip() else { return false }
    } catch {
      failure = error
      return false
    }
    (failure, current) = (nil, nil)
    return true
  }

  /// Whether bytes that begin with `head`, which has all of them or at least the first 512, are packed.
  package static func isPacked(_ head: [UInt8]) -> Bool {
    head.withUnsafeBytes { Format(head: $0) } != .plain
  }

  /// Unpacks until there are plain bytes, and returns their description, or `nil` for an archive.
  private func enter(_ input: BufferedInput, name: [UInt8]?) throws(ContainerError) -> ContainerMember? {
    var input = input
    while true {
      let source: any ByteSource
      let depth = input.depth + 1
      let format = try Format(of: input)
      if format != .plain { try meter.enter(depth) }
      switch format {
      case .plain:
        current = input
        return ContainerMember(nameBytes: name, kind: .file, depth: input.depth)
      case .zip, .tar, .cpio, .sevenZip:
        archives.append((try MemberReader(format, input, meter: meter), depth))
        return nil
      case .gzip: source = try GzipSource(input)
      case .xz: source = try XZSource(input)
      case .lz4: source = try LZ4Source(input)
      case .bzip2, .zstd: source = try FilterSource(input, format)
      }
      input = try BufferedInput(source, depth: depth, meter: meter)
    }
  }

  /// Reads the rest of the current member, to check it and to reach the data after it.
  private func drain() throws(ContainerError) {
    guard let current else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while try current.read(into: buffer) > 0 {}
    self.current = nil
  }

  /// Runs `work` unless an earlier call failed, and stores its error.
  private func remembering<Result>(_ work: () throws(ContainerError) -> Result) throws(ContainerError) -> Result {
    if let failure { throw failure }
    do throws(ContainerError) {
      return try work()
    } catch {
      failure = error
      throw error
    }
  }
}
