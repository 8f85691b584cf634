internal import DecantBase

extension CopyReport.Conflict {
  /// The differences of an object that is known by its title, and the outcome, in words instead of column names.
  var difference: String {
    let words = ["fingerprint": "content", "page": "web address"]
    var names: [String] = []
    for name in properties.map({ words[$0] ?? $0 }) where !names.contains(name) { names.append(name) }
    let list = names.joined(separator: ", ")
    guard let isChanged else { return "matched by its content, but different in \(list)" }
    let kept = copy.map { ": both are kept, the other as \(entity) \($0)" } ?? ""
    return "\(list) \(isChanged ? "changed" : "added") on both sides\(kept)"
  }
}
