internal import DecantBase
internal import DecantPlan

/// Reads a mapping from the values of its file; each part has a file of its own.
struct MappingReader {
  typealias Member = MappingNode.Member
  typealias Word = Mapping.Word

  /// The version of mapping files that this program reads.
  static let version = "1"

  /// The part of the mapping read so far.
  var mapping: Mapping

  /// Reads a whole file.
  ///
  /// - Parameter root: Its root value.
  /// - Throws: `DecantError` of the family `.usage` for the first mistake.
  mutating func read(_ root: MappingNode) throws(DecantError) {
    if root.isNothing { return }
    guard case .map(let members) = root.content else {
      throw mapping.mistake(
        "a mapping must be a map, not \(root.kind)",
        at: root.mark,
        remedy: "start with a key, such as “entities:”"
      )
    }
    // A file of another version may have other keys, so that its version is checked first.
    for member in members where member.key.text == MappingKeys.Root.decant.rawValue {
      try checkVersion(member)
    }
    for (key, member) in try self.members(members, by: MappingKeys.Root.self) {
      switch key {
      case .decant: break
      case .contract: try readContract(member)
      case .defaults: try readDefaults(member)
      case .namespace: mapping.namespace = try uuid(member)
      case .entities: try readEntities(member)
      case .relationships: try readRelationships(member)
      case .share: try readShares(member)
      }
    }
  }

  private func checkVersion(_ member: Member) throws(DecantError) {
    guard member.value.isNumber, case .text(let text, _) = member.value.content else {
      throw wrongKind(member, "a number")
    }
    guard text == MappingReader.version else {
      throw mapping.mistake(
        "unsupported mapping version \(text.shortened)",
        at: member.value.mark,
        remedy: "this decant reads version \(MappingReader.version)"
      )
    }
  }

  private func uuid(_ member: Member) throws(DecantError) -> [UInt8] {
    let text = try text(member, "a UUID")
    guard let bytes = [UInt8](uuidText: text.text) else {
      throw mapping.mistake(
        "“\(member.key.text)” is not a UUID",
        at: text.mark,
        remedy: "write it as 6ba7b810-9dad-11d1-80b4-00c04fd430c8"
      )
    }
    return bytes
  }
}
