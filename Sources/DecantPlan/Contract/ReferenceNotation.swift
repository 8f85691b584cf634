/// An object of some store as another store names it.
public enum ObjectReference: Sendable, Hashable {
  /// The object that has `key` among those of `entity` in the store with that identifier.
  case object(store: String, entity: String, key: Int64)
  /// An object that had no key yet when it was named.
  case temporary
}

/// How references are written that name store, entity and key in one text.
///
/// The engine re-points references without knowing what they look like; the kind of store whose objects
/// they name knows.
public protocol ReferenceNotation: Sendable {
  /// Reads a reference; `nil` for a text that is none.
  func reference(in text: String) -> ObjectReference?

  /// Writes the reference to an object.
  func text(store: String, entity: String, key: Int64) -> String
}
