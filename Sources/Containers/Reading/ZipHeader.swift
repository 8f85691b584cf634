/// What stands before a member of a zip (APPNOTE 6.3.10, 4.3.7).
struct ZipHeader {
  static let signature = 0x0403_4B50

  let flags: Int
  let method: Int
  let checksum: Int
  let name: [UInt8]
  /// The sizes as told; not to be believed, and unknown as yet where they follow the member.
  let packedCount: Int
  let plainCount: Int
  /// Why the member cannot be unpacked, whatever is in it.
  let fault: ContainerError?

  /// Whether checksum and sizes follow the member.
  var hasDescriptor: Bool { flags & 1 << 3 != 0 }

  /// Reads one, whose signature is ahead.
  init(_ input: BufferedInput) throws(ContainerError) {
    let place = input.position
    let fixed = try input.take(30, of: "the header of a member of a zip")
    flags = fixed.number16(at: 6)
    method = fixed.number16(at: 8)
    checksum = fixed.number32(at: 14)
    name = try input.take(fixed.number16(at: 26), of: "the name of a member of a zip")
    let extra = try input.take(fixed.number16(at: 28), of: "the header of a member of a zip")
    var counts = [fixed.number32(at: 22), fixed.number32(at: 18)]
    ZipHeader.widen(&counts, by: extra)
    (plainCount, packedCount) = (counts[0], counts[1])
    // Encrypted, strongly so, or with its headers masked.
    if flags & (1 | 1 << 6 | 1 << 13) != 0 {
      fault = .encrypted(at: place)
    } else if method != 0 && method != 8 {
      fault = .unsupported("compression method \(method) in a zip", at: place)
    } else {
      fault = nil
    }
  }

  /// Puts the 64-bit numbers of `extra` where numbers have no room in 32.
  static func widen(_ numbers: inout [Int], by extra: [UInt8]) {
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
