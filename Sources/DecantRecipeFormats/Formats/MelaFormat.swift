internal import DecantBase
internal import DecantJSON

/// Mela: `.melarecipe`, one JSON object, and `.melarecipes`, a ZIP file of these.
package enum MelaFormat: JSONRecipeFormat {
  package static let name = "mela"
  package static let title = "Mela"

  private static let known: Set<String> = [
    "id", "title", "text", "images", "categories", "yield", "prepTime", "cookTime", "totalTime",
    "ingredients", "instructions", "notes", "nutrition", "link", "favorite",
  ]

  package static func matches(_ value: DocumentValue) -> Bool {
    guard value.has("title"), value.count(of: "@type", "directions", "steps") == 0,
      value.count(of: "ingredients", "instructions") >= 1,
      value.count(
        of: "ingredients",
        "instructions",
        "yield",
        "prepTime",
        "cookTime",
        "totalTime",
        "wantToCook",
        "link",
        "nutrition",
        "images",
        "text"
      ) >= 2
    else { return false }
    // Other formats have lists of objects there.
    return ["ingredients", "instructions"].allSatisfy { name in
      value[name]?.elements.allSatisfy(\.isText) ?? true
    }
  }

  package static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe {
    var recipe = Recipe()
    recipe.title = try value["title"]?.string?.trimmed ?? ""
    recipe.nativeID = try value.text("id")
    recipe.summary = try value.text("text")
    recipe.categories = try value["categories"]?.elements.compactMap { try $0.string } ?? []
    recipe.yield = try value.text("yield")
    recipe.prepTime = try value.time("prepTime")
    recipe.cookTime = try value.time("cookTime")
    recipe.totalTime = try value.time("totalTime")
    recipe.ingredients = try value.lines("ingredients").map { line in
      line.hasPrefix("#")
        ? RecipeIngredient(line.withoutMarks, isHeading: true) : RecipeIngredient(line)
    }
    recipe.steps = try value.lines("instructions").map { line in
      line.hasPrefix("#") ? RecipeStep(line.withoutMarks, isHeading: true) : RecipeStep(line)
    }
    recipe.notes = try value.text("notes")
    recipe.nutrition = try value.lines("nutrition").map { RecipeNutrient($0) }
    // The link may be any text: most are pages, some are books.
    if let link = try value.text("link") {
      if link.isAddress { recipe.url = link } else { recipe.source = link }
    }
    if value["favorite"]?.bool == true { recipe.isFavorite = true }
    for image in value["images"]?.elements ?? [] {
      guard case .text(let data) = image, !data.isEmpty else { continue }
      if let image = try context.picture(base64: data) { recipe.images.append(image) }
    }
    try recipe.keep(value, except: known)
    return recipe
  }
}

extension String {
  /// Whether the text is an address, with or without a scheme.
  fileprivate var isAddress: Bool {
    guard !contains(where: \.isWhitespace) else { return false }
    let host = prefix { $0 != "/" }
    return contains(":") || contains("/") && host.contains(".")
  }

  /// The text without the signs that mark a line as a heading.
  var withoutMarks: String { drop { $0 == "#" }.trimmed }
}
