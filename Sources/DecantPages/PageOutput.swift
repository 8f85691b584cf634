internal import DecantBase

/// Buffers output and passes it on in large pieces.
final class PageOutput {
  private let receive: (UnsafeRawBufferPointer) throws(DecantError) -> Void
  private var buffer: [UInt8] = []
  private static let limit = 1 << 16

  /// Passes everything on to `receive`.
  init(_ receive: @escaping (UnsafeRawBufferPointer) throws(DecantError) -> Void) {
    self.receive = receive
    buffer.reserveCapacity(PageOutput.limit + 4096)
  }

  /// Writes `text` unchanged.
  func write(_ text: String) throws(DecantError) {
    buffer.append(contentsOf: text.utf8)
    if buffer.count >= PageOutput.limit { try flush() }
  }

  /// Writes `bytes` unchanged.
  func write(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    guard bytes.count < PageOutput.limit else {
      try flush()
      return try receive(bytes)
    }
    buffer.append(contentsOf: bytes)
    if buffer.count >= PageOutput.limit { try flush() }
  }

  /// Writes one byte.
  func write(_ byte: UInt8) throws(DecantError) {
    buffer.append(byte)
    if buffer.count >= PageOutput.limit { try flush() }
  }

  /// Passes the buffered bytes on.
  func flush() throws(DecantError) {
    guard !buffer.isEmpty else { return }
    let full = buffer
    buffer.removeAll(keepingCapacity: true)
    try full.lend(receive)
  }
}
