internal import Decant
internal import JSON
internal import XML

/// Reads the recipes of one document after the other, of whatever format it is.
final class RecipeDocuments {
  private let stager: RecipeStager
  private let findings: RecipeFindings
  private let spool: TextSpool
  private let folder: String
  private let only: String?
  private let cancellation: Cancellation
  private let onProgress: (Int64) -> Void

  /// Makes a reader; what the parameters are is said at `RecipeFiles`.
  init(
    _ stager: RecipeStager,
    _ findings: RecipeFindings,
    spool: TextSpool,
    folder: String,
    only: String?,
    cancellation: Cancellation,
    onProgress: @escaping (Int64) -> Void
  ) {
    self.stager = stager
    self.findings = findings
    self.spool = spool
    self.folder = folder
    self.only = only
    self.cancellation = cancellation
    self.onProgress = onProgress
  }

  /// Reads one document, which is no container; what is no recipe in it is noted.
  func read(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    defer { spool.clear() }
    let recipeCount = findings.recipeCount
    do {
      switch input.kind {
      case .json: try readJSON(input, entry)
      case .html, .xml: try readMarkup(input, entry)
      case .text: try readText(input, entry)
      case .database: findings.passOver(entry.shown, "it is a database")
      case .packed, .picture, .empty, .unknown:
        findings.passOver(entry.shown, "it is no recipe file")
      }
    } catch let fault as RecipeFault {
      // Much is JSON, or looks like it, and not whole: settings, templates.
      let isOther = input.kind == .json && findings.recipeCount == recipeCount
      guard isOther, !input.mentionsRecipe, !entry.isNamedRecipe else {
        return findings.reject(entry.shown, fault.message)
      }
      findings.passOver(entry.shown, "it is no JSON that can be read: \(fault.message)")
    }
  }

  /// Ends the reading where it was stopped.
  func checkStop() throws {
    guard !cancellation.isCancelled else {
      throw DecantError(.interrupted, "the reading was stopped", remedy: "nothing was changed")
    }
  }

  private func context(_ entry: RecipeEntry) -> RecipeContext {
    RecipeContext(entry: entry.name, pictures: stager.pictures)
  }

  // MARK: JSON

  private func readJSON(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    let context = context(entry)
    let document = JSONDocument(spool: spool) { buffer in try input.read(into: buffer) }
    document.warn = context.warn
    if isWanted(MealieFormat.name), MealieBackup.isFile(entry.name, input.head) {
      return try readBackup(document, context, entry)
    }
    var found = false
    let rest = try document.read(streaming: ["recipes"]) { _, element in
      do {
        if try takeJSON(try element.get(), context, entry) { found = true }
      } catch let fault as RecipeFault {
        found = true
        findings.reject(entry.shown, fault.message)
      }
    }
    if try takeJSON(rest, context, entry) { found = true }
    guard !found else { return }
    findings.passOver(entry.shown, "it is JSON, and no recipe of a kind that decant knows")
  }

  /// Reads the rows of a Mealie's database, and then the recipes that they make.
  private func readBackup(_ document: JSONDocument, _ context: RecipeContext, _ entry: RecipeEntry)
    throws
  {
    let backup = try MealieBackup(folder: folder)
    for fault in try backup.take(document) { findings.reject(entry.shown, fault.message) }
    try backup.forEachRecipe(spool) { result in
      try take(MealieFormat.name, context, entry) { try result.get() }
    }
  }

  /// Takes the recipes that an object is or holds; false for none.
  private func takeJSON(_ value: DocumentValue, _ context: RecipeContext, _ entry: RecipeEntry)
    throws -> Bool
  {
    if case .array(let elements) = value {
      return try elements.reduce(false) { try takeJSON($1, context, entry) || $0 }
    }
    guard case .object(let members) = value, !members.isEmpty else { return false }
    let formats = RecipeFormats.json.filter { isWanted($0.name) && $0.matches(value) }
    guard
      let format = formats.first(where: {
        $0 != NextcloudFormat.self || NextcloudFormat.isFile(context.entry)
      })
    else {
      // Recipes may lie deep in what a page says of itself.
      let nodes = isWanted(SchemaRecipe.name) ? SchemaRecipe.recipes(in: value) : []
      for node in nodes {
        try take(SchemaRecipe.name, context, entry) { try SchemaRecipe.recipe(node, context) }
      }
      return !nodes.isEmpty
    }
    try take(format.name, context, entry) { try format.recipe(value, context) }
    return true
  }

  // MARK: Markup and text

