internal import Synchronization

/// The path from the object of a condition to one of its properties, or to a property of a related object.
package struct FieldPath: Hashable, Sendable {
  /// The condition on related objects that the path starts in: 0 for the requested object.
  var scope = 0
  /// The to-one relationships to follow to the object that has the property.
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

  /// Returns the path extended by the to-one relationship `name`.
  func following(_ name: String) -> FieldPath {
    FieldPath(scope: scope, steps: steps + [name])
  }

  /// Returns the path to the object of a new condition on related objects, with a scope of its own.
  static func linked() -> FieldPath {
    FieldPath(scope: scopes.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  private static let scopes = Atomic<Int>(0)
}
