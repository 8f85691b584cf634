extension DocumentValue {
  /// The value with the names of schema.org's members as schema.org writes them: some sites write `Name` or `totaltime`.
  ///
  /// A member keeps its name if the object also has the right one.
  var withSchemaNames: DocumentValue {
    switch self {
    case .array(let elements) where elements.contains(where: \.hasForeignNames):
      .array(elements.map(\.withSchemaNames))
    case .object(let members) where hasForeignNames:
      .object(
        members.map { name, value in
          let known = Self.schemaName(name).flatMap { self[$0] == nil ? $0 : nil }
          return (known ?? name, value.withSchemaNames)
        })
    default: self
    }
  }

  /// Whether the value, or one in it, has a member of schema.org in other capitals.
  private var hasForeignNames: Bool {
    switch self {
    case .array(let elements): elements.contains(where: \.hasForeignNames)
    case .object(let members):
      members.contains { name, value in Self.schemaName(name) != nil || value.hasForeignNames }
    default: false
    }
  }

  /// Returns the name of a member of schema.org that is written in other capitals; `nil` for any other name.
  private static func schemaName(_ name: String) -> String? {
    guard name.utf8.count <= 18, !schemaNames.contains(name), let known = schemaNamesByCase[name.lowercased()] else {
      return nil
    }
    return known
  }

  private static let schemaNames: Set = [
    "author", "cookTime", "dateCreated", "dateModified", "datePublished", "description", "headline", "image",
    "inLanguage", "item", "itemListElement", "keywords", "name", "nutrition", "performTime", "position", "prepTime",
    "recipeCategory", "recipeIngredient", "recipeInstructions", "recipeYield", "text", "totalTime", "url",
  ]

  private static let schemaNamesByCase = Dictionary(uniqueKeysWithValues: schemaNames.map { ($0.lowercased(), $0) })
}
