internal import DecantSystem

/// Converts text from an encoding known to the C library into UTF-8, piece by piece.
package final class Iconv {
  private let descriptor: iconv_t
  /// The beginning of a character that continues in the next piece.
  private var rest: [CChar] = []

  /// Begins a text; `nil` for an encoding that is unknown or not compatible with ASCII.
  package init?(_ name: String) {
    guard Self.knows(name), let descriptor = Self.open(name) else { return nil }
    self.descriptor = descriptor
  }

  deinit { iconv_close(descriptor) }

  /// Whether the C library knows an encoding by this name and the encoding is compatible with ASCII.
  package static func knows(_ name: String) -> Bool {
    guard name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") }),
      let descriptor = open(name)
    else { return false }
    defer { iconv_close(descriptor) }
    // In old Japanese encodings, these two ASCII characters have other meanings.
    let ascii = (UInt8(0x20)..<0x7f).filter { $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "~") }
    let input = ascii.map { CChar(bitPattern: $0) }
    var output: [UInt8] = []
    var place = 0
    return convert(descriptor, input, from: &place, into: &output) == nil && place == input.count
      && output == ascii
  }

  /// Decodes the next piece and adds it to `output`.
  ///
  /// - Parameters:
  ///   - piece: Bytes; the last character may continue in the next piece.
  ///   - isLast: Whether no piece follows.
  ///   - output: Receives the text in UTF-8, with U+FFFD for invalid bytes.
  /// - Returns: The number of invalid bytes.
  package func decode(_ piece: [UInt8], isLast: Bool, into output: inout [UInt8]) -> Int {
    rest.append(contentsOf: piece.lazy.map { CChar(bitPattern: $0) })
    var badCount = 0
    var place = 0
    defer { rest.removeFirst(place) }
    while let failure = Self.convert(descriptor, rest, from: &place, into: &output) {
      if failure == EINVAL, !isLast { return badCount }
      badCount += 1
      output += "\u{fffd}".utf8
      place = failure == EINVAL ? rest.count : place + 1
    }
    return badCount
  }

  private static func open(_ name: String) -> iconv_t? {
    let descriptor = iconv_open("UTF-8", name)
    return descriptor == iconv_t(bitPattern: -1) ? nil : descriptor
  }

  /// Converts as much of `input` as possible, advancing `place`; returns the reason it stopped, or `nil` at the end.
  private static func convert(
    _ descriptor: iconv_t,
    _ input: [CChar],
    from place: inout Int,
    into output: inout [UInt8]
  ) -> Int32? {
    var failure: Int32?
    let left = input[place...].withUnsafeBufferPointer { bytes in
      // `iconv` reads through this pointer and never writes; its declaration lacks the `const`.
      var source = UnsafeMutablePointer(mutating: bytes.baseAddress)
      var sourceCount = bytes.count
      withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
        repeat {
          var target = buffer.baseAddress
          var targetCount = buffer.count
          let result = iconv(descriptor, &source, &sourceCount, &target, &targetCount)
          failure = result == -1 ? errno : nil
          output.append(
            contentsOf: UnsafeRawBufferPointer(UnsafeBufferPointer(rebasing: buffer[..<(buffer.count - targetCount)]))
          )
        } while failure == E2BIG
      }
      return sourceCount
    }
    place = input.count - left
    return failure
  }
}
