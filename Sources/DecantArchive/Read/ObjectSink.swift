/// Where the members of an object's line go, one by one.
///
/// Names and values are lent until the next call.
protocol ObjectSink: AnyObject {
  /// Begins an object of the entity called `name`.
  func begin(_ name: UnsafeRawBufferPointer) throws
  /// Takes what names the object; an integer but for the owners of links in plain databases.
  func take(id: ArchivedValue) throws
  /// Takes how often the object was saved; `nil` where its column says nothing.
  func take(revision: Int64?) throws
  /// Takes a value of an attribute, or of a column that belongs to none.
  func take(
    _ value: ArchivedValue,
    _ place: ArchivedValue.Place,
    of name: UnsafeRawBufferPointer,
    isUnnamed: Bool
  ) throws
  /// Takes a link that stands in the object itself: to a target, or to an owner that has it in a list.
  func take(link: ArchivedLink, of name: UnsafeRawBufferPointer, isOwner: Bool) throws
  /// Takes why the object was rejected, in a file of such.
  func take(reject: ArchivedReject)
  /// Takes the next link of a list.
  func take(listed link: ArchivedLink, of name: UnsafeRawBufferPointer) throws
}

extension ObjectSink {
  func take(reject: ArchivedReject) {}
}

/// An object that is not in the archive, by what it is known by.
struct ArchivedReference {
  var entity: [UInt8] = []
  var key: [(name: [UInt8], value: Value)] = []

  /// A value that is kept.
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case bytes([UInt8])
  }
}

/// A link as a line tells it.
struct ArchivedLink {
  /// What the link leads to, where that is not in the archive.
  var reference: ArchivedReference?
  var target = ArchivedValue.null
  /// The target's entity, where it is another one than the model says.
  var entity: [UInt8]?
  /// This object's place in the list of the target.
  var place = ArchivedValue.null
  /// The target's place in the list of this object.
  var ownPlace = ArchivedValue.null
}
