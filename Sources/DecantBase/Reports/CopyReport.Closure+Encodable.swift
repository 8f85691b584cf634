extension CopyReport.Closure: Encodable {
  /// Encodes the included objects by distance and entity, and the rules.
  public func encode(to encoder: any Encoder) throws {
    let byDistance = Dictionary(grouping: levels, by: \.distance).sorted { $0.key < $1.key }
    let levels = byDistance.map { distance, levels in
      DocumentMembers([
        ("distance", distance), ("entities", DocumentMembers(levels.map { ($0.entity, $0) })),
      ])
    }
    let rules = rules.sorted { $0.key < $1.key }
    try DocumentMembers([
      ("depth", depth), ("levels", levels),
      ("rules", DocumentMembers(rules.map { ($0.key, $0.value.rawValue) })),
    ]).encode(to: encoder)
  }
}

extension CopyReport.Closure.Level: Encodable {
  /// Encodes the counts; distance and entity are encoded outside.
  public func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("objects", objectCount), ("bytes", byteCount)]).encode(to: encoder)
  }
}
