internal import CDecantArchive
internal import DecantSystem

/// Reads the members of a zip, tar, cpio or 7z in stored order with libarchive.
///
/// The data after the members is checked here: the directory of a zip must list exactly these members, with the same
/// positions, names, checksums and sizes, so that members cannot overlap, be hidden, or be missing; a tar or cpio ends
/// with its end marker and nothing but zeros.
final class MemberReader {
  private let format: Format
  private let input: BufferedInput
  private let meter: Meter
  /// The position in the input at which the archive begins; positions in it count from there.
  private let origin: Int
  private var handle: ArchiveHandle
  private var directory = ZipDirectory()
  private var member: ArchiveMemberSource?
  /// A temporary file that libarchive reads instead of the input.
  private var file: TemporaryFile?

  /// Begins at the first byte.
  init(_ format: Format, _ input: BufferedInput, meter: Meter) throws(ContainerError) {
    (self.format, self.input, self.meter, origin) = (format, input, meter, input.position)
    guard format == .sevenZip else {
      handle = try MemberReader.handle(format, input)
      return
    }
    let descriptor: Int32
    if let whole = try input.wholeFile() {
      descriptor = whole
    } else {
      let file = try TemporaryFile(input)
      (self.file, descriptor) = (file, file.descriptor)
    }
    var header = SevenZipHeader(descriptor, memberCount: meter.limits.memberCount)
    try header.check()
    _ = lseek(descriptor, 0, SEEK_SET)
    handle = try ArchiveHandle(file: descriptor, input, "a 7z") {
      archive_read_support_format_7zip($0)
    }
  }

  /// Returns the next member that is not a folder, or `nil` after the last one, when the end is valid.
  ///
  /// The previous member must have been read to its end, or skipped with `skip`.
  func next() throws(ContainerError) -> ArchiveMemberSource? {
    while true {
      if format == .zip, let member { directory.add(member, at: member.place - origin) }
      let isBehindFolder = member?.isFolder == true
      member = nil
      guard let entry = try handle.nextEntry() else {
        try checkEnd()
        return nil
      }
      try meter.countMember()
      let source = ArchiveMemberSource(entry, handle, format)
      source.isBehindFolder = isBehindFolder
      member = source
      guard source.isFolder else { return source }
      guard archive_entry_size(entry) == 0 else {
        throw .damaged("a folder member has content", at: handle.position)
      }
    }
  }

  /// Skips the member that `next` returned last, even if it is damaged.
  ///
  /// - Returns: False if its end is not known.
  func skip() throws(ContainerError) -> Bool {
    guard let member else { return false }
    member.isChecked = false
    if handle.isAlive { return true }
    // After a failure of libarchive the header is read again, because it may contain the length of the member.
    guard format == .zip, try input.goBack(to: member.place) else { return false }
    handle = try MemberReader.handle(format, input)
    guard try handle.nextEntry() != nil else { return false }
    return true
  }

  private static func handle(_ format: Format, _ input: BufferedInput) throws(ContainerError) -> ArchiveHandle {
    try ArchiveHandle(input, "a \(format.rawValue)") { handle in
      switch format {
      case .tar: archive_read_support_format_tar(handle)
      case .cpio: archive_read_support_format_cpio(handle)
      default: archive_read_support_format_zip_streamable(handle)
      }
    }
  }

  /// Checks the data after the last member.
  private func checkEnd() throws(ContainerError) {
    switch format {
    case .zip:
      try handle.settle(at: handle.position)
      try directory.check(input, origin: origin)
    case .tar:
      try handle.settle(at: handle.headerPosition)
      // A shorter rest means that the tar was cut between two members.
      guard try input.has(512) else { throw .truncated("a tar", at: input.position) }
      try input.expectZeros(after: "a tar")
    case .cpio:
      // The end marker has been read.
      try handle.settle(at: handle.position)
      try input.expectZeros(after: "a cpio")
    default: break
    }
  }
}

/// The bytes of one member of an archive.
final class ArchiveMemberSource: ByteSource {
  let name: [UInt8]
  let kind: ContainerMember.Kind
  /// The position of its header.
  let place: Int
  /// The compression method by its number in zip files; -1 if it is not supported.
  let method: Int
  /// The CRC-32 and the number of the bytes returned so far.
  private(set) var checksum: UInt32 = 0
  private(set) var byteCount = 0
  let isFolder: Bool
  /// The modification time in nanoseconds since 1970; `nil` if it is unknown.
  let changed: Int64?
  /// Whether the previous member was a folder, which is not read: `place` may then be that of its checksum.
  var isBehindFolder = false
  /// Whether checksum and size are compared with the directory, because the member was read completely.
  var isChecked = true

  private let handle: ArchiveHandle
  private let isZip: Bool
  /// The reason why its content cannot be unpacked, if there is one.
  private let fault: ContainerError?

  init(_ entry: OpaquePointer, _ handle: ArchiveHandle, _ format: Format) {
    self.handle = handle
    name = ArchiveHandle.name(of: entry)
    place = handle.headerPosition
    isZip = format == .zip
    // A hard link may contain the content of its file.
    let isLink = archive_entry_hardlink(entry) != nil && archive_entry_size(entry) == 0
    isFolder = decant_entry_is_folder(entry)
    let (seconds, overflows) = Int64(archive_entry_mtime(entry)).multipliedReportingOverflow(by: 1_000_000_000)
    changed = archive_entry_mtime_is_set(entry) == 0 || overflows ? nil : seconds
    let isFile = decant_entry_is_file(entry) && !isLink
    kind = isFile ? .file : isLink || archive_entry_symlink(entry) != nil ? .link : .other
    let compression = handle.formatName.split(separator: "(").last?.dropLast() ?? ""
    method = ["uncompressed": 0, "deflation": 8, "bzip": 12][compression] ?? -1
    fault =
      archive_entry_is_encrypted(entry) != 0
      ? .encrypted(at: place)
      : isZip && method < 0
        ? .unsupported("the compression “\(compression)” in a zip", at: place) : nil
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(ContainerError) -> Int {
    guard kind == .file else { return 0 }
    if let fault { throw fault }
    let count = try handle.read(into: buffer)
    byteCount += count
    if isZip {
      checksum = CRC32.update(checksum, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    }
    return count
  }
}
