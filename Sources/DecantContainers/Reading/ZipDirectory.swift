/// The members read from a zip, to be compared with the directory at its end.
///
/// libarchive reads the members in stored order and does not return their names in the directory, so other programs
/// could see other members in the same file.
struct ZipDirectory {
  /// The recorded data of a member: a hash in place of its name, which may be long.
  private struct Entry {
    let name: Int
    let method: Int
    /// `nil` if the member was not read.
    let sums: Sums?
    let isBehindFolder: Bool
  }

  private struct Sums: Equatable {
    let checksum: Int
    let byteCount: Int
  }

  private var entries: [Int: Entry] = [:]

  /// Records a member that was read to its end or skipped, with its position in the zip.
  mutating func add(_ member: ArchiveMemberSource, at place: Int) {
    entries[place] = Entry(
      name: ZipDirectory.hash(member.name),
      method: member.method,
      sums: member.isChecked
        ? Sums(checksum: Int(member.checksum), byteCount: member.byteCount) : nil,
      isBehindFolder: member.isBehindFolder
    )
  }

  /// Reads the data after the last member, and throws unless it matches the recorded members.
  mutating func check(_ input: BufferedInput, origin: Int) throws(ContainerError) {
    let what = "the directory of a zip"
    let memberCount = entries.count
    let start = input.position - origin
    while try input.peek(4, of: what).number32(at: 0) == 0x0201_4B50 { try checkEntry(input) }
    guard entries.isEmpty else {
      throw .damaged("a member is missing in the directory of a zip", at: input.position)
    }
    let byteCount = input.position - origin - start
    if try input.peek(4, of: what).number32(at: 0) == 0x0505_4B50 {
      let signature = try input.take(6, of: what)
      _ = try input.take(signature.number16(at: 4), of: what)
    }
    let wide = input.position - origin
    var expected = [memberCount, memberCount, byteCount, start]
    if try input.peek(4, of: what).number32(at: 0) == 0x0606_4B50 {
      let size = try input.peek(12, of: what).number64(at: 4)
      guard (44..<65_536).contains(size) else {
        throw .damaged("the end of a zip has a wrong size", at: input.position)
      }
      let end = try input.take(12 + size, of: what)
      guard expected == [24, 32, 40, 48].map({ end.number64(at: $0) }) else {
        throw .damaged("the end of a zip does not fit its directory", at: input.position)
      }
      let locator = try input.take(20, of: what)
      guard locator.number32(at: 0) == 0x0706_4B50, locator.number64(at: 8) == wide else {
        throw .damaged("the end of a zip is not where it should be", at: input.position)
      }
      // These numbers may then be omitted below.
      expected = []
    }
    let end = try input.take(22, of: what)
    guard end.number32(at: 0) == 0x0605_4B50 else {
      throw .damaged("the data after the members of a zip is not part of a zip", at: input.position - 22)
    }
    let stored = [
      end.number16(at: 8), end.number16(at: 10), end.number32(at: 12), end.number32(at: 16),
    ]
    guard expected.isEmpty || stored == expected else {
      throw .damaged("the end of a zip does not fit its directory", at: input.position - 22)
    }
    let comment = try input.take(end.number16(at: 20), of: "the comment of a zip")
    // Other programs search for the end from the back, and would read a zip in the comment.
    guard !comment.indices.dropLast(3).contains(where: { comment.number32(at: $0) == 0x0605_4B50 }) else {
      throw .damaged("the comment of a zip contains the end of another zip", at: input.position)
    }
    try input.expectEnd(after: "a zip")
  }

  /// Reads one entry, and removes its member from the record.
  private mutating func checkEntry(_ input: BufferedInput) throws(ContainerError) {
    let what = "the directory of a zip"
    let place = input.position
    let fixed = try input.take(46, of: what)
    let name = try input.take(fixed.number16(at: 28), of: what)
    let extra = try input.take(fixed.number16(at: 30), of: what)
    _ = try input.take(fixed.number16(at: 32), of: what)
    var numbers = [fixed.number32(at: 24), fixed.number32(at: 20), fixed.number32(at: 42)]
    ZipDirectory.widen(&numbers, by: extra)
    let sums = Sums(checksum: fixed.number32(at: 16), byteCount: numbers[0])
    // The checksum and sizes of a folder may come before it, in one of their forms.
    let start = [12, 16, 20, 24].map { numbers[2] - $0 }
      .first { entries[$0]?.isBehindFolder == true }
    guard let entry = entries.removeValue(forKey: start ?? numbers[2]),
      entry.name == ZipDirectory.hash(name), entry.sums == nil || entry.sums == sums,
      entry.method < 0 || entry.method == fixed.number16(at: 10)
    else { throw .damaged("the directory of a zip does not fit its members", at: place) }
  }

  /// Returns the same hash for names that libarchive makes equal: by Unicode composition and by `/` and `\`.
  private static func hash(_ name: [UInt8]) -> Int {
    String(decoding: name.map { $0 == 0x5C ? 0x2F : $0 }, as: UTF8.self).hashValue
  }

  /// Replaces numbers that do not fit into 32 bits by the 64-bit numbers of `extra`.
  private static func widen(_ numbers: inout [Int], by extra: [UInt8]) {
    var index = 0
    while index + 4 <= extra.count {
      let end = index + 4 + extra.number16(at: index + 2)
      guard end <= extra.count else { return }
      if extra.number16(at: index) == 1 {
        var field = index + 4
        for position in numbers.indices
        where numbers[position] == 0xFFFF_FFFF && field + 8 <= end {
          numbers[position] = extra.number64(at: field)
          field += 8
        }
        return
      }
      index = end
    }
  }
}
