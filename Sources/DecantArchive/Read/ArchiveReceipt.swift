internal import DecantBase
internal import DecantJSON

/// The last line of an archive: the totals of all lines before it.
package struct ArchiveReceipt {
  let parts: Int64
  /// By entity; `nil` if the writer gave none.
  let counts: [(String, Int64)]?
  let links: [(String, Int64)]?
  /// By entity; `nil` if the writer gave none.
  let checksums: [String: String]?
  let blobs: Int64?
  let byteCount: Int64?

  static let remedy: DecantError.Text = "\(again); \(say: .salvage) reads what is complete"
  /// The remedy if the archive was already read with salvaging.
  package static let again = "get it again from its source"

  init(_ json: JSONValue) throws(ArchiveFault) {
    guard json["end"]?.bool == true, let parts = json["parts"]?.integer else {
      throw ArchiveFault("the receipt does not give the number of parts")
    }
    self.parts = parts
    counts = try json["counts"].map { json throws(ArchiveFault) in
      try ArchiveHeader.numbers(json, "counts")
    }
    links = try json["links"].map { json throws(ArchiveFault) in
      try ArchiveHeader.numbers(json, "links")
    }
    if let hashes = json["hashes"] {
      var checksums: [String: String] = [:]
      for (entity, value) in hashes.members {
        guard let text = value.string else {
          throw ArchiveFault("a checksum in the receipt is not valid")
        }
        checksums[entity] = text
      }
      self.checksums = checksums
    } else {
      checksums = nil
    }
    blobs = json["blobs"]?.integer
    byteCount = json["bytes"]?.integer
  }

  /// Throws unless the totals match; those of a file that may be edited by hand can be missing.
  func check(
    _ sums: [String: ArchiveOutput.Sum],
    parts: Int64,
    blobs: Int64,
    byteCount: Int64,
    isMendable: Bool
  ) throws(ArchiveFault) {
    guard parts == self.parts else {
      throw ArchiveFault(
        "there are \(parts) parts, but the receipt lists \(self.parts)",
        remedy: "pass all parts, in any order"
      )
    }
    let counts = (self.counts ?? (isMendable ? nil : [])).map {
      Dictionary($0) { first, _ in first }
    }
    let links = (self.links ?? (isMendable ? nil : [])).map { Dictionary($0) { first, _ in first } }
    for entity in Set(sums.keys).union((counts ?? [:]).keys).sorted() {
      let sum = sums[entity] ?? ArchiveOutput.Sum()
      if let counts {
        try ArchiveReceipt.check(sum.objects, counts[entity] ?? 0, "objects of \(entity)")
      }
      if let links {
        try ArchiveReceipt.check(sum.links, links[entity] ?? 0, "links of \(entity)")
      }
      guard let checksums else { continue }
      guard let checksum = checksums[entity] else {
        guard sum.objects + sum.links == 0 else {
          throw ArchiveFault("the receipt has no checksum of \(entity)")
        }
        continue
      }
      guard checksum == ArchiveWriter.hex(sum.checksum) else {
        throw ArchiveFault(
          "the lines of \(entity) were changed: their checksum is wrong",
          remedy: ArchiveReceipt.remedy
        )
      }
    }
    if let expected = self.blobs { try ArchiveReceipt.check(blobs, expected, "large values") }
    if let expected = self.byteCount {
      try ArchiveReceipt.check(byteCount, expected, "bytes before the receipt")
    }
  }

  private static func check(_ count: Int64, _ expected: Int64, _ what: String) throws(ArchiveFault) {
    guard count != expected else { return }
    throw ArchiveFault("there are \(count) \(what), but the receipt says \(expected)", remedy: remedy)
  }
}
