public import DecantBase

/// An object of a store, by the name of its entity and its key.
public struct SharedObject: Sendable, Hashable {
  /// The entity's name; the name of any ancestor identifies the same object.
  public var entity: String
  /// The key of the object in its table.
  public var key: Int64

  /// Names an object, without checking that it exists.
  public init(_ entity: String, _ key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// What a reader may see of an object.
public enum SharedVisibility: Sendable, Hashable {
  /// All of it.
  case shown
  /// Only its title, where others link to it.
  case named
  /// Nothing, not even its existence.
  case hidden
}

/// The order of the subjects of a page.
public enum SharedOrder: Sendable, Hashable {
  /// As given; for all objects of a store, in their own order or by title.
  case given
  /// By their titles.
  case titles
  /// In chapters by the first category of each, and by title within these.
  case chapters
}

/// The part of a store that is shared: the subjects of a page or a mail, and the properties that are left out.
public struct SharedScope {
  /// The subjects in this order; if empty, all objects of the store.
  ///
  /// Their parts, which the model deletes with them, are shown within them.
  public var objects: [SharedObject]
  /// The order of the objects.
  public var order: SharedOrder = .given
  /// Attributes and relationships that are not shared.
  public var leavingOut: Set<Property>
  /// Returns how much of an object, named by its root entity, may be seen; `nil` for everything.
  ///
  /// It is called whenever an object is encountered, perhaps several times for the same one.
  public var visibility: ((SharedObject) throws(DecantError) -> SharedVisibility)?

  /// Shares `objects`, or everything if there are none.
  public init(
    objects: [SharedObject] = [],
    leavingOut: Set<Property> = [],
    visibility: ((SharedObject) throws(DecantError) -> SharedVisibility)? = nil
  ) {
    self.objects = objects
    self.leavingOut = leavingOut
    self.visibility = visibility
  }
}

/// Receives bytes as they come; they are valid until it returns.
public typealias ByteTaker = (UnsafeRawBufferPointer) throws(DecantError) -> Void

/// Supplies bytes piece by piece to the given closure, and returns after the last.
public typealias ByteGiver = (_ take: ByteTaker) throws(DecantError) -> Void
