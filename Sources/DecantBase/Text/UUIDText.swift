extension [UInt8] {
  /// The sixteen bytes as the text of a UUID, in upper case.
  package var uuidText: String {
    var text = ""
    for (index, byte) in enumerated() {
      if [4, 6, 8, 10].contains(index) { text += "-" }
      text += byte.hex.uppercased()
    }
    return text
  }

  /// Parses the text of a UUID in upper or lower case; `nil` for any other text.
  package init?(uuidText: String) {
    let groups = uuidText.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.map(\.utf8.count) == [8, 4, 4, 4, 12] else { return nil }
    let digits = Array(groups.joined().utf8)
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: digits.count, by: 2) {
      // UInt8(_:radix:) would accept a sign.
      let pair = String(decoding: digits[index..<index + 2], as: UTF8.self)
      guard pair.allSatisfy(\.isHexDigit), let byte = UInt8(pair, radix: 16) else { return nil }
      bytes.append(byte)
    }
    self = bytes
  }
}
