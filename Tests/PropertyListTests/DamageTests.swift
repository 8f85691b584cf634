import Foundation
import DecantPropertyList
import Testing

/// Bytes of base64 text that may be broken into lines.
func bytes(base64: String) -> [UInt8] {
  Data(base64Encoded: base64, options: .ignoreUnknownCharacters).map { [UInt8]($0) } ?? []
}

/// A binary property list of the given objects, with one-byte offsets and references.
private func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
  var bytes = [UInt8]("bplist00".utf8)
  var offsets: [UInt8] = []
  for object in objects {
    offsets.append(UInt8(bytes.count))
    bytes += object
  }
  let table = UInt8(bytes.count)
  let zeros = [UInt8](repeating: 0, count: 7)
  return bytes + offsets + zeros.dropLast() + [1, 1] + zeros + [UInt8(objects.count)] + zeros
    + [top] + zeros + [table]
}

@Suite struct DamageTests {
  private static let whole = [bytes(base64: Samples.binary), bytes(base64: Samples.archive)]

  @Test(arguments: whole) func `a flipped byte is an error or a value`(_ whole: [UInt8]) {
    for position in whole.indices {
      for mask: UInt8 in [0xFF, 0x80, 0x0F, 0x01, 0x10] {
        var damaged = whole
        damaged[position] ^= mask
        guard let list = try? PropertyList.read(damaged) else { continue }
        _ = try? KeyedArchive(list).root?.everything(depth: 8)
      }
    }
  }

  @Test(arguments: whole) func `every truncation is an error`(_ whole: [UInt8]) {
    for count in whole.indices {
      #expect(throws: PropertyListError.self) { try PropertyList.read([UInt8](whole[..<count])) }
    }
  }

  @Test func `a flipped byte of XML is an error or a value`() {
    let whole = [UInt8](Samples.xml.utf8)
    for position in whole.indices {
      var damaged = whole
      damaged[position] ^= 0x15
      _ = try? PropertyList.read(damaged)
    }
  }

  @Test func `a value that contains itself is an error`() {
    for cycle in [[[0xA1, 0]], [[0xA1, 1], [0xD1, 2, 0], [0x51, 0x61]]] as [[[UInt8]]] {
      #expect(throws: PropertyListError.self) { try PropertyList.read(binary(cycle)) }
    }
  }

  @Test func `values that nest too deep are an error`() throws {
    let nested = (1...100).map { [0xA1, UInt8($0)] } + [[0x09 as UInt8]]
    #expect(throws: Never.self) { try PropertyList.read(binary(nested)) }
    #expect(throws: PropertyListError.self) {
      try PropertyList.read(binary(nested), limits: .init(depth: 99))
    }
  }

  @Test func `values that unfold without bound are an error`() {
    // Thirty arrays of ten times the next one: ten to the power of thirty values.
    let bomb =
      (1...15).map { [0xAA] + [UInt8](repeating: UInt8($0), count: 10) } + [[0x09 as UInt8]]
    #expect(throws: PropertyListError.self) {
      try PropertyList.read(binary(bomb), limits: .init(valueCount: 100_000))
    }
  }

  @Test func `values that overlap are an error`() {
    // Each of sixteen data objects holds the ones after it.
    let tail = (0..<16).map { [0x4F, 0x10, UInt8((15 - $0) * 3)] as [UInt8] }
    let array = [0xAF, 0x10, 16] + (1...16).map { UInt8($0) }
    #expect(throws: PropertyListError.self) { try PropertyList.read(binary([array] + tail)) }
  }

  @Test(
    arguments: [
      [0x00], [0x0F], [0x15, 1], [0x21, 0, 0], [0x70], [0xF0], [0xB0], [0x51, 0x80],
      [0xD1, 0, 0], [0x4F, 0x09], [0x6F, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255],
      [0xAF, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255],
      [0xDF, 0x13, 0x7F, 255, 255, 255, 255, 255, 255, 255],
      [0x4F, 0x13, 255, 255, 255, 255, 255, 255, 255, 255], [0x87, 255, 0, 0, 0, 0, 0, 0, 0],
      [0x14, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]]
  )
  func `an object that makes no sense is an error`(_ object: [UInt8]) {
    #expect(throws: PropertyListError.self) { try PropertyList.read(binary([object])) }
  }

  @Test func `a trailer that makes no sense is an error`() {
    let whole = binary([[0x09]])
    for position in (whole.count - 26)..<whole.count where whole[position] < 255 {
      var damaged = whole
      damaged[position] = 255
      #expect(throws: PropertyListError.self) { try PropertyList.read(damaged) }
    }
  }
}

extension KeyedArchive.Node {
  /// Asks an object for all it may stand for, and goes on with what it holds.
  fileprivate func everything(depth: Int) {
    _ = (string, integer, real, boolean, date, data, uuid, url, decimal, className, classNames)
    guard depth > 0 else { return }
    for node in elements ?? [] { node.everything(depth: depth - 1) }
    for (_, node) in entries ?? [] { node.everything(depth: depth - 1) }
    for key in keys { self[key]?.everything(depth: depth - 3) }
  }
}
