internal import Synchronization

/// A property of the object that a condition is about, or of one that it is linked to.
package struct FieldPath: Hashable, Sendable {
  /// The condition about linked objects whose object it is: 0 for the object that is asked for.
  var scope = 0
  /// The to-one relationships that lead to the object whose property it is.
  var steps: [String] = []
  /// The attribute or relationship; empty for the object itself.
  var name = ""

  func named(_ name: String) -> FieldPath {
    var path = self
    path.name = name
    return path
  }

  init(scope: Int = 0, steps: [String] = [], name: String = "") {
    (self.scope, self.steps, self.name) = (scope, steps, name)
  }

  /// The object that the to-one relationship `name` leads to.
  func following(_ name: String) -> FieldPath {
    FieldPath(scope: scope, steps: steps + [name])
  }

  /// An object of a condition about linked objects, which no other condition is about.
  static func linked() -> FieldPath {
    FieldPath(scope: scopes.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  private static let scopes = Atomic<Int>(0)
}
