/// A value of an object as it lies in the store.
package enum PageValue {
  case null
  case integer(Int64)
  case real(Double)
  /// Text; what is no Unicode in it is repaired.
  case text(String)
  /// So many bytes, which are read when they are shown; of an object without a key they are here.
  case bytes(count: Int, content: [UInt8]?)

  /// The text, unless it is empty or nothing but blanks.
  package var text: String? {
    guard case .text(let text) = self, !text.allSatisfy(\.isWhitespace) else { return nil }
    return text
  }
}

/// An object with its values, one for each column of its relation.
package struct PageObject {
  /// Where it is found again; `nil` where the table has no keys that are integers.
  let reference: PageReference?
  package let shape: PageShape
  package let values: [PageValue]

  /// Of a longer text a page shows so many bytes; the archive has all of it.
  static let textLimit = 1 << 20

  /// What it is called where it has no title: its entity's name and its key.
  var name: String {
    [shape.label, reference.map { String($0.key) }].compactMap(\.self).joined(separator: " ")
  }
}
