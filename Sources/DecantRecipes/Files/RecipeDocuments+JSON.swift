internal import DecantArchive
internal import DecantRecipeFormats

extension RecipeDocuments {
  /// Reads a JSON document; anything in it that is not a recipe is reported.
  func readJSON(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    let context = context(entry)
    let document = JSONDocument(spool: spool) { buffer in try input.read(into: buffer) }
    document.warn = context.warn
    if isWanted(MealieFormat.name), MealieBackup.isFile(entry.name, input.head) {
      return try readBackup(document, context, entry)
    }
    let recipes = JSONRecipes(
      document,
      spool: spool,
      JSONRecipes.Takers(
        object: { try self.takeObject($0, context, entry) },
        node: { try self.takeNode($0, context, entry) },
        fault: { self.reject($0, context, entry) },
        warning: { self.findings.warn(entry.shown, $0) }
      )
    )
    guard try !recipes.read() else { return }
    findings.passOver(
      entry.shown,
      ArchiveStream.isArchive(head: input.head)
        ? "it is a decant archive: pass it directly"
        : "it is JSON, but not a recipe format that decant supports"
    )
  }

  /// Reads the rows of a Mealie database, and then the recipes assembled from them.
  private func readBackup(_ document: JSONDocument, _ context: RecipeContext, _ entry: RecipeEntry) throws {
    let backup = try MealieBackup(folder: folder)
    for fault in try backup.take(document) { findings.reject(entry.shown, fault.message) }
    if let place = document.leftover {
      findings.warn(entry.shown, "the data after the backup, from byte \(place) on, was not read")
    }
    try backup.forEachRecipe(spool) { result in
      try take(MealieFormat.name, context, entry) { try result.get() }
    }
  }

  /// Takes the recipes that an object is or contains; returns `false` if there are none.
  private func takeObject(_ value: DocumentValue, _ context: RecipeContext, _ entry: RecipeEntry) throws -> Bool {
    if case .array(let elements) = value {
      return try elements.reduce(false) { try takeObject($1, context, entry) || $0 }
    }
    guard case .object(let members) = value, !members.isEmpty else { return false }
    let formats = RecipeFormats.json.filter { isWanted($0.name) && $0.matches(value) }
    guard
      let format = formats.first(where: {
        $0 != NextcloudFormat.self || NextcloudFormat.isFile(context.entry)
      })
    else {
      // Recipes may be deeply nested in the metadata of a page.
      let nodes = isWanted(SchemaRecipe.name) ? SchemaRecipe.recipes(in: value) : []
      for node in nodes { try takeNode(node, context, entry) }
      return !nodes.isEmpty
    }
    try take(format.name, context, entry) { try format.recipe(value, context) }
    return true
  }

  private func takeNode(_ node: DocumentValue, _ context: RecipeContext, _ entry: RecipeEntry) throws {
    guard isWanted(SchemaRecipe.name) else { return }
    try take(SchemaRecipe.name, context, entry) { try SchemaRecipe.recipe(node, context) }
  }
}
