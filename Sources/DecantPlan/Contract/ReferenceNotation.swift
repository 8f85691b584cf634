/// A reference to an object of another store.
package enum ObjectReference: Sendable, Hashable {
  /// The object with `key` among those of `entity` in the store with that identifier.
  case object(store: String, entity: String, key: Int64)
  /// An object that had no key yet when the reference was written.
  case temporary
}

/// The notation of references that contain store, entity and key in one text.
///
/// The engine repoints references without knowing their notation; the kind of store that they refer to defines it.
package protocol ReferenceNotation: Sendable {
  /// Parses a reference; `nil` for any other text.
  func reference(in text: String) -> ObjectReference?

  /// Returns the text of the reference to an object.
  func text(store: String, entity: String, key: Int64) -> String
}
