internal import DecantBase

extension EntityReport.Pairing {
  /// The way of matching and the number of objects: “by uuid (found), 12”.
  var text: String {
    let what =
      switch way {
      case .identity:
        (names.isEmpty ? "identity" : names.joined(separator: ", ")) + (isFound ? " (found)" : "")
      case .key: "key, same lineage (--no-lineage turns this off)"
      case .content: "content"
      case .owner: "owner"
      case .likeness: names.joined(separator: ", ")
      }
    return "by \(what), \(count.grouped)"
  }
}
