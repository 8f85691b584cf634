internal import DecantBase
internal import DecantPlan

/// Named parts of a store.
extension MappingReader {
  /// Reads `share`.
  mutating func readShares(_ shares: Member) throws(DecantError) {
    for member in try map(shares) { mapping.shares.append(try share(member)) }
  }

  private func share(_ share: Member) throws(DecantError) -> Mapping.Share {
    var read = Mapping.Share(share.key)
    for (key, member) in try members(of: share, by: MappingKeys.Share.self) {
      switch key {
      case .roots:
        for root in try map(member) {
          read.roots.append(Mapping.Root(root.key, try expression(root)))
        }
      case .strip:
        for name in try names(member) { read.stripped.append(try path(name, "attribute")) }
      case .max:
        for (key, bound) in try members(of: member, by: MappingKeys.Bounds.self) {
          switch key {
          case .objects: read.maxObjects = try count(bound)
          case .bytes: read.maxBytes = try byteCount(bound)
          }
        }
      }
    }
    guard !read.roots.isEmpty else {
      throw mapping.mistake(
        "the share \(share.key.quoted) has no roots",
        at: share.key.mark,
        remedy: "write roots: { Entity: condition }"
      )
    }
    return read
  }

  private func byteCount(_ member: Member) throws(DecantError) -> Int64 {
    if member.value.isNumber { return try count(member) }
    let text = try text(member, "a size")
    do throws(ByteCount.Mistake) {
      return try ByteCount.parse(text.text)
    } catch {
      throw mapping.mistake("\(member.key.quoted) is not a valid size", at: text.mark, remedy: error.message)
    }
  }
}
