/// The members that a zip was seen to have, and the directory at its end that has to agree.
struct ZipDirectory {
  /// What is kept of a member: not its name, which may be long, but the name's checksum.
  private struct Entry: Hashable {
    let name: UInt32
    let nameCount: Int
    let method: Int
    let checksum: Int
    let packedCount: Int
    let plainCount: Int
  }

  private var entries: [Int: Entry] = [:]

  /// Takes up a member that was read to its end, with its place in the zip.
  mutating func add(_ member: ZipMemberSource, at place: Int) {
    entries[place] = Entry(
      name: Deflate.crc32(member.header.name),
      nameCount: member.header.name.count,
      method: member.header.method,
      checksum: member.checksum,
      packedCount: member.packedCount,
      plainCount: member.plainCount
    )
  }

  /// Reads everything that follows the last member, and throws unless it fits what was taken up.
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
      // These numbers may then be left out below.
      expected = []
    }
    let end = try input.take(22, of: what)
    guard end.number32(at: 0) == 0x0605_4B50 else {
      throw .damaged("what follows the members of a zip is not of a zip", at: input.position - 22)
    }
    let stored = [
      end.number16(at: 8), end.number16(at: 10), end.number32(at: 12), end.number32(at: 16),
    ]
    guard expected.isEmpty || stored == expected else {
      throw .damaged("the end of a zip does not fit its directory", at: input.position - 22)
    }
    _ = try input.take(end.number16(at: 20), of: "the comment of a zip")
    try input.expectEnd(after: "a zip")
  }

  /// Reads one entry, and strikes the member off that it is of.
  private mutating func checkEntry(_ input: BufferedInput) throws(ContainerError) {
    let what = "the directory of a zip"
    let place = input.position
    let fixed = try input.take(46, of: what)
    let name = try input.take(fixed.number16(at: 28), of: what)
    let extra = try input.take(fixed.number16(at: 30), of: what)
    _ = try input.take(fixed.number16(at: 32), of: what)
    var numbers = [fixed.number32(at: 24), fixed.number32(at: 20), fixed.number32(at: 42)]
    ZipHeader.widen(&numbers, by: extra)
    let entry = Entry(
      name: Deflate.crc32(name),
      nameCount: name.count,
      method: fixed.number16(at: 10),
      checksum: fixed.number32(at: 16),
      packedCount: numbers[1],
      plainCount: numbers[0]
    )
    guard entries.removeValue(forKey: numbers[2]) == entry else {
      throw .damaged("the directory of a zip does not fit its members", at: place)
    }
  }
}
