internal import DecantBase

/// A part of a model that may have had another name in an earlier version.
package protocol Renamable {
  /// What the model calls it.
  var name: String { get }
  /// The name it goes by through all versions, where the developer gave one.
  var renamingIdentifier: String? { get }
}

extension Entity: Renamable {}
extension Attribute: Renamable {}
extension Relationship: Renamable {}

extension Renamable {
  /// The name that stays the same through all versions: V1 `a`, V2 `b` with identifier `a`, V3 `c` with
  /// identifier `a` are one thing.
  var lastingName: String { renamingIdentifier ?? name }

  /// Whether the model says that this is what `earlier` was in another version.
  package func continues(_ earlier: any Renamable) -> Bool {
    lastingName == earlier.name || lastingName == earlier.renamingIdentifier
  }
}

/// Which parts of two versions of a model are the same.
///
/// What a developer says with a renaming identifier comes before a name that merely is the same, so that two
/// attributes can change places.
enum Renaming {
  /// Pairs parts of `destination` with those of `source`, each once.
  ///
  /// - Parameters:
  ///   - source: The parts of the earlier model; no two have one name.
  ///   - destination: Those of the later one.
  /// - Returns: For each index of `destination` that found one, the index in `source`.
  static func pairs<Part: Renamable>(_ source: [Part], _ destination: [Part]) -> [Int: Int] {
    let names = index(source) { $0.name }
    let lastingNames = index(source) { $0.lastingName }
    var pairs: [Int: Int] = [:]
    var taken: Set<Int> = []
    func take(_ find: (Part) -> Int?) {
      for (position, part) in destination.enumerated() where pairs[position] == nil {
        guard let found = find(part), taken.insert(found).inserted else { continue }
        pairs[position] = found
      }
    }
    take { part in
      names[part.name].flatMap { source[$0].lastingName == part.lastingName ? $0 : nil }
    }
    take { lastingNames[$0.lastingName] }
    take { names[$0.lastingName] }
    take { names[$0.name] }
    return pairs
  }

  private static func index<Part>(_ parts: [Part], by key: (Part) -> String) -> [String: Int] {
    Dictionary(parts.enumerated().map { (key($1), $0) }) { first, _ in first }
  }
}
