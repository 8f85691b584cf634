/// Base64 (RFC 4648, with padding), straight from memory to memory.
package enum Base64 {
  /// Two characters for every twelve bits.
  private static let pairs: [UInt16] = {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return (0..<4096).map { bits in
      UInt16(littleEndian: UInt16(alphabet[bits >> 6]) | UInt16(alphabet[bits & 63]) << 8)
    }
  }()

  /// Six bits for every character; 0xff for what is none.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xff, count: 256)
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// Writes `bytes` to `output`, which has room for four characters for every three bytes begun.
  static func encode(_ bytes: UnsafeRawBufferPointer, to output: UnsafeMutableRawPointer) {
    pairs.withUnsafeBufferPointer { pairs in
      var place = output
      var position = 0
      while position + 3 <= bytes.count {
        let word =
          Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
        place.storeBytes(of: pairs[word >> 12], as: UInt16.self)
        (place + 2).storeBytes(of: pairs[word & 0xfff], as: UInt16.self)
        place += 4
        position += 3
      }
      let rest = bytes.count - position
      guard rest > 0 else { return }
      let word = Int(bytes[position]) << 16 | (rest == 2 ? Int(bytes[position + 1]) << 8 : 0)
      place.storeBytes(of: pairs[word >> 12], as: UInt16.self)
      (place + 2).storeBytes(of: pairs[word & 0xfff], as: UInt16.self)
      (place + 3).storeBytes(of: 0x3d, as: UInt8.self)
      if rest == 1 { (place + 2).storeBytes(of: 0x3d, as: UInt8.self) }
    }
  }

  /// Returns `bytes` in base64.
  package static func text(of bytes: [UInt8]) -> String {
    bytes.withUnsafeBytes { bytes in
      String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { text in
        guard let start = text.baseAddress, bytes.count > 0 else { return 0 }
        Base64.encode(bytes, to: start)
        return (bytes.count + 2) / 3 * 4
      }
    }
  }

  /// Replaces `output` by the bytes that `text` stands for; false where it is no base64.
  ///
  /// One way of writing only: padded, without blanks, unused bits zero.
  static func decode(_ text: UnsafeRawBufferPointer, to output: inout [UInt8]) -> Bool {
    guard text.count % 4 == 0, text.count > 0 else {
      output.removeAll(keepingCapacity: true)
      return text.count == 0
    }
    let padding = text[text.count - 1] != 0x3d ? 0 : text[text.count - 2] != 0x3d ? 1 : 2
    let size = text.count / 4 * 3 - padding
    var isValid = true
    // Every byte is written below: what is there of an earlier text need not be cleared.
    if output.count > size {
      output.removeLast(output.count - size)
    } else {
      output.append(contentsOf: [UInt8](repeating: 0, count: size - output.count))
    }
    output.withUnsafeMutableBufferPointer { output in
      values.withUnsafeBufferPointer { values in
        var place = 0
        let whole = padding == 0 ? text.count : text.count - 4
        var bad: UInt8 = 0
        var position = 0
        while position < whole {
          let (a, b) = (values[Int(text[position])], values[Int(text[position + 1])])
          let (c, d) = (values[Int(text[position + 2])], values[Int(text[position + 3])])
          bad |= a | b | c | d
          output[place] = a << 2 | (b & 0x3f) >> 4
          output[place + 1] = b << 4 | (c & 0x3f) >> 2
          output[place + 2] = c << 6 | (d & 0x3f)
          place += 3
          position += 4
        }
        isValid = bad < 0x40
        guard padding > 0 else { return }
        let (a, b) = (values[Int(text[position])], values[Int(text[position + 1])])
        let c = padding == 1 ? values[Int(text[position + 2])] : 0
        guard a < 64, b < 64, c < 64 else { return isValid = false }
        output[place] = a << 2 | b >> 4
        if padding == 1 {
          output[place + 1] = b << 4 | c >> 2
          if c & 3 != 0 { isValid = false }
        } else if b & 15 != 0 {
          isValid = false
        }
      }
    }
    return isValid
  }
}
