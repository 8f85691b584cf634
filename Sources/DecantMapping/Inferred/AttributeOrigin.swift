internal import DecantBase
internal import DecantVersions
internal import DecantSQLite

/// Where the values of an attribute come from, along a chain of models.
struct AttributeOrigin {
  /// What the first model calls it; `nil` where a step has added it.
  private(set) var name: String?
  /// What the value is where it was added, as SQL; `nil` for nothing.
  private var literal: String?
  /// What is taken where there was no value, as SQL, the oldest first.
  private var substitutes: [String] = []

  /// That of something new, which nothing gives a value.
  static let none = AttributeOrigin()

  private init() {}

  /// The same of a part of a composite attribute.
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

  /// What a rule says of it; `nil` where it says nothing, as what happens by itself is the same.
  func setting(for attribute: Attribute, hasNamesake: Bool) -> String? {
    let own = attribute.defaultValue?.sqlLiteral
    guard let name else {
      // An attribute without a value is given its model's default, and may be without one where no object is.
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
  /// Whether its values may lie in files of their own, where no expression reads them.
  fileprivate var isExternal: Bool { allowsExternalStorage && type == .binary }
}
