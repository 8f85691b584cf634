extension Schema {
  /// The entity in the middle of the model, to which all others lead.
  static let recipe = SchemaEntity(
    name: "Recipe",
    attributes: [
      SchemaAttribute(name: "author", kind: .string),
      SchemaAttribute(name: "cookMinutes", kind: .integer32, isOptional: false),
      SchemaAttribute(name: "createdAt", kind: .date, isOptional: false),
      SchemaAttribute(name: "energy", kind: .double),
      SchemaAttribute(name: "isFavorite", kind: .boolean, isOptional: false),
      SchemaAttribute(name: "lastCookedAt", kind: .date),
      SchemaAttribute(name: "modifiedAt", kind: .date, isOptional: false),
      SchemaAttribute(name: "nutrition", kind: .transformable),
      SchemaAttribute(name: "prepMinutes", kind: .integer32, isOptional: false),
      SchemaAttribute(name: "price", kind: .decimal),
      SchemaAttribute(name: "rating", kind: .float),
      SchemaAttribute(name: "servings", kind: .integer16, isOptional: false),
      SchemaAttribute(name: "shortTitle", kind: .string, isTransient: true),
      SchemaAttribute(name: "sourceURL", kind: .uri),
      SchemaAttribute(name: "subtitle", kind: .string),
      SchemaAttribute(name: "title", kind: .string, isOptional: false),
      SchemaAttribute(name: "uuid", kind: .uuid, isOptional: false, isPreservedInHistory: true),
      SchemaAttribute(name: "viewCount", kind: .integer64, isOptional: false),
    ],
    relationships: [
      SchemaRelationship(name: "category", destination: "Category", inverse: "recipes"),
      SchemaRelationship(name: "cover", destination: "Image", inverse: "coverOf"),
      SchemaRelationship(
        name: "images",
        destination: "RecipeImage",
        inverse: "recipe",
        isToMany: true,
        deleteRule: .cascade
      ),
      SchemaRelationship(
        name: "ingredients",
        destination: "Ingredient",
        inverse: "recipe",
        isToMany: true,
        deleteRule: .cascade
      ),
      SchemaRelationship(
        name: "steps",
        destination: "Step",
        inverse: "recipe",
        isToMany: true,
        isOrdered: true,
        deleteRule: .cascade
      ),
      SchemaRelationship(name: "tags", destination: "Tag", inverse: "recipes", isToMany: true),
      SchemaRelationship(name: "variantOf", destination: "Recipe", inverse: "variants"),
      SchemaRelationship(name: "variants", destination: "Recipe", inverse: "variantOf", isToMany: true),
    ]
  )
}
