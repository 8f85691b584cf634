extension String {
  /// The text with `***` for each password in an address: `scheme://user:PASSWORD@host`, what a message quotes of one as the
  /// last part of its path, `“user:PASSWORD@host”`, and `?password=PASSWORD` or another parameter whose name ends so.
  ///
  /// A place that a user named may be repeated in messages, reports and logs only as this has it.
  package var withoutPasswords: String {
    var bytes = Array(utf8)
    guard bytes.contains(UInt8(ascii: "@")) || bytes.contains(UInt8(ascii: "=")) else {
      return self
    }
    // From the end on, so that the places of what is in front stay.
    for range in (Self.userPasswords(in: bytes) + Self.parameters(in: bytes)).sorted(by: {
      $0.lowerBound > $1.lowerBound
    }) {
      bytes.replaceSubrange(range, with: "***".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Where the passwords behind the names of users are.
  private static func userPasswords(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var place = bytes.startIndex
    while let start = ["://", "“"].compactMap({
      bytes[place...].firstRange(of: Array($0.utf8))?.upperBound
    }).min() {
      let address = address(in: bytes, from: start)
      // In quotation marks the whole address may follow.
      if address.firstRange(of: Array("://".utf8)) != nil {
        place = start
        continue
      }
      place = address.endIndex
      let host = address.prefix { !Array("/?#".utf8).contains($0) }
      guard let colon = host.firstIndex(of: UInt8(ascii: ":")) else { continue }
      var end = host.lastIndex(of: UInt8(ascii: "@"))
      // Without an @ before the first slash it is the number of a port, or a password with a slash in it.
      let isPort = host[(colon + 1)...].allSatisfy { (48...57).contains($0) }
      if end == nil, !isPort { end = address.lastIndex(of: UInt8(ascii: "@")) }
      guard let end, end > colon + 1 else { continue }
      ranges.append(colon + 1..<end)
    }
    return ranges
  }

  /// Where the values of parameters are that hold a password.
  private static func parameters(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.indices.compactMap { mark in
      guard "?&;".utf8.contains(bytes[mark]) else { return nil }
      let name = bytes[(mark + 1)...].prefix { byte in
        (97...122).contains(byte | 0x20) || "_-0123456789".utf8.contains(byte)
      }
      guard name.endIndex < bytes.endIndex, bytes[name.endIndex] == UInt8(ascii: "="),
        ["password", "passwd", "pwd", "secret", "token"].contains(where: {
          String(decoding: name, as: UTF8.self).lowercased().hasSuffix($0)
        })
      else { return nil }
      let value = address(in: bytes, from: name.endIndex + 1).prefix { !"&;#".utf8.contains($0) }
      return value.isEmpty ? nil : value.startIndex..<value.endIndex
    }
  }

  /// What may belong to an address, from `start` on: up to white space or a quotation mark.
  private static func address(in bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    let end = bytes[start...].indices.first { place in
      bytes[place] <= 0x20 || "\"'<>`".utf8.contains(bytes[place])
        || bytes[place...].starts(with: "“".utf8) || bytes[place...].starts(with: "”".utf8)
    }
    return bytes[start..<(end ?? bytes.endIndex)]
  }
}
