/// The names that an object had so far, each of which may come once.
package struct SeenNames {
  /// Most objects that are passed over have one name: that is kept without a set.
  private var first: String?
  private var others: Set<String> = []

  package init() {}

  /// Notes a name; throws where it came before.
  package mutating func insert(_ name: UnsafeRawBufferPointer) throws(JSONFault) {
    let name = String(decoding: name, as: UTF8.self)
    guard let first else { return first = name }
    guard name != first, others.insert(name).inserted else { throw SeenNames.twice(name) }
  }

  /// Begins with another object.
  package mutating func removeAll() {
    first = nil
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }

  static func twice(_ name: String) -> JSONFault {
    JSONFault(.syntax, "the name “\(name.prefix(40))” appears twice in one object")
  }
}
