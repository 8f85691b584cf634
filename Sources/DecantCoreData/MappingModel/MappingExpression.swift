package import DecantBase

/// An expression of a mapping model: Foundation's `NSExpression`, as far as mapping models are made of them.
package indirect enum MappingExpression: Sendable, Hashable {
  /// A value that is the same for every object.
  case constant(Value)
  /// A class, by its name: what functions that are not the migration's own are called on.
  case constantClass(String)
  /// The object that an expression is about.
  case itself
  /// `$source`, `$manager` and the like, without the dollar sign.
  case variable(String)
  /// What `of` has under these names, one after the other.
  case keyPath(of: MappingExpression, [String])
  /// What `on` answers to a message.
  case function(on: MappingExpression, String, [MappingExpression])
  /// The objects that a fetch request finds.
  case fetch(MappingExpression, context: MappingExpression, countsOnly: Bool)
  /// Several values.
  case list([MappingExpression])
  /// Anything else, by what Foundation calls it.
  case other(String)
}

extension MappingExpression {
  /// `$source`, the object that becomes another one.
  static let source = MappingExpression.variable("source")
  /// `$manager`, which knows what became of which object.
  static let manager = MappingExpression.variable("manager")

  /// The names that lead from `$source` to what this is; empty for `$source` itself, `nil` for anything else.
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

  /// The objects of `entity` that meet `predicate`, as Xcode has them fetched.
  static func objects(of entity: String, where predicate: String) -> MappingExpression {
    .fetch(
      .function(on: .manager, Selector.fetch, [.constant(.text(entity)), .constant(.text(predicate))]),
      context: .keyPath(of: .manager, ["sourceContext"]),
      countsOnly: false
    )
  }

  /// The messages to `$manager` that mapping models send.
  enum Selector {
    static let fetch = "fetchRequestForSourceEntityNamed:predicateString:"
    static let fetchWithSubentities = fetch + "includesSubentities:"
    static let throughMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
    static let throughRelationship =
      "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  }
}

extension MappingExpression: CustomStringConvertible {
  /// The expression as Xcode shows it: `$source.title`, `FUNCTION($manager, "…", $source.steps)`.
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
