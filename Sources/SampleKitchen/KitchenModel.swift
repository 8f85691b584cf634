extension Schema {
  /// The model of all samples: recipes, and what belongs to them.
  ///
  /// It is small, but holds what makes copying hard: a tree of entities in one table, a link to
  /// its abstract root, two sub-entities that use one name, a self-reference, an ordered list, a
  /// many-to-many, owned parts, and nearly every type of attribute.
  static let kitchen = Schema(
    entities: [category, image, recipeImage, stepImage, ingredient, recipe, step, tag],
    versionIdentifiers: ["kitchen 1"]
  )

  private static let category = SchemaEntity(
    name: "Category",
    attributes: [
      SchemaAttribute(name: "name", kind: .string, isOptional: false),
      SchemaAttribute(name: "sortIndex", kind: .integer16, isOptional: false),
      SchemaAttribute(name: "symbol", kind: .string),
      SchemaAttribute(name: "uuid", kind: .uuid, isOptional: false),
    ],
    relationships: [
      SchemaRelationship(name: "recipes", destination: "Recipe", inverse: "category", isToMany: true, deleteRule: .deny)
    ]
  )

  private static let image = SchemaEntity(
    name: "Image",
    isAbstract: true,
    attributes: [
      SchemaAttribute(name: "byteCount", kind: .integer64, isOptional: false),
      SchemaAttribute(name: "data", kind: .binary, allowsExternalStorage: true),
      SchemaAttribute(name: "height", kind: .integer32, isOptional: false),
      SchemaAttribute(name: "mimeType", kind: .string, isOptional: false),
      SchemaAttribute(name: "uuid", kind: .uuid, isOptional: false),
      SchemaAttribute(name: "width", kind: .integer32, isOptional: false),
    ],
    relationships: [
      SchemaRelationship(name: "coverOf", destination: "Recipe", inverse: "cover")
    ]
  )

  private static let recipeImage = SchemaEntity(
    name: "RecipeImage",
    parent: "Image",
    attributes: [SchemaAttribute(name: "caption", kind: .string)],
    relationships: [
      SchemaRelationship(name: "recipe", destination: "Recipe", inverse: "images")
    ]
  )

  private static let stepImage = SchemaEntity(
    name: "StepImage",
    parent: "Image",
    attributes: [SchemaAttribute(name: "caption", kind: .string)],
    relationships: [
      SchemaRelationship(name: "step", destination: "Step", inverse: "images")
    ]
  )

  private static let ingredient = SchemaEntity(
    name: "Ingredient",
    attributes: [
      SchemaAttribute(name: "amount", kind: .double),
      SchemaAttribute(name: "isGarnish", kind: .boolean, isOptional: false),
      SchemaAttribute(name: "name", kind: .string, isOptional: false),
      SchemaAttribute(name: "note", kind: .string),
      SchemaAttribute(name: "sortIndex", kind: .integer16, isOptional: false),
      SchemaAttribute(name: "unit", kind: .string),
      SchemaAttribute(name: "uuid", kind: .uuid, isOptional: false),
    ],
    relationships: [
      SchemaRelationship(name: "recipe", destination: "Recipe", inverse: "ingredients", isOptional: false)
    ]
  )

  private static let step = SchemaEntity(
    name: "Step",
    attributes: [
      SchemaAttribute(name: "duration", kind: .double),
      SchemaAttribute(name: "text", kind: .string, isOptional: false),
      SchemaAttribute(name: "uuid", kind: .uuid, isOptional: false),
    ],
    relationships: [
      SchemaRelationship(
        name: "images",
        destination: "StepImage",
        inverse: "step",
        isToMany: true,
        deleteRule: .cascade
      ),
      SchemaRelationship(name: "recipe", destination: "Recipe", inverse: "steps"),
    ]
  )

  private static let tag = SchemaEntity(
    name: "Tag",
    attributes: [
      SchemaAttribute(name: "color", kind: .integer32, isOptional: false),
      SchemaAttribute(name: "name", kind: .string, isOptional: false),
      SchemaAttribute(name: "uuid", kind: .uuid, isOptional: false),
    ],
    relationships: [
      SchemaRelationship(name: "recipes", destination: "Recipe", inverse: "tags", isToMany: true)
    ]
  )
}
