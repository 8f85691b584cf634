internal import DecantBase

/// A part of a model that may have had another name in an earlier version.
package protocol Renamable {
  /// Its name in this model.
  var name: String { get }
  /// The name that identifies it in all versions, if the developer set one.
  var renamingIdentifier: String? { get }
}

extension Entity: Renamable {}
extension Attribute: Renamable {}
extension Relationship: Renamable {}

extension Renamable {
  /// The name that stays the same in all versions.
  ///
  /// V1 `a`, V2 `b` with identifier `a` and V3 `c` with identifier `a` are the same thing.
  var lastingName: String { renamingIdentifier ?? name }

  /// Returns whether the model declares that this was `earlier` in another version.
  package func continues(_ earlier: any Renamable) -> Bool {
    lastingName == earlier.name || lastingName == earlier.renamingIdentifier
  }
}

/// The correspondence between the parts of two versions of a model.
///
/// A renaming identifier takes precedence over an equal name, so that two attributes can swap names.
enum Renaming {
  /// Pairs parts of `destination` with parts of `source`, each at most once.
  ///
  /// - Parameters:
  ///   - source: The parts of the earlier model, with distinct names.
  ///   - destination: The parts of the later model.
  /// - Returns: The index in `source` for each index of `destination` that has a match.
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
