internal import DecantBase
internal import DecantPropertyList

/// Reads expressions from a keyed archive.
///
/// - Source: compiled and edited mapping models; Formats, “Mapping models”.
struct ArchivedMappingExpression {
  /// The place of the archive, for errors.
  let place: String
  /// The number of objects that may still be read: shared references could otherwise expand without bound.
  private var rest = 100_000

  /// The maximum nesting depth; no real expression reaches half of it.
  private static let deepest = 40

  init(place: String) { self.place = place }

  /// Returns the expression in `node`; `subject` names its owner in errors.
  mutating func read(_ node: KeyedArchive.Node, _ subject: String) throws(DecantError) -> MappingExpression {
    try expression(node, subject, depth: 0)
  }

  private mutating func expression(
    _ node: KeyedArchive.Node,
    _ subject: String,
    depth: Int
  ) throws(DecantError) -> MappingExpression {
    rest -= 1
    guard depth < Self.deepest, rest > 0 else {
      throw MappingModelFile.damaged("the expression of \(subject) is circular", place)
    }
    switch node["NSExpressionType"]?.integer {
    case 0: return constant(node)
    case 1: return .itself
    case 2:
      guard let name = node["NSVariable"]?.string else { break }
      return .variable(name)
    case 3, 4: return try function(node, subject, depth: depth)
    case 10:
      guard let path = node["NSKeyPath"]?.string else { break }
      return .keyPath(of: .itself, Self.names(in: path))
    case 14:
      guard let elements = node["NSCollection"]?.elements else { break }
      return .list(try list(elements, subject, depth: depth))
    case 50:
      guard let request = node["NSFRExpression"], let context = node["NSMOCExpression"] else {
        break
      }
      return .fetch(
        try expression(request, subject, depth: depth + 1),
        context: try expression(context, subject, depth: depth + 1),
        countsOnly: node["NSCountOnlyFlag"]?.boolean ?? false
      )
    case .some: return .other(node.className ?? "an unknown expression")
    case nil: break
    }
    let name = node.className.map { "a damaged \($0)" } ?? "not valid"
    throw MappingModelFile.damaged("the expression of \(subject) is \(name)", place)
  }

  private mutating func list(
    _ nodes: [KeyedArchive.Node],
    _ subject: String,
    depth: Int
  ) throws(DecantError) -> [MappingExpression] {
    var list: [MappingExpression] = []
    for node in nodes { list.append(try expression(node, subject, depth: depth + 1)) }
    return list
  }

  private mutating func function(
    _ node: KeyedArchive.Node,
    _ subject: String,
    depth: Int
  ) throws(DecantError) -> MappingExpression {
    let operand =
      if let own = node["NSOperand"] { try expression(own, subject, depth: depth + 1) } else {
        MappingExpression.itself
      }
    let arguments = try list(node["NSArguments"]?.elements ?? [], subject, depth: depth)
    guard let selector = node["NSSelectorName"]?.string else {
      throw MappingModelFile.damaged("the expression of \(subject) is a function without a name", place)
    }
    return MappingExpression.call(selector, on: operand, arguments)
  }

  private mutating func constant(_ node: KeyedArchive.Node) -> MappingExpression {
    if let name = node["NSConstantValueClassName"]?.string { return .constantClass(name) }
    guard let value = node["NSConstantValue"] else { return .constant(.null) }
    if let found = Self.value(value) { return .constant(found) }
    if let elements = value.elements, elements.count <= 1000 {
      rest -= elements.count
      let constants = elements.compactMap { Self.value($0).map { MappingExpression.constant($0) } }
      if constants.count == elements.count { return .list(constants) }
    }
    return .other("a constant \(value.className ?? "of unknown type")")
  }

  private static func value(_ node: KeyedArchive.Node) -> Value? {
    switch node.value {
    case .integer, .boolean: return node.integer.map { .integer($0) }
    case .real(let number): return .double(number)
    default: break
    }
    if let text = node.string { return .text(text) }
    if let seconds = node.date { return .date(seconds) }
    if let bytes = node.uuid { return .uuid(bytes) }
    if let bytes = node.data { return .binary(bytes) }
    if let digits = node.decimal { return .decimal(digits) }
    return node.url.map { .uri($0) }
  }

  /// Returns the names of a key path.
  static func names(in path: String) -> [String] {
    path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }
}

extension MappingExpression {
  /// Returns the expression that sends `selector`: a key path if it requests values by name.
  static func call(
    _ selector: String,
    on operand: MappingExpression,
    _ arguments: [MappingExpression]
  ) -> MappingExpression {
    guard ["valueForKeyPath:", "valueForKey:"].contains(selector), arguments.count == 1 else {
      return .function(on: operand, selector, arguments)
    }
    let names: [String]
    switch arguments[0] {
    case .keyPath(of: .itself, let path): names = path
    case .constant(.text(let path)): names = ArchivedMappingExpression.names(in: path)
    default: return .function(on: operand, selector, arguments)
    }
    if case .keyPath(of: let first, let earlier) = operand {
      return .keyPath(of: first, earlier + names)
    }
    return .keyPath(of: operand, names)
  }
}
