internal import DecantPropertyList

/// The expressions of derived attributes, as the model editor shows them.
enum ArchivedExpression {
  /// Returns the expression of a derived attribute, or `nil` if the attribute is not derived.
  static func derivation(of node: KeyedArchive.Node) -> String? {
    if let expression = node["NSDerivationExpression"] { return text(of: expression, depth: 0) }
    // The derivation may be of an unknown kind, but the attribute is still derived.
    return node.className == "NSDerivedAttributeDescription" ? "" : nil
  }

  /// Returns `pages.@count`, `canonical:(name)`, `now()` and the like; unknown parts are omitted.
  private static func text(of node: KeyedArchive.Node, depth: Int) -> String {
    // A real expression is three objects deep; a damaged one may be cyclic.
    guard depth < 5 else { return "" }
    let arguments = (node["NSArguments"]?.elements ?? []).prefix(4).map {
      text(of: $0, depth: depth + 1)
    }
    if let path = node["NSKeyPath"]?.string { return path }
    if node.className == "NSKeyPathExpression" {
      let operand = node["NSOperand"].map { text(of: $0, depth: depth + 1) } ?? ""
      return ([operand] + arguments).filter { !$0.isEmpty }.joined(separator: ".")
    }
    if let function = node["NSSelectorName"]?.string {
      return "\(function)(\(arguments.joined(separator: ", ")))"
    }
    if let variable = node["NSVariable"]?.string { return "$" + variable }
    guard let constant = node["NSConstantValue"] else { return "" }
    return constant.string.map { "\"\($0)\"" } ?? constant.integer.map { String($0) }
      ?? constant.real.map { String($0) } ?? ""
  }
}
