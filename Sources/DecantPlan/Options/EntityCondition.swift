public import DecantBase

/// A condition for the objects of an entity to be copied.
public struct EntityCondition: Sendable, Hashable {
  /// The entity, which includes all its subentities.
  public var entity: String
  /// SQL on the entity's attribute names, such as `rating >= 4`.
  public var expression: String
  /// Its origin in a mapping file; `nil` for one of the command line.
  package var origin: Origin?
  /// The option that gave the condition, if that option appeared among those of another one.
  package var option: DecantError.Option?

  /// The text in a mapping file of a condition with inserted parameters.
  package struct Origin: Sendable, Hashable {
    package var place: String
    var text: String
  }

  /// Creates a condition, which is checked when the copy is planned.
  public init(entity: String, expression: String) {
    self.entity = entity
    self.expression = expression
  }

  /// Creates a condition with question marks for values, which are never interpreted as SQL.
  ///
  /// - Parameters:
  ///   - entity: The entity, which includes all its subentities.
  ///   - expression: SQL on the entity's attribute names, such as `title = ? AND rating >= ?`.
  ///   - arguments: A value for each question mark, in order.
  /// - Throws: `DecantError` with code `.usage` if the number of arguments is wrong, or a number has no SQL literal.
  public init(_ entity: String, _ expression: String, arguments: [StoreValue]) throws(DecantError) {
    self.init(entity: entity, expression: try BoundExpression(expression).binding(arguments))
  }
}
