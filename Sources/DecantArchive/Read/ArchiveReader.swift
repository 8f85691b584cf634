internal import DecantContainers
package import DecantBase
internal import DecantJSON

/// Reads the lines of an archive, part by part, and checks them against its receipt.
///
/// Do not trust anything before the receipt was read: the archive may be truncated.
package final class ArchiveReader {
  private let limits: ArchiveLimits
  private let taker: any ArchiveTaker
  private let cancellation: Cancellation
  /// Called after every few thousand lines.
  package var onProgress: (_ entity: String, _ objects: Int64, _ bytes: Int64) -> Void = {
    _,
    _,
    _ in
  }
  private(set) var header: ArchiveHeader?
  private(set) var receipt: ArchiveReceipt?
  @exclusivity(unchecked) private var sums: [String: ArchiveOutput.Sum] = [:]
  private var blobs = BlobPieces()
  private var blobCount: Int64 = 0
  @exclusivity(unchecked) private var byteCount: Int64 = 0
  /// The number of bytes before the receipt.
  private var receiptPlace: Int64 = 0
  @exclusivity(unchecked) private var objectCount: Int64 = 0
  private var partCount: Int64 = 0
  /// The first error in a salvaged archive; `nil` if there is none.
  private(set) var damage: DecantError?
  /// The number of unreadable lines.
  private(set) var badLineCount: Int64 = 0
  /// Rejected objects whose line has only the reason.
  private(set) var skipped = SkippedRejects()
  /// Whether to take the intact lines of a damaged archive.
  private let salvages: Bool

  package init(_ taker: any ArchiveTaker, limits: ArchiveLimits, salvages: Bool = false, cancellation: Cancellation) {
    self.taker = taker
    self.limits = limits
    self.salvages = salvages
    self.cancellation = cancellation
  }

  /// Reads the next part; `place` is its name.
  package func read(_ input: LineInput, of place: String) throws(DecantError) {
    do throws(DecantError) {
      try ArchiveFault.telling(place, line: { input.number }) { try readLines(input, place) }
    } catch {
      // Only an error in the archive is damage, not for example a full disk.
      guard salvages, header != nil, error.family == .corruptStore else { throw error }
      if damage == nil { damage = error }
    }
  }

  private func readLines(_ input: LineInput, _ place: String) throws {
    guard receipt == nil else {
      throw ArchiveFault("unexpected data follows the receipt of the archive")
    }
    try readHeader(input)
    partCount += 1
    // An array's storage always has an address, which an empty line may not have.
    let empty = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { empty.deallocate() }
    var count = 0
    while let line = try input.nextLine(limit: limits.lineByteCount) {
      guard line.isEnded else {
        throw ArchiveFault("the file ends in the middle of a line", remedy: ArchiveReceipt.remedy)
      }
      guard receipt == nil else {
        throw ArchiveFault("unexpected data follows the receipt of the archive")
      }
      do {
        do {
          try read(line.bytes, empty)
        } catch let fault as JSONFault {
          throw ArchiveFault(fault)
        }
      } catch let fault as ArchiveFault where salvages {
        // The content of the line is lost, but not that of the following lines.
        badLineCount += 1
        blobs = BlobPieces()
        if damage == nil { damage = fault.error(place, line: input.number) }
      }
      byteCount += Int64(line.bytes.count + 1)
      count += 1
      guard count & 1023 == 0 else { continue }
      guard !cancellation.isCancelled else {
        throw DecantError(.interrupted, "interrupted while reading the archive: nothing was changed")
      }
      onProgress(sumEntity, objectCount, byteCount)
    }
    guard !blobs.isOpen || receipt == nil else {
      throw ArchiveFault("the archive ends in the middle of a large value")
    }
  }

  /// Reads only the first line of any part of an archive.
  func header(of input: LineInput, place: String) throws(DecantError) -> ArchiveHeader {
    try ArchiveFault.telling(place, line: { input.number }) { try parsedHeader(input).header }
  }

  private func parsedHeader(_ input: LineInput) throws -> (header: ArchiveHeader, byteCount: Int) {
    guard let line = try input.nextLine(limit: limits.headerByteCount) else {
      throw ArchiveFault("it is empty")
    }
    let empty = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
    defer { empty.deallocate() }
    guard line.bytes.last != 0x0d else {
      throw ArchiveFault(
        "its lines end in CR LF: a program treated it as text and converted it",
        remedy: "have it sent again compressed, as .decant.gz"
      )
    }
    // Some editors write a byte order mark.
    let mark: [UInt8] = [0xef, 0xbb, 0xbf]
    let bytes =
      line.bytes.starts(with: mark)
      ? UnsafeRawBufferPointer(rebasing: line.bytes.dropFirst(mark.count)) : line.bytes
    var cursor = JSONReader(bytes, empty, depthLimit: limits.depth)
    let tree = try cursor.members(called: ArchiveHeader.names, limit: limits.treeCount)
    try cursor.finish()
    let header = try ArchiveHeader(tree)
    guard line.isEnded else {
      throw ArchiveFault("the file ends in the middle of its header", remedy: ArchiveReceipt.remedy)
    }
    return (header, line.bytes.count + 1)
  }

  private func readHeader(_ input: LineInput) throws {
    let (header, count) = try parsedHeader(input)
    if let first = self.header {
      guard header.id == first.id else {
        throw ArchiveFault(
          "it is part of a different archive",
          remedy: "pass the parts of one archive only, or import the archives one at a time"
        )
      }
      guard header.part == partCount + 1 || salvages else {
        throw ArchiveFault(
          header.part <= partCount
            ? "part \(header.part) appears twice" : "part \(partCount + 1) is missing"
        )
      }
    } else {
      guard header.part == 1 else {
        throw ArchiveFault(
          "it is part \(header.part) of an archive, but part 1 is missing",
          remedy: "pass all parts, in any order"
        )
      }
      self.header = header
      try taker.take(header)
    }
    byteCount += Int64(count)
  }

  /// The entity of the last objects.
  @exclusivity(unchecked) private var sumEntity = ""
  @exclusivity(unchecked) private var sum = ArchiveOutput.Sum()

  private func read(_ bytes: UnsafeRawBufferPointer, _ empty: UnsafeRawPointer) throws {
    var cursor = JSONReader(bytes, empty, depthLimit: limits.depth)
    switch try cursor.firstName(among: ["e", "blob", "end"]) {
    case 0:
      guard !blobs.isOpen else {
        throw ArchiveFault("a large value is missing its last piece: \(blobs.openHash.prefix(12))…")
      }
      let object = try taker.take(object: &cursor)
      try cursor.finish()
      if object.entity != sumEntity {
        sums[sumEntity] = sum
        sumEntity = object.entity
        sum = sums[sumEntity] ?? ArchiveOutput.Sum()
      }
      sum.checksum = CRC32.update(sum.checksum, bytes)
      sum.checksum = CRC32.updateLineFeed(sum.checksum)
      sum.links += object.links
      if !object.isMore {
        sum.objects += 1
        objectCount += 1
        guard objectCount <= limits.objectCount else {
          throw ArchiveFault(
            "it has more than \(limits.objectCount) objects",
            remedy: "if you trust the file, allow more: \(say: .maxObjects)"
          )
        }
      }
    case 1:
      try blobs.take(&cursor, taker)
      if !blobs.isOpen { blobCount += 1 }
    case 2:
      let tree = try cursor.value(limit: limits.treeCount)
      try cursor.finish()
      receipt = try ArchiveReceipt(tree)
      receiptPlace = byteCount
    default:
      // A line of a later minor version; it must still be valid JSON.
      guard header?.rejectCount != nil else {
        try cursor.skip()
        return try cursor.finish()
      }
      let tree = try cursor.value(limit: limits.treeCount)
      try cursor.finish()
      noteSkipped(tree)
    }
  }

  /// Records a line that names a rejected object without its content.
  private func noteSkipped(_ line: JSONValue) {
    guard let entity = line["entity"]?.string, let reason = line["reason"]?.string else { return }
    var object = entity
    if let file = line["file"]?.string { object += " of \(file)" }
    if let key = line["id"]?.integer { object += " p\(key)" }
    let code = line["code"]?.string.map { "\($0): " } ?? ""
    skipped.note(object, "the file contains only the reason, \(code)\(reason)")
  }

  /// The text about objects that the header declares but the archive lacks.
  var missingText: String {
    let counted = self.counted
    let missing = (header?.counts ?? []).compactMap { name, count -> String? in
      let there = counted[name]?.objects ?? 0
      return there < count ? "\(count - there) of \(count) \(name)" : nil
    }
    let lines = badLineCount > 0 ? ["\(badLineCount.counted("line")) cannot be read"] : []
    return (lines + missing).joined(separator: ", ")
  }

  /// The totals of the lines, by entity.
  var counted: [String: ArchiveOutput.Sum] {
    var counted = sums
    counted[sumEntity] = sum
    counted[""] = nil
    return counted
  }

  /// Throws unless all parts were read and match the receipt.
  package func finish(_ place: String) throws(DecantError) {
    guard damage == nil else { return }
    do throws(ArchiveFault) {
      guard let receipt else {
        throw ArchiveFault(
          partCount > 1
            ? "the last part is missing or truncated: none of the \(partCount) parts has the receipt"
            : "the archive is truncated: its last line, the receipt, is missing",
          remedy: ArchiveReceipt.remedy
        )
      }
      try receipt.check(
        counted,
        parts: partCount,
        blobs: blobCount,
        byteCount: receiptPlace,
        isMendable: header?.rejectCount != nil
      )
    } catch {
      let told = error.error(place, line: nil)
      guard salvages else { throw told }
      damage = told
    }
  }
}
