internal import DecantRecipeFormats
internal import DecantBase
internal import DecantContainers
internal import DecantJSON
internal import DecantSystem
internal import DecantXML

/// Reads the recipes of one document after the other, in any format.
final class RecipeDocuments {
  let stager: RecipeStager
  let findings: RecipeFindings
  let spool: TextSpool
  /// Stores the pictures in addresses of a page, and the content of a page that was saved in one file.
  let pageSpool: TextSpool
  private let savedSpool: TextSpool
  let folder: String
  private let only: String?
  /// Whether the layout of pages is read.
  let readsLayout: Bool
  /// Reads archives of recipes, if they count as recipe files.
  private let archives: RecipeArchives?
  /// The number of documents that were kept for examination.
  private var keptCount = 0
  private let cancellation: Cancellation
  private let onProgress: (Int64) -> Void

  /// Makes a reader; the parameters are described at `RecipeFiles`.
  init(
    _ stager: RecipeStager,
    _ findings: RecipeFindings,
    spool: TextSpool,
    folder: String,
    only: String?,
    readsLayout: Bool,
    archives: RecipeArchives?,
    cancellation: Cancellation,
    onProgress: @escaping (Int64) -> Void
  ) throws(DecantError) {
    pageSpool = try TextSpool(at: "\(folder)/page")
    savedSpool = try TextSpool(at: "\(folder)/saved")
    self.stager = stager
    self.findings = findings
    self.spool = spool
    self.folder = folder
    self.only = only
    self.readsLayout = readsLayout
    self.archives = archives
    self.cancellation = cancellation
    self.onProgress = onProgress
  }

  /// Reads one document that is not a container; anything in it that is not a recipe is reported.
  func read(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    guard let archives, RecipeArchives.mayBeOne(input) else { return try readDocument(input, entry) }
    keptCount += 1
    let path = "\(folder)/document\(keptCount)"
    let kept = try TextSpool(at: path, memoryByteCount: 0)
    defer { unlink(path) }
    try input.forEachPiece { try kept.append($0) }
    if archives.isRecipes(path) { return try archives.take(path, entry) }
    let file = try ContainerReader(path: path, limits: ContainerLimits(), unpacksMembers: false)
    _ = try file.nextMember()
    try readDocument(RecipeInput { buffer in try file.read(into: buffer) }, entry)
  }

  private func readDocument(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    defer { spool.clear() }
    let recipeCount = findings.recipeCount
    let document = stager.beginDocument()
    do {
      switch input.kind {
      case .json: try readJSON(input, entry)
      case .html, .xml: try readMarkup(input, entry)
      case .text: try readText(input, entry)
      case .saved(let form): return try readSaved(input, form, entry)
      case .database: findings.passOver(entry.shown, "it is a database")
      case .foreign(let document): findings.passOver(entry.shown, "it is \(document.rawValue)")
      case .picture: findings.passOver(entry.shown, "it is \(ForeignDocument.picture.rawValue)")
      case .empty: findings.passOver(entry.shown, "it is empty")
      case .packed, .unknown:
        findings.passOver(entry.shown, "it is not a recipe file")
      }
    } catch let fault as RecipeFault {
      // Many files are JSON, or look like it, without being recipes: settings, templates.
      let isOther = input.kind == .json && findings.recipeCount == recipeCount
      guard isOther, !input.mentionsRecipe, !entry.isNamedRecipe else {
        let rest = input.kind == .json ? "; nothing after that can be read" : ""
        return findings.reject(entry.shown, fault.message + rest)
      }
      findings.passOver(entry.shown, "it is not readable JSON: \(fault.message)")
    }
    guard findings.recipeCount > recipeCount, let digest = input.wholeHash() else { return }
    try stager.note(digest: digest, of: document)
  }

  /// Reads a page that was saved together with its pictures in one file.
  private func readSaved(_ input: RecipeInput, _ form: SavedPage.Form, _ entry: RecipeEntry) throws {
    defer { savedSpool.clear() }
    let saved = try SavedPage.read(input, form, savedSpool, stager.pictures)
    for warning in saved.warnings { findings.warn(entry.shown, warning) }
    var page = RecipeEntry(name: entry.name, shown: entry.shown, scope: saved, depth: entry.depth)
    page.saved = saved
    try readDocument(RecipeInput(saved.bytes()), page)
  }

  /// Throws if the reading was cancelled.
  func checkStop() throws {
    guard !cancellation.isCancelled else {
      throw DecantError(.interrupted, "reading was interrupted", remedy: "nothing was changed")
    }
  }

  func context(_ entry: RecipeEntry) -> RecipeContext {
    RecipeContext(entry: entry.name, pictures: stager.pictures)
  }

  // MARK: Markup and text

