public import DecantBase

/// An object of a store, by the name of its entity and its key.
public struct SharedObject: Sendable, Hashable {
  /// The entity's name; any in the line from the root to the object's own names the same object.
  public var entity: String
  /// The key that the object has in its table.
  public var key: Int64

  /// Names an object; nothing is looked up.
  public init(_ entity: String, _ key: Int64) {
    self.entity = entity
    self.key = key
  }
}

/// What a reader may see of an object.
public enum SharedVisibility: Sendable, Hashable {
  /// All of it.
  case shown
  /// Only what it is called, where others lead to it.
  case named
  /// Nothing, not even that it is there.
  case hidden
}

/// The order of the objects that a page is about.
public enum SharedOrder: Sendable, Hashable {
  /// As they were named; of all objects of a store by their own order or their titles.
  case given
  /// By their titles.
  case titles
  /// In chapters by the first category of each, and by their titles there.
  case chapters
}

/// What of a store is shared: what a page or a mail is about, and what does not leave.
public struct SharedScope {
  /// The objects it is about, in this order; with none, it is about all that the store holds.
  ///
  /// What is part of them, deleted with them by the model, is shown within them.
  public var objects: [SharedObject]
  /// In which order the objects come.
  public var order: SharedOrder = .given
  /// Attributes and relationships that do not leave.
  public var leavingOut: Set<Property>
  /// What may be seen of an object, which is named by its root entity; `nil` for all of every one.
  ///
  /// Asked whenever an object is met, so several times for the same one.
  public var visibility: ((SharedObject) throws(DecantError) -> SharedVisibility)?

  /// Shares `objects`, or everything where there are none.
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

/// Takes bytes as they come; they are gone when it returns.
public typealias ByteTaker = (UnsafeRawBufferPointer) throws(DecantError) -> Void

/// Gives bytes piece by piece to the taker that it is called with, and returns after the last.
public typealias ByteGiver = (_ take: ByteTaker) throws(DecantError) -> Void
