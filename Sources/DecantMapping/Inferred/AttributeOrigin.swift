internal import DecantBase
internal import DecantVersions
internal import DecantSQLite

/// The origin of an attribute's values, along a chain of models.
struct AttributeOrigin {
  /// Its name in the first model; `nil` if a later step added it.
  private(set) var name: String?
  /// The SQL of its value in the step that added it; `nil` for no value.
  private var literal: String?
  /// The SQL of the values that replaced null in later steps, oldest first.
  private var substitutes: [String] = []

  /// The origin of a new attribute without a value.
  static let none = AttributeOrigin()

  private init() {}

  /// Returns the origin of a part of the composite attribute.
  func appending(_ rest: Substring) -> AttributeOrigin {
    var origin = self
    origin.name = name.map { "\($0)\(rest)" }
    return origin
  }

  init(of attribute: Attribute, along path: [String], _ matchings: [ModelMatching]) {
    var name = attribute.name
    for (step, matching) in matchings.enumerated().reversed() {
      let parts = matching.attributes(path[step], path[step + 1])
      let found = parts.common.first { $0.destination.part.name == name }
      guard let found, found.source.part.isStored else {
        let here = matching.destination.attributes(of: path[step + 1]).first { $0.name == name }
        literal = here?.defaultValue?.sqlLiteral
        return
      }
      let (earlier, later) = (found.source.part, found.destination.part)
      if earlier.isOptional, !later.isOptional, later.isStored,
        let literal = later.defaultValue?.sqlLiteral
      {
        substitutes.insert(literal, at: 0)
      }
      name = earlier.name
    }
    self.name = name
  }

  /// Returns the setting that a rule needs; `nil` if the default behaviour has the same result.
  func setting(for attribute: Attribute, hasNamesake: Bool) -> String? {
    let own = attribute.defaultValue?.sqlLiteral
    guard let name else {
      // An attribute without a value gets its model's default; in entities without objects it needs none.
      if !hasNamesake, literal == own, attribute.isOptional || own != nil { return nil }
      return substitutes.reduce(literal ?? "NULL") { "coalesce(\($0), \($1))" }
    }
    let needed = substitutes.filter { $0 != own || attribute.isOptional }
    guard !attribute.isExternal, !needed.isEmpty else {
      return name == attribute.name ? nil : name.quotedName
    }
    return needed.reduce(name.quotedName) { "coalesce(\($0), \($1))" }
  }
}

extension Attribute {
  /// Whether its values may be in external files, which expressions cannot read.
  fileprivate var isExternal: Bool { allowsExternalStorage && type == .binary }
}
