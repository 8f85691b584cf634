/// The names that an object of a line had so far, each of which may come once.
struct SeenNames {
  /// Most objects that are passed over have one name: that is kept without a set.
  private var first: String?
  private var others: Set<String> = []

  /// Notes a name; throws where it came before.
  mutating func insert(_ name: UnsafeRawBufferPointer) throws(ArchiveFault) {
    let name = String(decoding: name, as: UTF8.self)
    guard let first else { return first = name }
    guard name != first, others.insert(name).inserted else {
      throw ArchiveFault("the name “\(name.prefix(40))” comes twice in one object")
    }
  }

  /// Begins with another object.
  mutating func removeAll() {
    first = nil
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }
}
