internal import DecantRecipeFormats
internal import DecantContainers
internal import DecantJSON

/// Writes Mela's `.melarecipes`, a ZIP file of JSON objects, or a single one as `.melarecipe`.
final class MelaWriter: JSONRecipeWriter {
  static let format = "mela"
  static let places = "NAME.melarecipes, or NAME.melarecipe for one recipe"

  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form? {
    ["melarecipe": .single, "melarecipes": .library][ending]
  }
  static let reading: any JSONRecipeFormat.Type = MelaFormat.self
  static let entryName = "recipe.melarecipe"

  private let output: RecipeOutput
  private let zip: ZipWriter?
  private var names = RecipeFileNames()

  init(_ path: String, _ form: RecipePlace.Form) throws {
    output = try RecipeOutput(path)
    zip = form == .single ? nil : try ZipWriter(descriptor: output.descriptor)
  }

  static func isOwn(_ entry: StoredRecipes.Entry) -> Bool { entry.format == format }

  static func pictureLosses(_ entry: StoredRecipes.Entry) -> [String] { entry.pictureLosses() }

  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws {
    guard let zip else {
      return try writeJSON(entry, of: store) { [output] in try output.write($0) }
    }
    try zip.begin("\(names.name(for: entry.recipe.title)).melarecipe")
    try writeJSON(entry, of: store) { try zip.append($0) }
  }

  func finish() throws { try zip?.finish() }

  private func writeJSON(
    _ entry: StoredRecipes.Entry,
    of store: StoredRecipes,
    _ write: @escaping (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var object = try JSONObjectWriter(write)
    for (name, value) in Self.members(entry) { try object.member(name, value) }
    try object.member("images") { put in
      try put("[")
      for (index, image) in entry.images.enumerated() {
        try put(index > 0 ? ",\"" : "\"")
        try store.forEachBase64Piece(of: image, put)
        try put("\"")
      }
      try put("]")
    }
    try object.end()
  }

  /// Returns the members of the object, except its pictures.
  static func members(_ entry: StoredRecipes.Entry) -> [(String, JSONValue)] {
    let recipe = entry.recipe
    let extra = isOwn(entry) ? recipe.extra.filter { $0.0 != Recipe.untitledMark } : []
    let own = Set(extra.map(\.0))
    let members: [(String, JSONValue)] = [
      ("id", .string(entry.ids[Self.format] ?? entry.uuid)),
      ("title", .string(recipe.isUntitled ? "" : recipe.title)), ("text", .text(recipe.summary)),
      // Mela has no tags and no author.
      (
        "categories",
        .array(
          (recipe.categories + recipe.tags).withoutRepeats.map { name in
            .string(String(name.map { $0 == "," ? " " : $0 }))
          })
      ),
      ("yield", .text(recipe.yield ?? recipe.servings.map(AmountText.text))),
      ("prepTime", .text(recipe.prepTime?.text)), ("cookTime", .text(recipe.cookTime?.text)),
      ("totalTime", .text(recipe.totalTime?.text)),
      ("ingredients", .string(recipe.ingredientLines { "# \($0)" }.joined(separator: "\n"))),
      ("instructions", .string(recipe.stepLines { "# \($0)" }.joined(separator: "\n"))),
      ("notes", .text(recipe.notes)),
      ("nutrition", .string(recipe.nutritionLines.joined(separator: "\n"))),
      ("link", .text(recipe.url ?? recipe.source ?? recipe.author)),
      ("favorite", .bool(recipe.isFavorite ?? false)),
    ]
    return members.filter { !own.contains($0.0) } + extra
  }
}
