/// An archive made by `NSKeyedArchiver`: objects that refer to each other by position.
///
/// An archive is read by following references from its root, one key at a time. Nothing is expanded in advance, so
/// cyclic references do no harm, and objects of unknown classes can be ignored.
package struct KeyedArchive: Sendable {
  let objects: [PropertyList]
  private let top: [String: PropertyList]

  /// Reads the archive in `bytes`, in binary or XML form.
  package init(_ bytes: [UInt8], limits: PropertyList.Limits = PropertyList.Limits()) throws(PropertyListError) {
    try self.init(PropertyList.read(bytes, limits: limits))
  }

  /// Interprets `list` as an archive.
  package init(_ list: PropertyList) throws(PropertyListError) {
    guard case .dictionary(let archive) = list,
      case .array(let objects)? = archive["$objects"],
      case .dictionary(let top)? = archive["$top"]
    else { throw PropertyListError("this is not a keyed archive") }
    self.objects = objects
    self.top = top
  }

  /// The root object of the archive.
  package var root: Node? { node("root") }

  /// Returns the object archived under `key`.
  package func node(_ key: String) -> Node? {
    top[key].flatMap { Node(archive: self, resolving: $0) }
  }

  /// One object of an archive, or a value in it.
  package struct Node: Sendable {
    let archive: KeyedArchive
    /// The value itself; never a reference, and never the null placeholder.
    package let value: PropertyList
    /// The position in the archive: two nodes with the same position are the same object.
    package let id: Int?

    /// Follows `value` if it is a reference; `nil` if the reference is null or invalid.
    init?(archive: KeyedArchive, resolving value: PropertyList) {
      guard case .uid(let position) = value else {
        self.init(archive: archive, value: value, id: nil)
        return
      }
      // Object 0 is the text `$null`. Real archives have no reference to a reference.
      guard position > 0, position < archive.objects.count else { return nil }
      let object = archive.objects[position]
      if case .uid = object { return nil }
      self.init(archive: archive, value: object, id: position)
    }

    private init(archive: KeyedArchive, value: PropertyList, id: Int?) {
      self.archive = archive
      self.value = value
      self.id = id
    }

    /// Returns the object's value for `key`, or `nil` if it has none.
    package subscript(key: String) -> Node? {
      guard case .dictionary(let entries) = value, let entry = entries[key] else { return nil }
      return Node(archive: archive, resolving: entry)
    }

    /// The keys with a value in the object, sorted.
    package var keys: [String] {
      guard case .dictionary(let entries) = value else { return [] }
      return entries.keys.filter { $0 != "$class" }.sorted()
    }

    /// The name of the object's class, or `nil` for a plain value.
    package var className: String? {
      guard case .string(let name)? = self["$class"]?["$classname"]?.value else { return nil }
      return name
    }

    /// The names of the object's class and its superclasses, nearest first.
    package var classNames: [String] {
      guard case .array(let names)? = self["$class"]?["$classes"]?.value else { return [] }
      return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
    }
  }
}
