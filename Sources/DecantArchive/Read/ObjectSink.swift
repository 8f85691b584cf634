/// Receives the members of an object's line, one by one.
///
/// Names and values are lent until the next call.
protocol ObjectSink: AnyObject {
  /// Begins an object of the entity called `name`.
  func begin(_ name: UnsafeRawBufferPointer) throws
  /// Receives the key; an integer except for the owners of links in plain databases.
  func take(id: ArchivedValue) throws
  /// Receives the version of the object; `nil` if its column is NULL.
  func take(revision: Int64?) throws
  /// Receives the value of an attribute, or of a column outside the model.
  func take(
    _ value: ArchivedValue,
    _ place: ArchivedValue.Place,
    of name: UnsafeRawBufferPointer,
    isUnnamed: Bool
  ) throws
  /// Receives a link in the object itself: to a target, or to an owner that has the object in a list.
  func take(link: ArchivedLink, of name: UnsafeRawBufferPointer, isOwner: Bool) throws
  /// Receives the reason why the object was rejected, in a file of rejects.
  func take(reject: ArchivedReject)
  /// Receives the next link of a list.
  func take(listed link: ArchivedLink, of name: UnsafeRawBufferPointer) throws
}

extension ObjectSink {
  func take(reject: ArchivedReject) {}
}

/// A reference to an object that is not in the archive, by its identity.
struct ArchivedReference {
  var entity: [UInt8] = []
  var key: [(name: [UInt8], value: Value)] = []

  /// A value that outlives the line.
  enum Value {
    case null
    case integer(Int64)
    case real(Double)
    case text([UInt8])
    case bytes([UInt8])
  }
}

/// A link as written in a line.
struct ArchivedLink {
  /// The target's identity, if it is not in the archive.
  var reference: ArchivedReference?
  var target = ArchivedValue.null
  /// The target's entity, if it differs from that in the model.
  var entity: [UInt8]?
  /// The position of this object in the target's list.
  var place = ArchivedValue.null
  /// The position of the target in this object's list.
  var ownPlace = ArchivedValue.null
}
