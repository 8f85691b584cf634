package import DecantBase

/// An expression of a mapping model: the subset of Foundation's `NSExpression` that mapping models use.
package indirect enum MappingExpression: Sendable, Hashable {
  /// A value that is the same for every object.
  case constant(Value)
  /// A class by name, on which functions other than those of the migration are called.
  case constantClass(String)
  /// The object that the expression is evaluated for.
  case itself
  /// `$source`, `$manager` and the like, without the dollar sign.
  case variable(String)
  /// The value of a key path, starting at `of`.
  case keyPath(of: MappingExpression, [String])
  /// The result of a message to `on`.
  case function(on: MappingExpression, String, [MappingExpression])
  /// The result of a fetch request.
  case fetch(MappingExpression, context: MappingExpression, countsOnly: Bool)
  /// Several values.
  case list([MappingExpression])
  /// Any other expression, by its name in Foundation.
  case other(String)
}

extension MappingExpression {
  /// `$source`, the object being migrated.
  static let source = MappingExpression.variable("source")
  /// `$manager`, the migration manager, which knows the results of migrated objects.
  static let manager = MappingExpression.variable("manager")

  /// The key path from `$source`; empty for `$source` itself, `nil` for other expressions.
  var sourcePath: [String]? {
    switch self {
    case .source: []
    case .keyPath(of: .source, let names): names
    default: nil
    }
  }

  /// The text of a constant.
  var text: String? {
    if case .constant(.text(let text)) = self { text } else { nil }
  }

  /// Returns the objects of `entity` that meet `predicate`, in the form in which Xcode fetches them.
  static func objects(of entity: String, where predicate: String) -> MappingExpression {
    .fetch(
      .function(on: .manager, Selector.fetch, [.constant(.text(entity)), .constant(.text(predicate))]),
      context: .keyPath(of: .manager, ["sourceContext"]),
      countsOnly: false
    )
  }

  /// The messages that mapping models send to `$manager`.
  enum Selector {
    static let fetch = "fetchRequestForSourceEntityNamed:predicateString:"
    static let fetchWithSubentities = fetch + "includesSubentities:"
    static let throughMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    static let throughRelationship =
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  }
}

extension MappingExpression: CustomStringConvertible {
  /// The expression as Xcode displays it: `$source.title`, `FUNCTION($manager, "…", $source.steps)`.
  package var description: String {
    switch self {
    case .constant(let value): Self.text(of: value)
    case .constantClass(let name): name
    case .itself: "SELF"
    case .variable(let name): "$" + name
    case .keyPath(of: .itself, let names): names.joined(separator: ".")
    case .keyPath(of: let operand, let names): "\(operand).\(names.joined(separator: "."))"
    case .function(on: let operand, let selector, let arguments):
      "FUNCTION(\(([operand, .constant(.text(selector))] + arguments).listed))"
    case .fetch(let request, let context, let countsOnly):
      "FETCH(\([request, context].listed), \(countsOnly ? "YES" : "NO"))"
    case .list(let elements): "{\(elements.listed)}"
    case .other(let name): name
    }
  }

  private static func text(of value: Value) -> String {
    switch value {
    case .null: "nil"
    case .integer(let integer): "\(integer)"
    case .double(let double): "\(double)"
    case .date(let seconds): "CAST(\(seconds), \"NSDate\")"
    case .decimal(let digits): "CAST(\"\(digits)\", \"NSDecimalNumber\")"
    case .text(let text), .uri(let text): "\"\(text)\""
    case .uuid, .binary: "…"
    }
  }
}

extension [MappingExpression] {
  fileprivate var listed: String { map(\.description).joined(separator: ", ") }
}
