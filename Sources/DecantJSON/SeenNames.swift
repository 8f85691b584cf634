/// The names of an object so far, each of which may occur once.
package struct SeenNames {
  /// Most skipped objects have one name, which is kept without a set.
  private var first: String?
  private var others: Set<String> = []

  package init() {}

  /// Adds a name; throws if it occurred before.
  package mutating func insert(_ name: UnsafeRawBufferPointer) throws(JSONFault) {
    let name = String(decoding: name, as: UTF8.self)
    guard let first else { return first = name }
    guard name != first, others.insert(name).inserted else { throw SeenNames.twice(name) }
  }

  /// Starts another object.
  package mutating func removeAll() {
    first = nil
    if !others.isEmpty { others.removeAll(keepingCapacity: true) }
  }

  static func twice(_ name: String) -> JSONFault {
    JSONFault(.syntax, "the name “\(name.prefix(40))” appears twice in one object")
  }
}
