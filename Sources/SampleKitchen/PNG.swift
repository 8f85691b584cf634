import DecantContainers

/// Packs pictures as PNG: eight bits of red, green and blue per pixel, no filter, no interlacing.
enum PNG {
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Returns the file of a picture whose rows of `width` pixels follow each other from the top.
  static func encode(_ pixels: [Color], width: Int) throws(ContainerError) -> [UInt8] {
    let height = pixels.count / width
    let header = bigEndian(width) + bigEndian(height) + [8, 2, 0, 0, 0]
    var rows: [UInt8] = []
    for row in 0..<height {
      // Every row begins with the number of its filter.
      rows.append(0)
      for pixel in pixels[(row * width)..<((row + 1) * width)] { rows += pixel.bytes }
    }
    let packed = try Deflate.deflate(rows, format: .zlib, level: 9)
    return signature + chunk("IHDR", header) + chunk("IDAT", packed) + chunk("IEND", [])
  }

  /// Returns a chunk: its length, its kind, its data and a checksum over the last two.
  private static func chunk(_ kind: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(kind.utf8) + data
    return bigEndian(data.count) + body + bigEndian(Int(Deflate.crc32(body)))
  }

  private static func bigEndian(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }
}
