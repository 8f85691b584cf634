/// One stream of plain bytes in what a `ContainerReader` reads.
public struct ContainerMember: Sendable, Hashable {
  /// The name exactly as the innermost zip around it stores it, or `nil` where no zip is.
  ///
  /// It is data of a stranger: it may be empty, climb out of a folder, hold zeros, or occur twice. It is
  /// never a path to open.
  public let nameBytes: [UInt8]?

  /// How many layers of packing lie around its bytes: 0 for a plain file.
  public let depth: Int

  /// The name as text for a person to read; what is no UTF-8 is replaced.
  public var name: String? { nameBytes.map { String(decoding: $0, as: UTF8.self) } }
}
