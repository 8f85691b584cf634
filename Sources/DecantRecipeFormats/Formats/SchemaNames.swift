extension DocumentValue {
  /// The value with the names of schema.org's members as schema.org writes them: some sites write `Name` or `totaltime`.
  ///
  /// In these members, the expanded forms of JSON-LD are the values that they hold: `{"@value": …}`, `{"@list": […]}`.
  /// A member keeps its name if the object has the right one as well, or several that differ in capitals only. What other
  /// members contain is not changed.
  var withSchemaNames: DocumentValue {
    switch self {
    case .array(let elements):
      return .array(
        elements.flatMap {
          $0["@list"] == nil && $0["@set"] == nil ? [$0.withSchemaNames] : $0.withSchemaNames.elements
        })
    case .object(let members):
      let held = ["@value", "@list", "@set"].lazy.compactMap { self[$0] }.first
      if let held, members.allSatisfy({ $0.0.hasPrefix("@") }) { return held.withSchemaNames }
      let known = members.map { Self.schemaNames[$0.0.lowercased()] }
      let counts = Dictionary(known.compactMap(\.self).map { ($0, 1) }, uniquingKeysWith: +)
      return .object(
        zip(members, known).map { member, known in
          guard let known else { return member }
          return (counts[known] == 1 ? known : member.0, member.1.withSchemaNames)
        })
    default: return self
    }
  }

  /// The names of members of schema.org, by the same in lowercase.
  private static let schemaNames = Dictionary(
    uniqueKeysWithValues: [
      "author", "cookTime", "dateCreated", "dateModified", "datePublished", "description", "headline", "image",
      "ingredients", "inLanguage", "instructions", "item", "itemListElement", "items", "keywords", "maxValue",
      "minValue",
      "name", "nutrition", "performTime", "position", "prepTime", "recipeCategory", "recipeIngredient",
      "recipeInstructions", "recipeYield", "step", "steps", "text", "totalTime", "url", "value", "yield",
    ].map { ($0.lowercased(), $0) })
}
