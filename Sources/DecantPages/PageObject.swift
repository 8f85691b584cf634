/// A value of an object as it is stored.
package enum PageValue {
  case null
  case integer(Int64)
  case real(Double)
  /// Text, with invalid Unicode repaired.
  case text(String)
  /// This many bytes, which are read when they are shown; those of an object without a key are included.
  case bytes(count: Int, content: [UInt8]?)

  /// The text, unless it is empty or only white space.
  package var text: String? {
    guard case .text(let text) = self, !text.allSatisfy(\.isWhitespace) else { return nil }
    return text
  }
}

/// An object with its values, one for each column of its relation.
package struct PageObject {
  /// The reference to the object; `nil` if the table has no integer keys.
  let reference: PageReference?
  package let shape: PageShape
  package let values: [PageValue]

  /// The maximum number of bytes of a text that a page shows; the archive contains all of it.
  static let textLimit = 1 << 20

  /// The name of an object without a title: its entity's name and its key.
  var name: String {
    [shape.label, reference.map { String($0.key) }].compactMap(\.self).joined(separator: " ")
  }
}
