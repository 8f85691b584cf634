internal import DecantBase
internal import DecantJSON

/// Paprika 2 and 3: `.paprikarecipe`, a gzipped JSON object, and `.paprikarecipes`, a ZIP file of these.
package enum PaprikaFormat: JSONRecipeFormat {
  package static let name = "paprika"
  package static let title = "Paprika"

  /// The members that the common model has a place for.
  private static let known: Set<String> = [
    "uid", "name", "ingredients", "directions", "notes", "description", "difficulty", "servings",
    "prep_time", "cook_time", "total_time", "rating", "categories", "source", "source_url",
    "created",
    "on_favorites", "nutritional_info", "photo_data", "photos", "photo",
  ]

  package static func matches(_ value: DocumentValue) -> Bool {
    guard value.has("name"),
      value.count(
        of: "@type",
        "steps",
        "slug",
        "recipe_ingredient",
        "recipeIngredient",
        "recipe_instructions",
        "recipeInstructions"
      ) == 0
    else { return false }
    // People and places also have names, notes and photos.
    let kitchen = value.count(
      of: "ingredients",
      "directions",
      "nutritional_info",
      "prep_time",
      "cook_time",
      "servings",
      "on_favorites",
      "photo_data",
      "photo_hash"
    )
    let own = value.count(
      of: "uid",
      "directions",
      "nutritional_info",
      "on_favorites",
      "photo",
      "photo_data",
      "photo_hash",
      "photo_large",
      "source_url"
    )
    return kitchen >= 1 && own >= 2
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    var recipe = Recipe()
    recipe.title = try value["name"]?.string?.trimmed ?? ""
    recipe.nativeID = try value.text("uid")
    recipe.ingredients = try value.lines("ingredients").map { line in
      LineHeading.colon.text(line).map { RecipeIngredient($0, isHeading: true) } ?? RecipeIngredient(line)
    }
    recipe.steps = try value.lines("directions").map { line in
      line.count <= stepHeadingLimit
        ? LineHeading.colon.text(line).map { RecipeStep($0, isHeading: true) } ?? RecipeStep(line)
        : RecipeStep(line)
    }
    recipe.notes = try value.text("notes")
    recipe.summary = try value.text("description")
    recipe.difficulty = try value.text("difficulty")
    recipe.yield = try value.text("servings")
    recipe.prepTime = try value.time("prep_time")
    recipe.cookTime = try value.time("cook_time")
    recipe.totalTime = try value.time("total_time")
    if let rating = value["rating"]?.double, rating > 0 { recipe.rating = min(rating, 5) }
    recipe.categories = try value["categories"]?.elements.compactMap { try $0.string } ?? []
    recipe.source = try value.text("source")
    recipe.url = try value.text("source_url")
    recipe.created = try value.text("created")
    if value["on_favorites"]?.bool == true { recipe.isFavorite = true }
    recipe.nutrition = try value.lines("nutritional_info").map { RecipeNutrient($0) }
    if value["in_trash"]?.bool == true { context.warn("the recipe was in Paprika's trash") }
    try readPictures(value, &recipe, context)
    try recipe.keep(value, except: known)
    return recipe
  }

  /// The maximum length of a heading in the directions; longer lines that end in a colon are not headings.
  private static let stepHeadingLimit = 60

  /// Returns an ingredient in a form that Paprika does not take for a heading: without a colon at its end.
  package static func ingredient(_ text: String) -> String { LineHeading.colon.without(text) }

  /// Returns a step in a form that Paprika does not take for a heading.
  package static func step(_ text: String) -> String {
    text.count <= stepHeadingLimit ? ingredient(text) : text
  }

  /// Reads the pictures; the further ones are full-size, and the cover beside them is a small square of the first.
  private static func readPictures(_ value: DocumentValue, _ recipe: inout Recipe, _ context: RecipeContext) throws {
    var cover: RecipeImage?
    if case .text(let data)? = value["photo_data"], !data.isEmpty {
      cover = try context.picture(base64: data, name: try value.text("photo"))
    }
    if let cover { recipe.images.append(cover) }
    for photo in value["photos"]?.elements ?? [] {
      guard case .text(let data)? = photo["data"], !data.isEmpty else { continue }
      guard
        var image = try context.picture(base64: data, caption: try photo.text("name"), name: try photo.text("filename"))
      else { continue }
      image.extra = [("photo", .bool(true))]
      recipe.images.append(image)
    }
  }
}

extension RecipeNutrient {
  /// Reads “Calories: 212 kcal”; a line without a colon has no name.
  init(_ line: String) {
    if let colon = line.firstIndex(of: ":"), colon != line.startIndex {
      let value = line[line.index(after: colon)...].trimmed
      if !value.isEmpty {
        self.init(name: line[..<colon].trimmed, value: value)
        return
      }
    }
    self.init(name: nil, value: line)
  }
}
