extension String {
  /// The text with `***` for each password in an address.
  ///
  /// Passwords are recognised in `scheme://user:PASSWORD@host`, in `“user:PASSWORD@host”` if a message quotes the last
  /// part of its path, also with a percent-encoded colon or @, and in parameters whose names end in `password` or a similar word: `?password=PASSWORD`, or
  /// `host=db password=PASSWORD` in a list of words. Messages, reports and logs may repeat a place only in this form.
  package var withoutPasswords: String {
    var bytes = Array(utf8)
    guard bytes.contains(where: { "@=%".utf8.contains($0) }) else {
      return self
    }
    // From the end, so that earlier positions stay valid.
    for range in (Self.userPasswords(in: bytes) + Self.parameters(in: bytes)).sorted(by: {
      $0.lowerBound > $1.lowerBound
    }) {
      bytes.replaceSubrange(range, with: "***".utf8)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the positions of passwords after user names.
  private static func userPasswords(in bytes: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var place = bytes.startIndex
    while let start = ["://", "“"].compactMap({
      bytes[place...].firstRange(of: Array($0.utf8))?.upperBound
    }).min() {
      let address = address(in: bytes, from: start)
      // A quotation mark may precede the whole address.
      if address.firstRange(of: Array("://".utf8)) != nil {
        place = start
        continue
      }
      place = address.endIndex
      let host = address.prefix { !Array("/?#".utf8).contains($0) }
      guard let start = signs(UInt8(ascii: ":"), "%3a", in: host).first?.upperBound else { continue }
      var end = signs(UInt8(ascii: "@"), "%40", in: host).last?.lowerBound
      // Without an @ before the first slash it is a port, or a password that contains a slash.
      let isPort = host[start...].allSatisfy { (48...57).contains($0) }
      if end == nil, !isPort { end = address.lastIndex(of: UInt8(ascii: "@")) }
      guard let end, end > start else { continue }
      ranges.append(start..<end)
    }
    return ranges
  }

  /// Returns the positions of a character, which may be written in its percent encoding.
  private static func signs(_ sign: UInt8, _ encoding: String, in bytes: ArraySlice<UInt8>) -> [Range<Int>] {
    bytes.indices.compactMap { place in
      if bytes[place] == sign { return place..<place + 1 }
      let isEncoded = bytes[place...].prefix(3).map { (65...90).contains($0) ? $0 | 0x20 : $0 }.elementsEqual(
        encoding.utf8)
      return isEncoded ? place..<place + 3 : nil
    }
  }

  /// Returns the positions of parameter values that are passwords.
  private static func parameters(in bytes: [UInt8]) -> [Range<Int>] {
    bytes.indices.compactMap { mark in
      // 0x9C is the last byte of “.
      let isWord = bytes[mark] <= 0x20 || bytes[mark] == UInt8(ascii: ":") || bytes[mark] == 0x9c
      guard isWord || "?&;".utf8.contains(bytes[mark]) else { return nil }
      let name = bytes[(mark + 1)...].prefix { byte in
        (97...122).contains(byte | 0x20) || "_-0123456789".utf8.contains(byte)
      }
      // In a list of words, spaces may surround the sign, and quotation marks the value.
      let blank: (UInt8) -> Bool = { isWord && $0 == 0x20 }
      let sign = bytes[name.endIndex...].drop(while: blank).startIndex
      guard sign < bytes.endIndex, bytes[sign] == UInt8(ascii: "="),
        (isWord ? ["password", "passwd", "pwd"] : ["password", "passwd", "pwd", "secret", "token"]).contains(where: {
          String(decoding: name, as: UTF8.self).lowercased().hasSuffix($0)
        })
      else { return nil }
      let start = bytes[(sign + 1)...].drop(while: blank).startIndex
      if isWord, start < bytes.endIndex, bytes[start] == UInt8(ascii: "'") {
        let end = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "'")) ?? bytes.endIndex
        return end == start + 1 ? nil : start + 1..<end
      }
      let value = address(in: bytes, from: start).prefix { !"&;#".utf8.contains($0) }
      return value.isEmpty ? nil : value.startIndex..<value.endIndex
    }
  }

  /// Returns the possible characters of an address from `start`: up to white space or a quotation mark.
  private static func address(in bytes: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    let end = bytes[start...].indices.first { place in
      bytes[place] <= 0x20 || "\"'<>`".utf8.contains(bytes[place])
        || bytes[place...].starts(with: "“".utf8) || bytes[place...].starts(with: "”".utf8)
    }
    return bytes[start..<(end ?? bytes.endIndex)]
  }
}