  private func readMarkup(_ input: RecipeInput, _ entry: RecipeEntry) throws {
    let isHTML = try input.kind == .html || isFragment(input)
    let context = context(entry)
    do {
      let document = try MarkupDocument(spool: spool, isHTML: isHTML, try markup(input))
      if isHTML {
        try readPage(document, context, entry, head: input.head)
      } else {
        try readXML(document, context, entry)
      }
    } catch let error as XMLError {
      throw RecipeFault(error.description)
    }
  }

  /// Returns a closure that supplies the bytes of a document; if it is written as a JSON string, those of the string.
  private func markup(_ input: RecipeInput) throws -> (UnsafeMutableRawBufferPointer) throws -> Int {
    guard input.isString else { return { buffer in try input.read(into: buffer) } }
    let strings = try TextSpool(at: "\(folder)/string")
    let string = JSONDocument(spool: strings) { buffer in try input.read(into: buffer) }
    guard case .text(let text) = try string.read() else { throw RecipeFault("it is no string of JSON") }
    return text.bytes
  }

  /// Whether apparent XML is a fragment of a page: not in any XML format, but with the markup of recipes in pages.
  private func isFragment(_ input: RecipeInput) throws -> Bool {
    let text = String(decoding: input.head.filter { $0 != 0 }, as: UTF8.self).lowercased()
    guard text.contains("itemtype") || text.contains("ld+json") else { return false }
    var rest = input.head[...]
    let head = try MarkupDocument(spool: spool, isHTML: false) { buffer in
      let count = min(buffer.count, rest.count)
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
    guard let root = try head.root() else { return true }
    return !RecipeFormats.markup.contains { $0.matches(root: root) }
  }

  private func readXML(_ document: MarkupDocument, _ context: RecipeContext, _ entry: RecipeEntry) throws {
    guard let root = try document.root() else {
      let warnings = document.takeWarnings()
      return findings.passOver(entry.shown, warnings.first ?? "it is empty")
    }
    let formats = RecipeFormats.markup.filter { isWanted($0.name) && $0.matches(root: root) }
    guard !formats.isEmpty else {
      return findings.passOver(entry.shown, "it is XML, but not a recipe format that decant supports")
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

  /// Takes the recipe in a record, if it is one.
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
      let reason = "it is text, but not a recipe format that decant supports"
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

  func isWanted(_ format: String) -> Bool { only.map { $0 == format } ?? true }

  /// Takes the recipe that `read` returns; a fault rejects only this recipe.
  ///
  /// - Returns: The key of its row; `nil` for a fault.
  @discardableResult
  func take(
    _ format: String,
    _ context: RecipeContext,
    _ entry: RecipeEntry,
    _ read: () throws -> Recipe
  ) throws -> Int64? {
    try checkStop()
    do {
      var recipe = try read()
      recipe.settle()
      // A page may supply the missing parts elsewhere.
      if format != HTMLPageFormat.name, let gap = recipe.gap { recipe.warnings.append("the recipe has \(gap)") }
      let (key, missing) = try stager.take(recipe, format: format, entry: entry.name, entry.scope)
      let confidence = context.confidence
      let remarks = context.takeWarnings() + recipe.warnings
      if !remarks.isEmpty { findings.noteDamage(key) }
      warn(of: recipe, key, remarks + missing, entry, confidence)
      findings.count(format)
      if findings.recipeCount % 100 == 0 { onProgress(findings.recipeCount) }
      return key
    } catch let fault as RecipeFault {
      reject(fault, context, entry)
      return nil
    }
  }

  /// Adds a warning about a recipe that was taken.
  func warn(
    of recipe: Recipe,
    _ key: Int64,
    _ texts: [String],
    _ entry: RecipeEntry,
    _ confidence: (text: String, value: String)? = nil
  ) {
    let title = recipe.title.isEmpty ? "Untitled" : recipe.title
    for text in texts {
      let value = confidence?.text == text ? confidence?.value : nil
      findings.warn(entry.shown, text, of: (key, title), confidence: value)
    }
  }

  func reject(_ fault: RecipeFault, _ context: RecipeContext, _ entry: RecipeEntry) {
    _ = context.takeWarnings()
    stager.pictures.clear()
    findings.reject(entry.shown, fault.message)
  }
}

extension Recipe {
  /// Derives missing values from present ones.
  mutating func complete() {
    settle()
    fillParts()
  }

  /// Derives the number of servings, and trims categories and tags.
  mutating func settle() {
    if servings == nil { servings = yield.flatMap(Servings.number) }
    categories = categories.map(\.trimmed).filter { !$0.isEmpty }
    tags = tags.map(\.trimmed).filter { !$0.isEmpty }
  }

  /// Derives the parts of the ingredients.
  mutating func fillParts() { for index in ingredients.indices { ingredients[index].fillParts() } }
}
