internal import DecantBase
internal import DecantPropertyList

/// The default values of new objects, in decant's canonical form.
enum DefaultValue {
  /// Returns the archived default, or `nil` if an attribute of this type cannot hold it.
  static func value(of node: KeyedArchive.Node, type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: node.integer.map(Value.integer)
    case .boolean: node.boolean.map { .integer($0 ? 1 : 0) }
    case .double: node.real.map(Value.double)
    case .float: node.real.map { .double(Double(Float($0))) }
    case .decimal: (node.decimal ?? node.integer.map { String($0) }).map(Value.decimal)
    case .date: node.date.map(Value.date)
    case .string: node.string.map(Value.text)
    case .binary: node.data.map(Value.binary)
    case .uuid: node.uuid.map(Value.uuid)
    case .uri: (node.url ?? node.string).map(Value.uri)
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }

  /// Returns the default that a model's source writes as `text`, or `nil` if it is not of this type.
  ///
  /// The editor stores the text as typed, and the compiler reads numbers as far as possible: `NO` is also 0 for an
  /// integer.
  static func value(of text: String, type: AttributeType) -> Value? {
    switch type {
    case .integer16, .integer32, .integer64: .integer(integer(text))
    case .boolean: .integer(["YES", "TRUE", "1"].contains(text.uppercased()) ? 1 : 0)
    case .double: Double(text).map(Value.double)
    case .float: Double(text).map { .double(Double(Float($0))) }
    case .decimal: decimal(text).map(Value.decimal)
    case .string: .text(text)
    case .uuid: [UInt8](uuidText: text).map(Value.uuid)
    case .uri: .uri(text)
    case .date, .binary, .undefined, .transformable, .objectID, .composite: nil
    }
  }

  private static func integer(_ text: String) -> Int64 {
    let isNegative = text.hasPrefix("-")
    let digits = text.drop { $0 == "-" || $0 == "+" }.prefix { $0.isASCII && $0.isNumber }
    return Int64((isNegative ? "-" : "") + digits) ?? 0
  }

  /// Returns the digits of a decimal as in an archive: without trailing zeros.
  private static func decimal(_ text: String) -> String? {
    let isNegative = text.hasPrefix("-")
    let parts = text.drop { $0 == "-" || $0 == "+" }
      .split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first,
      parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
      parts.contains(where: { !$0.isEmpty })
    else { return nil }
    let whole = first.drop { $0 == "0" }
    var fraction = parts.count > 1 ? parts[1] : ""
    while fraction.last == "0" { fraction.removeLast() }
    let digits = (whole.isEmpty ? "0" : whole) + (fraction.isEmpty ? "" : "." + fraction)
    return isNegative && digits != "0" ? "-" + digits : String(digits)
  }
}
