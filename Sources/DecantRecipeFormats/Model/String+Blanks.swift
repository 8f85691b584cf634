internal import DecantBase

extension String {
  /// The lines of the text, trimmed, without empty ones.
  var filledLines: [String] {
    var text = self
    return text.withUTF8 { utf8 in
      var lines: [String] = []
      var start = 0
      var place = 0
      func take(_ end: Int) {
        guard start < end else { return }
        let line = String(decoding: utf8[start..<end], as: UTF8.self).trimmed
        if !line.isEmpty { lines.append(line) }
      }
      while place < utf8.count {
        let count = newline(utf8, at: place)
        if count > 0 {
          take(place)
          start = place + count
        }
        place += max(count, 1)
      }
      take(utf8.count)
      return lines
    }
  }
}

/// Returns the length in bytes of the line end at `place` of a UTF-8 text; 0 if there is none.
private func newline(_ text: UnsafeBufferPointer<UInt8>, at place: Int) -> Int {
  func byte(_ offset: Int) -> UInt8 { place + offset < text.count ? text[place + offset] : 0 }
  switch text[place] {
  case 0x0a...0x0d: return 1
  case 0xc2 where byte(1) == 0x85: return 2
  case 0xe2 where byte(1) == 0x80 && (byte(2) == 0xa8 || byte(2) == 0xa9): return 3
  default: return 0
  }
}
