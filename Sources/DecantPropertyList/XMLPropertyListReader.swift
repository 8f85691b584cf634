internal import DecantXML

/// Reads XML property lists.
struct XMLPropertyListReader {
  private let limits: PropertyList.Limits
  private var valueCount = 0

  static func read(_ bytes: [UInt8], limits: PropertyList.Limits) throws(PropertyListError) -> PropertyList {
    let tree: XMLTree
    do {
      // Each level of a property list is one element; the outermost element and a leaf take two more.
      tree = try XMLTree.read(bytes, limits: .init(depth: min(limits.depth, 200) + 2))
    } catch {
      throw PropertyListError(error.message, at: .line(error.line, column: error.column))
    }
    guard tree.name == "plist" else {
      throw PropertyListError("this is not a property list", at: .line(tree.line, column: 1))
    }
    guard tree.children.count == 1, let content = tree.children.first else {
      throw PropertyListError("a property list holds one value", at: .line(tree.line, column: 1))
    }
    var reader = XMLPropertyListReader(limits: limits)
    return try reader.value(content)
  }

  private init(limits: PropertyList.Limits) { self.limits = limits }

  private mutating func value(_ tree: XMLTree) throws(PropertyListError) -> PropertyList {
    valueCount += 1
    guard valueCount <= limits.valueCount else {
      throw PropertyListError("there are more than \(limits.valueCount) values")
    }
    let value: PropertyList?
    switch tree.name {
    case "true": value = .boolean(true)
    case "false": value = .boolean(false)
    case "string": value = .string(tree.text)
    case "integer": value = PropertyListText.integer(tree.text).map(PropertyList.integer)
    case "real": value = PropertyListText.real(tree.text).map(PropertyList.real)
    case "date": value = PropertyListText.date(tree.text).map(PropertyList.date)
    case "data": value = PropertyListText.data(tree.text).map(PropertyList.data)
    case "array":
      var elements: [PropertyList] = []
      for child in tree.children { elements.append(try self.value(child)) }
      value = .array(elements)
    case "dict": value = try dictionary(tree)
    default:
      throw PropertyListError("unknown element “\(tree.name)”", at: place(tree))
    }
    guard let value else {
      throw PropertyListError("a value is not a valid \(tree.name)", at: place(tree))
    }
    return value
  }

  private mutating func dictionary(_ tree: XMLTree) throws(PropertyListError) -> PropertyList {
    var entries: [String: PropertyList] = [:]
    var key: String?
    for child in tree.children {
      if let name = key {
        entries[name] = try value(child)
        key = nil
      } else if child.name == "key" {
        key = child.text
      } else {
        throw PropertyListError("a dictionary value has no key", at: place(child))
      }
    }
    guard key == nil else {
      throw PropertyListError("a dictionary key has no value", at: place(tree))
    }
    // References of keyed archives have no element of their own.
    if entries.count == 1, case .integer(let uid)? = entries["CF$UID"], let uid = Int(exactly: uid),
      uid >= 0
    {
      return .uid(uid)
    }
    return .dictionary(entries)
  }

  private func place(_ tree: XMLTree) -> PropertyListError.Place {
    .line(tree.line, column: 1)
  }
}
