public import DecantBase

/// A Swift type whose values are objects of a store: made by `decant generate swift`, or ``StoreRecord``.
public protocol StoredObject: Sendable {
  /// The fields for conditions and orders.
  associatedtype Fields: ObjectFields

  /// The attributes and to-one relationships that are read, in the order in which `init` expects them; `nil` for all.
  static var properties: [String]? { get }

  /// Takes the values of one object.
  ///
  /// - Throws: `DecantError` where a value is missing or does not fit its type.
  init(_ row: borrowing ObjectRow) throws(DecantError)
}

/// The objects of one entity of a model that was known when the type was made.
public protocol EntityObject: StoredObject {
  /// The entity's name in the model.
  static var entity: String { get }
}
