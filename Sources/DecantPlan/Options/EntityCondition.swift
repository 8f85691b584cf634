public import DecantBase

/// A condition that objects of an entity must meet to be copied.
public struct EntityCondition: Sendable, Hashable {
  /// The entity it holds for, and all below it.
  public var entity: String
  /// SQL over the entity's attribute names, such as `rating >= 4`.
  public var expression: String
  /// Where a mapping file has it, and as what; `nil` for one of the command line.
  package var origin: Origin?

  /// What a mapping file has in place of a condition whose parameters are filled in.
  package struct Origin: Sendable, Hashable {
    package var place: String
    var text: String
  }

  /// Makes a condition; it is checked when the copy is planned.
  public init(entity: String, expression: String) {
    self.entity = entity
    self.expression = expression
  }

  /// Makes a condition whose question marks stand for values: they never become anything but values.
  ///
  /// - Parameters:
  ///   - entity: The entity it holds for, and all below it.
  ///   - expression: SQL over the entity's attribute names, such as `title = ? AND rating >= ?`.
  ///   - arguments: A value for each question mark, in their order.
  /// - Throws: `DecantError` with code `.usage` where there are more or fewer of them, or a number that SQL cannot write.
  public init(_ entity: String, _ expression: String, arguments: [StoreValue]) throws(DecantError) {
    self.init(entity: entity, expression: try BoundExpression(expression).binding(arguments))
  }
}
