/// An element with all its content, for documents small enough to be held in memory.
package struct XMLTree: Sendable, Hashable {
  /// The name as written, with its prefix if it has one.
  package var name: String
  /// The attributes by name as written, without an order.
  package var attributes: [String: String]
  /// The elements directly in this one, in document order.
  package var children: [XMLTree]
  /// The text directly in the element, without that of its children.
  package var text: String
  /// The line on which the element begins.
  package var line: Int

  /// Reads all of `bytes` and returns the outermost element.
  package static func read(_ bytes: [UInt8], limits: XMLReader.Limits = XMLReader.Limits()) throws(XMLError) -> XMLTree
  {
    let reader = try XMLReader(bytes, limits: limits)
    // The open elements, the outermost first, below a placeholder for the document.
    var open = [XMLTree(XMLReader.Tag(name: ""))]
    while let event = try reader.next() {
      switch event {
      case .start(let tag):
        open.append(XMLTree(tag))
      case .text(let text):
        open[open.count - 1].text += text
      case .end:
        guard open.count > 1, let closed = open.popLast() else { continue }
        open[open.count - 1].children.append(closed)
      }
    }
    guard let root = open.first?.children.first else {
      throw XMLError("the document has no element")
    }
    return root
  }

  /// Returns the children of this name, in document order.
  package func children(named name: String) -> [XMLTree] {
    children.filter { $0.name == name }
  }

  private init(_ tag: XMLReader.Tag) {
    name = tag.name
    attributes = tag.attributes
    children = []
    text = ""
    line = tag.line
  }
}
