/// One gzip member (RFC 1952) without a name or a time, so that the same bytes give the same file.
final class GzipEncoder: StreamEncoder {
  private let output: OutputDescriptor
  private let deflate: DeflateEncoder
  private let level: Int
  private var hasHeader = false

  init(_ output: OutputDescriptor, level: Int) throws(ContainerError) {
    self.output = output
    self.level = level
    deflate = try DeflateEncoder(output, level: level)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(ContainerError) {
    try writeHeader()
    try deflate.write(bytes)
  }

  func pad(_ byteCount: Int) throws(ContainerError) { try deflate.pad(byteCount) }

  func finish() throws(ContainerError) {
    try writeHeader()
    try deflate.finish()
    var trailer: [UInt8] = []
    trailer.append(littleEndian: [(4, Int(deflate.checksum)), (4, deflate.byteCount)])
    try output.write(trailer)
  }

  private func writeHeader() throws(ContainerError) {
    guard !hasHeader else { return }
    hasHeader = true
    // Magic bytes, deflate, no flags, no time, whether it is the fastest or smallest level, no system.
    let effort: UInt8 = level == 1 ? 4 : level == 9 ? 2 : 0
    try output.write([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, effort, 255])
  }
}

extension OutputDescriptor {
  /// Writes all of `bytes`.
  func write(_ bytes: [UInt8]) throws(ContainerError) {
    let result = bytes.withUnsafeBytes { bytes -> Result<Void, ContainerError> in
      do throws(ContainerError) { return .success(try write(bytes)) } catch {
        return .failure(error)
      }
    }
    try result.get()
  }
}
