/// The plain bytes in a file or a pipe, however they are packed.
///
/// Read once, from the first byte to the last, with bounded memory. Only a 7z has its directory at the end: where it
/// is no file itself, it is put into one that has no name. What the
/// bytes are is told by the bytes: plain, gzip, bzip2, zstd, xz or lz4, zip, tar, cpio or 7z, and those in one another.
/// `nextMember` goes to the next stream of plain bytes, `read` reads of it:
///
///     let reader = try ContainerReader(path: path)
///     while let member = try reader.nextMember() {
///       while case let count = try reader.read(into: buffer), count > 0 { … }
///     }
///
/// Checksums and lengths are checked wherever the format has them; zstd and lz4 of other programs may have none, tar
/// and cpio have none of the content, and what is changed there can go unseen. They are found wrong at the end, when
/// most bytes were handed out: nothing is to be trusted before `nextMember` returned `nil`. After an error every call throws it again.
package final class ContainerReader {
  private let meter: Meter
  private let unpacksMembers: Bool
  private var input: BufferedInput?
  /// The archives around what is read, the outermost first, each with the depth of its members.
  private var archives: [(reader: MemberReader, depth: Int)] = []
  private var current: BufferedInput?
  private var failure: ContainerError?

  /// Reads what a descriptor gives from where it stands.
  ///
  /// - Parameters:
  ///   - descriptor: That of a file, a pipe or anything else; never closed here, and to be left open
  ///     until this object is gone.
  ///   - limits: How much may be asked for.
  /// - Throws: Nothing as yet: the first byte is read by `nextMember`.
  package init(descriptor: Int32, limits: ContainerLimits = ContainerLimits()) throws(ContainerError) {
    meter = Meter(limits)
    unpacksMembers = true
    input = try BufferedInput(DescriptorSource(descriptor), depth: 0, meter: meter)
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - limits: How much may be asked for.
  ///   - unpacksMembers: Whether what lies in an archive is unpacked further; else it comes as it lies there, so
  ///     that one that is damaged spoils none of the others.
  ///   - depth: How many layers of packing lay around the file itself, where it was unpacked before.
  /// - Throws: `ContainerError.system` where it cannot be opened.
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

  /// Reads what a function gives.
  ///
  /// - Parameters:
  ///   - limits: How much may be asked for.
  ///   - unpacksMembers: As for a file.
  ///   - depth: As for a file.
  ///   - fill: Writes bytes into the start of the buffer it is given, and returns how many; 0 at the end.
  /// - Throws: Nothing as yet: the first byte is read by `nextMember`.
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

  /// Goes on to the next stream of plain bytes, and returns what it is, or `nil` behind the last.
  ///
  /// What is left of the one before is read and checked first. Folders in an archive are passed over.
  ///
  /// - Throws: `ContainerError.empty` where there is no byte of input, `.exceeded` where a limit is, and
  ///   `.damaged`, `.truncated`, `.encrypted` and `.unsupported` where the input is.
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
          return ContainerMember(nameBytes: source.name, kind: source.kind, depth: archive.depth)
        }
        if let member = try enter(input, name: source.name) { return member }
      }
      return nil
    }
  }

  /// Reads on in the member that `nextMember` returned last.
  ///
  /// - Parameter buffer: Where the bytes go; not empty.
  /// - Returns: How many bytes, from the start of `buffer`; 0 at the end of the member, whose checksum
  ///   is then known to be right.
  /// - Throws: What `nextMember` throws.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    try remembering { () throws(ContainerError) in
      guard let current else { return 0 }
      let count = buffer.isEmpty ? 0 : try current.read(into: buffer)
      if count == 0 && !buffer.isEmpty { self.current = nil }
      return count
    }
  }

  /// Leaves a member behind that `read` has found wrong, so that `nextMember` goes on with the one after it.
  ///
  /// - Returns: Whether it can: for members of an archive that come as they lie there, encrypted, damaged or packed
  ///   in another way, where the archive says how long they are. Else every call throws the error again.
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

  /// Whether bytes that begin with `head`, all of them or the first 512 at least, are packed.
  package static func isPacked(_ head: [UInt8]) -> Bool {
    head.withUnsafeBytes { Format(head: $0) } != .plain
  }

  /// Unpacks until there are plain bytes, and returns what they are, or `nil` at an archive.
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

  /// Reads what is left of the current member, for its checksum and for what follows it.
  private func drain() throws(ContainerError) {
    guard let current else { return }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
    defer { buffer.deallocate() }
    while try current.read(into: buffer) > 0 {}
    self.current = nil
  }

  /// Does `work` unless something failed before, and notes its failure.
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