  private func readMarkup(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    let isHTML = input.kind == .html
    let context = context(entry)
    do {
      let document = try MarkupDocument(spool: spool, isHTML: isHTML) { buffer in
        try input.read(into: buffer)
      }
      if isHTML {
        try readPage(document, context, entry)
      } else {
        try readXML(document, context, entry)
      }
    } catch let error as XMLError {
      throw RecipeFault(error.description)
    }
  }

  private func readXML(_ document: MarkupDocument, _ context: RecipeContext, _ entry: RecipeEntry)
    throws
  {
    guard let root = try document.root() else {
      return findings.passOver(entry.shown, "it is empty")
    }
    let formats = RecipeFormats.markup.filter { isWanted($0.name) && $0.matches(root: root) }
    guard !formats.isEmpty else {
      return findings.passOver(entry.shown, "it is XML, and no recipe of a kind that decant knows")
    }
    var current: (any MarkupRecipeFormat.Type)?
    try document.forEachRecord { element, path in
      current = formats.first { $0.isRecord(element, path: path) }
      return current != nil
    } _: { element in
      guard let format = current else { return }
      try takeMarkup(element, format, context, entry)
      for warning in document.takeWarnings() { findings.warn(entry.shown, warning) }
    }
    for warning in document.takeWarnings() { findings.warn(entry.shown, warning) }
  }

  /// Takes the recipes of a page.
  private func readPage(_ document: MarkupDocument, _ context: RecipeContext, _ entry: RecipeEntry)
    throws
  {
    var found = false
    try HTMLRecipes.read(document, context) { text, context in
      let value = try JSONDocument(text, spool: spool).read()
      return try SchemaRecipe.recipes(in: value).map { node in
        do {
          return .success(try SchemaRecipe.recipe(node, context))
        } catch let fault as RecipeFault {
          return .failure(fault)
        }
      }
    } _: { format, result in
      guard isWanted(format.name) else { return }
      found = true
      try take(format.name, context, entry) { try result.get() }
      for warning in document.takeWarnings() { findings.warn(entry.shown, warning) }
    }
    guard !found else { return }
    findings.passOver(entry.shown, "it is a page without a recipe of a kind that decant knows")
  }

  /// Takes the recipe that a record is, if it is one.
  private func takeMarkup(
    _ element: MarkupElement,
    _ format: any MarkupRecipeFormat.Type,
    _ context: RecipeContext,
    _ entry: RecipeEntry
  ) throws {
    do {
      guard let recipe = try format.recipe(element, context) else { return }
      try take(format.name, context, entry) { recipe }
    } catch let fault as RecipeFault {
      reject(fault, context, entry)
    }
  }

  private func readText(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    guard
      let format = RecipeFormats.text.first(where: {
        isWanted($0.name) && $0.matches(input.head, name: entry.name)
      })
    else {
      let reason = "it is text, and no recipe of a kind that decant knows"
      return entry.isNamedRecipe
        ? findings.reject(entry.shown, reason) : findings.passOver(entry.shown, reason)
    }
    let context = context(entry)
    let lines = TextLines { buffer in try input.read(into: buffer) }
    try format.read(lines, context) { result in
      try take(format.name, context, entry) { try result.get() }
    }
  }

  // MARK: Recipes

  private func isWanted(_ format: String) -> Bool { only.map { $0 == format } ?? true }

  /// Takes the recipe that `read` gives; a fault of its rejects it alone.
  private func take(
    _ format: String,
    _ context: RecipeContext,
    _ entry: RecipeEntry,
    _ read: () throws -> Recipe
  ) throws {
    try checkStop()
    do {
      var recipe = try read()
      recipe.complete()
      let missing = try stager.take(recipe, format: format, entry: entry.name, entry.scope)
      for text in context.takeWarnings() + recipe.warnings + missing {
        findings.warn(
          entry.shown,
          "\(recipe.title.isEmpty ? "Untitled" : recipe.title): \(text)"
        )
      }
      findings.count(format)
      if findings.recipeCount % 100 == 0 { onProgress(findings.recipeCount) }
    } catch let fault as RecipeFault {
      reject(fault, context, entry)
    }
  }

  private func reject(_ fault: RecipeFault, _ context: RecipeContext, _ entry: RecipeEntry) {
    _ = context.takeWarnings()
    stager.pictures.clear()
    findings.reject(entry.shown, fault.message)
  }
}

extension Recipe {
  /// Fills in what follows from what is there.
  mutating func complete() {
    if servings == nil { servings = yield.flatMap(Servings.number) }
    categories = categories.map(\.trimmingBlanks).filter { !$0.isEmpty }
    tags = tags.map(\.trimmingBlanks).filter { !$0.isEmpty }
    for index in ingredients.indices { ingredients[index].fillParts() }
  }
}
