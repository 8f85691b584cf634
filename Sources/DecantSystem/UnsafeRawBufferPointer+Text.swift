extension UnsafeRawBufferPointer {
  /// Whether a byte is 0.
  package var containsNUL: Bool { baseAddress.map { memchr($0, 0, count) != nil } ?? false }

  /// Whether the bytes are valid UTF-8.
  package var isValidUTF8: Bool {
    withMemoryRebound(to: UInt8.self) { bytes in
      do {
        _ = try UTF8Span(validating: bytes.span)
        return true
      } catch {
        return false
      }
    }
  }
}
