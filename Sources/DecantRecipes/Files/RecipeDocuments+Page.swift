internal import DecantPageLayout
internal import DecantRecipeFormats

extension RecipeDocuments {
  /// Takes the recipes of a page.
  func readPage(_ document: MarkupDocument, _ context: RecipeContext, _ entry: RecipeEntry, head: [UInt8]) throws {
    var found = false
    /// The keys of the recipes; `nil` for those that were not taken.
    var keys: [Int64?] = []
    /// The numbers of the recipes whose data give no address.
    var unplaced: Set<Int> = []
    var damages: [String] = []
    defer { pageSpool.clear() }
    let pictures = PagePictures(
      spool: pageSpool, address: entry.saved?.address, holdsWeb: entry.saved != nil, head: head)
    let page = LayoutReader(readsLayout: readsLayout, pictures, savedFrom: entry.saved?.address, head: head)
    let scripts = JSONRecipes.Page()
    try HTMLRecipes.read(document, context, page) { text, context, take in
      try readScript(text, of: scripts, context, warning: { damages.append($0) }, take)
    } _: { thing in
      switch thing {
      case .recipe(let format, let result):
        if isWanted(format.name) {
          found = true
          if format == HTMLPageFormat.self, (try? result.get())?.url == nil { unplaced.insert(keys.count) }
          keys.append(try take(format.name, context, entry) { try result.get() })
        } else {
          keys.append(nil)
          forget(context)
        }
      case .again(let recipe, let place):
        if recipe.url != nil { unplaced.remove(place.number) }
        try add(recipe, at: place, &keys, context, entry)
      case .damage(let text): damages.append(text)
      }
      for warning in document.takeWarnings() { findings.warn(entry.shown, warning) }
    }
    if let address = page.address {
      // Other data of the page may follow a recipe, so that it gets the page's address last.
      for key in unplaced.sorted().compactMap({ keys[$0] }) {
        var place = Recipe()
        place.url = address
        try stager.complete(key, with: place)
      }
    }
    // What the whole page shows concerns none of its recipes.
    for warning in context.takeWarnings() { findings.warn(entry.shown, warning) }
    if keys.count > 1 {
      // For a page with one recipe, the reader of the layout warns.
      for key in keys.compactMap({ $0 }) {
        guard let (title, gap) = try stager.gap(of: key) else { continue }
        findings.warn(entry.shown, "the page gives \(gap)", of: (key, title))
      }
    }
    if document.isCutOff {
      for warning in document.takeWarnings() { findings.warn(entry.shown, warning) }
    }
    if found {
      for damage in damages { findings.warn(entry.shown, damage) }
    } else if !damages.isEmpty, isWanted(HTMLPageFormat.name) {
      findings.reject(entry.shown, damages.joined(separator: "; "))
    } else {
      let data = readsLayout ? "a recipe in a format that decant supports" : "a recipe in its structured data"
      let title = page.lacksTitle ? "; it has ingredients and steps, but no title: add one as <h1>" : ""
      let omission = document.omission.map { "; \($0)" } ?? ""
      findings.passOver(entry.shown, "it is a page without \(data)\(title)\(omission)")
    }
  }

  /// Reads the recipes of a JSON-LD script; at the end of the page those that refer to later scripts, once more.
  private func readScript(
    _ text: DocumentText?,
    of page: JSONRecipes.Page,
    _ context: RecipeContext,
    warning: @escaping (String) -> Void,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws {
    try withoutActuallyEscaping(take) { take in
      func takeNode(_ node: DocumentValue) throws {
        let result: Result<Recipe, RecipeFault>
        do {
          result = .success(try SchemaRecipe.recipe(node, context))
        } catch let fault as RecipeFault {
          result = .failure(fault)
        }
        try take(result)
      }
      guard let text else { return try page.completed.forEach(takeNode) }
      let recipes = JSONRecipes(
        JSONDocument(text, spool: spool),
        of: page,
        spool: spool,
        JSONRecipes.Takers(
          object: { value in
            let nodes = SchemaRecipe.recipes(in: value)
            for node in nodes { try takeNode(node) }
            return !nodes.isEmpty
          },
          node: takeNode,
          fault: { try take(.failure($0)) },
          warning: warning
        )
      )
      _ = try recipes.read()
    }
  }

  /// Adds everything to an earlier recipe that only its repetition has.
  private func add(
    _ recipe: Recipe,
    at place: SeenRecipes.Place,
    _ keys: inout [Int64?],
    _ context: RecipeContext,
    _ entry: RecipeEntry
  ) throws {
    guard let key = keys[place.number] else { return forget(context) }
    if place.isBare {
      // The earlier recipe is the less complete one, so it is merged into this one.
      var recipe = recipe
      recipe.settle()
      let whole = try stager.take(recipe, format: HTMLPageFormat.name, entry: entry.name, entry.scope)
      try stager.move(from: key, to: whole.key)
      keys[place.number] = whole.key
      return warn(of: recipe, whole.key, context.takeWarnings() + whole.warnings, entry)
    }
    let steps = recipe.images.contains { $0.step != nil } ? try stager.steps(of: key) : []
    let images = RecipeImages(recipe.images, of: key, steps: steps, after: place.imageCount, entry: entry.name)
    var warnings = context.takeWarnings() + (try stager.add(images, entry.scope))
    if place.isOtherwise {
      warnings.append("the page has it twice, with different ingredients and steps; the first ones are used")
    }
    try stager.complete(key, with: recipe)
    warn(of: recipe, key, warnings, entry)
  }

  /// Discards pictures and warnings of a recipe that is not taken.
  private func forget(_ context: RecipeContext) {
    _ = context.takeWarnings()
    stager.pictures.clear()
  }
}
