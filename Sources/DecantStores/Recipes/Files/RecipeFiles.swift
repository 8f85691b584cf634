internal import Containers
internal import Decant
internal import Glibc
internal import JSON
internal import XML

/// Reads the recipes out of files, folders and what is packed in them, whatever they are called.
///
/// What cannot be read is noted with its reason, and all else goes on.
final class RecipeFiles {
  /// Something that became no recipe.
  struct Reject: Sendable, Hashable {
    /// The file that was named, and the entry in it where that is a container or a folder.
    let file: String
    let entry: String?
    let reason: String
  }

  /// A remark about a recipe that was taken.
  struct Warning: Sendable, Hashable {
    let file: String
    let entry: String?
    let text: String
  }

  private let stager: RecipeStager
  private let spool: TextSpool
  private let folder: TemporaryFolder
  private let limits: ContainerLimits
  private let cancellation: Cancellation
  /// Which format alone is read, if that was said.
  private let only: String?
  private var containerCount = 0
  private var file = ""
  private(set) var rejects: [Reject] = []
  private(set) var warnings: [Warning] = []
  /// Files that hold nothing that any format knows.
  private(set) var unknown: [Reject] = []
  /// How many recipes were read, by format.
  private(set) var counts: [String: Int64] = [:]
  /// Told from time to time how many recipes there were.
  var onProgress: (Int64) -> Void = { _ in }

  /// How deep containers may lie in one another.
  private static let depth = 4
  /// How many warnings are kept.
  private static let warningLimit = 1000

  init(
    _ stager: RecipeStager,
    in folder: TemporaryFolder,
    limits: ContainerLimits = ContainerLimits(),
    only: String? = nil,
    cancellation: Cancellation = Cancellation()
  ) throws(DecantError) {
    self.stager = stager
    self.folder = folder
    self.limits = limits
    self.only = only
    self.cancellation = cancellation
    spool = try TextSpool(in: folder.path)
  }

  var recipeCount: Int64 { counts.values.reduce(0, +) }

  // MARK: Places

  /// Reads a file or a folder that the user named.
  ///
  /// - Throws: `DecantError` where nothing is there, where it cannot be opened, or for a stop.
  func read(_ path: String) throws(DecantError) {
    file = path
    stager.fileNumber += 1
    guard let status = FileStatus(path) else {
      throw DecantError(
        .storeNotFound,
        "there is no file at “\(path)”",
        remedy: "check the spelling"
      )
    }
    do {
      if status.isFolder {
        try read(folder: path, FolderScope(path, stager.pictures))
      } else {
        let scope = FolderScope(Files.folder(of: path), stager.pictures)
        try readFile(path, entry: Files.name(of: path), isEntry: false, scope)
      }
    } catch let error as DecantError {
      throw error
    } catch {
      throw DecantError(.failed, "cannot read “\(path)”: \(error)")
    }
  }

  /// Reads all files of a folder and of those in it, in the order of their names.
  private func read(folder root: String, _ scope: FolderScope) throws {
    var waiting = [""]
    while let place = waiting.popLast() {
      let path = place.isEmpty ? root : "\(root)/\(place)"
      var folders: [String] = []
      for name in try Files.names(in: path).sorted() where !Self.isNoise(name) {
        let entry = place.isEmpty ? name : "\(place)/\(name)"
        guard let status = FileStatus(unfollowed: "\(root)/\(entry)") else { continue }
        if status.isFolder {
          folders.append(entry)
        } else if status.isFile {
          try readFile("\(root)/\(entry)", entry: entry, isEntry: true, scope)
        } else {
          note(entry, status.isLink ? "it is a link" : "it is no file")
        }
      }
      waiting += folders.reversed()
    }
  }

  /// What macOS and other systems add, which nobody put there.
  private static func isNoise(_ path: String) -> Bool {
    path.split(separator: "/").contains { part in
      part == "__MACOSX" || part.hasPrefix(".") || part == "Thumbs.db" || part == "desktop.ini"
    }
  }

  private func readFile(
    _ path: String,
    entry: String,
    isEntry: Bool,
    _ scope: any RecipeScope
  ) throws {
    let known = isEntry ? entry : nil
    if isEntry { stager.fileNumber += 1 }
    let before = (recipeCount, rejects.count)
    do {
      try readContainer(path, entry: entry, known: known, scope, depth: 0)
    } catch ContainerError.empty {
      note(known, "it is empty")
    } catch let error as ContainerError {
      rejects.append(Reject(file: file, entry: known, reason: "\(error)"))
    }
    if (recipeCount, rejects.count) == before,
      unknown.last?.entry != known || unknown.last?.file != file
    {
      unknown.append(
        Reject(file: file, entry: known, reason: "there is nothing in it that is a recipe")
      )
    }
  }

  /// Reads a file that may be packed: itself, or the members of a zip.
  private func readContainer(
    _ path: String,
    entry: String,
    known: String?,
    _ scope: any RecipeScope,
    depth: Int
  ) throws {
    let reader = try ContainerReader(path: path, limits: limits, unpacksMembers: false)
    try readContainer(reader, entry: entry, known: known, scope, depth: depth)
  }

  private func readContainer(
    _ reader: ContainerReader,
    entry: String,
    known: String?,
    _ scope: any RecipeScope,
    depth: Int
  ) throws {
    var zip: ZipScope?
    var failure: (any Error)?
    do {
      var last: String?
      while let member = try nextMember(of: reader, behind: last) {
        try checkStop()
        guard let bytes = member.nameBytes else {
          let input = try RecipeInput { buffer in try reader.read(into: buffer) }
          try read(input, entry: entry, known: known, scope, depth: depth)
          continue
        }
        let own = try zip ?? makeScope()
        zip = own
        let name = RecipeEncoding.name(bytes)
        guard !Self.isNoise(name), let path = EntryPath.clean(name) else { continue }
        let shown = (known.map { "\($0)/" } ?? "") + path
        last = shown
        do {
          let input = try RecipeInput { buffer in try reader.read(into: buffer) }
          try readMember(input, path, known: shown, own, depth: depth)
        } catch let error as ContainerError {
          stager.pictures.clear()
          let isLast = !reader.skipMember()
          let rest = isLast ? "; nothing behind it can be read" : ""
          rejects.append(Reject(file: file, entry: shown, reason: "\(error)\(rest)"))
          if isLast { break }
        }
      }
    } catch {
      failure = error
    }
    // Whatever came has its pictures, as far as they came.
    if let zip {
      for missing in try stager.settlePictures(zip) {
        warn(missing.entry, missing.warning)
      }
      try Files.removeTree(zip.folder)
    }
    if let failure { throw failure }
  }

  /// Goes on to the next member; what was wrong at the end of the one before, once it was read, is a remark.
  private func nextMember(of reader: ContainerReader, behind last: String?) throws
    -> ContainerMember?
  {
    while true {
      do {
        return try reader.nextMember()
      } catch {
        guard let last, reader.skipMember() else { throw error }
        warn(last, "\(error)")
      }
    }
  }

  /// A place for the pictures of a zip.
  private func makeScope() throws -> ZipScope {
    containerCount += 1
    let place = "\(folder.path)/container\(containerCount)"
    try Files.makeFolder(place)
    return try ZipScope(in: place)
  }

  /// Reads one member of a zip; what is wrong with it spoils no other.
  private func readMember(
    _ input: RecipeInput,
    _ path: String,
    known: String,
    _ scope: ZipScope,
    depth: Int
  ) throws {
    if input.kind == .picture {
      do {
        try scope.take(path) { spool in try input.forEachPiece(spool) }
      } catch let fault as RecipeFault {
        warn(known, fault.message)
      }
      return
    }
    try read(input, entry: path, known: known, scope, depth: depth)
  }

  /// Reads one document, or what is packed in it.
  private func read(
    _ input: RecipeInput,
    entry: String,
    known: String?,
    _ scope: any RecipeScope,
    depth: Int
  ) throws {
    defer { spool.clear() }
    do {
      switch input.kind {
      case .packed: try readPacked(input, entry: entry, known: known, scope, depth: depth)
      case .json: try readJSON(input, entry: entry, known: known, scope)
      case .html, .xml: try readMarkup(input, entry: entry, known: known, scope)
      case .text: try readText(input, entry: entry, known: known, scope)
      case .picture, .empty, .unknown, .database:
        note(known, "it is \(input.kind == .database ? "a database" : "no recipe file")")
      }
    } catch let fault as RecipeFault {
      rejects.append(Reject(file: file, entry: known, reason: fault.message))
    }
  }

  /// Unpacks what lies packed in a container: gzip as it comes, all else in a file of its own.
  private func readPacked(
    _ input: RecipeInput,
    entry: String,
    known: String?,
    _ scope: any RecipeScope,
    depth: Int
  ) throws {
    guard depth < Self.depth else {
      throw RecipeFault("containers lie in containers more than \(Self.depth) deep")
    }
    if input.head.starts(with: [0x1f, 0x8b]) {
      return try readUnpacking(input, entry: entry, known: known, scope, depth: depth)
    }
    containerCount += 1
    let path = "\(folder.path)/packed\(containerCount)"
    let unpacked = try TextSpool(at: path, memoryByteCount: 0)
    // What stays behind goes with the folder.
    defer { unlink(path) }
    try input.forEachPiece { try unpacked.append($0) }
    do {
      try readContainer(path, entry: entry, known: known, scope, depth: depth + 1)
    } catch let error as ContainerError {
      throw RecipeFault("\(error)")
    }
  }

  /// Unpacks what lies packed in a container as it comes.
  private func readUnpacking(
    _ input: RecipeInput,
    entry: String,
    known: String?,
    _ scope: any RecipeScope,
    depth: Int
  ) throws {
    // What is wrong around it is not wrong with it.
    var failure: (any Error)?
    do {
      let reader = try ContainerReader(limits: limits, unpacksMembers: false) {
        buffer throws(ContainerError) in
        do {
          return try input.read(into: buffer)
        } catch {
          failure = error
          throw (error as? ContainerError) ?? .truncated("what lies in a container", at: 0)
        }
      }
      try readContainer(reader, entry: entry, known: known, scope, depth: depth + 1)
    } catch let error as ContainerError {
      if let failure { throw failure }
      throw RecipeFault("\(error)")
    }
  }

  // MARK: Documents

  private func readJSON(
    _ input: RecipeInput,
    entry: String,
    known: String?,
    _ scope: any RecipeScope
  ) throws {
    let context = RecipeContext(entry: entry, pictures: stager.pictures)
    let document = JSONDocument(spool: spool) { buffer in try input.read(into: buffer) }
    if isWanted(MealieFormat.name), MealieBackup.isFile(entry, input.head) {
      return try readBackup(document, context, known, scope)
    }
    var found = false
    let rest = try document.read(streaming: ["recipes"]) { _, element in
      do {
        if try takeJSON(try element.get(), context, known, scope) { found = true }
      } catch let fault as RecipeFault {
        found = true
        rejects.append(Reject(file: file, entry: known, reason: fault.message))
      }
    }
    if try takeJSON(rest, context, known, scope) { found = true }
    if !found { note(known, "it is JSON, and no recipe of a kind that decant knows") }
  }

  /// Reads the rows of a Mealie's database, and then the recipes that they make.
  private func readBackup(
    _ document: JSONDocument,
    _ context: RecipeContext,
    _ known: String?,
    _ scope: any RecipeScope
  ) throws {
    let backup = try MealieBackup(folder: folder.path)
    for fault in try backup.take(document) {
      rejects.append(Reject(file: file, entry: known, reason: fault.message))
    }
    try backup.forEachRecipe(spool) { result in
      try take(MealieFormat.name, context, known, scope) { try result.get() }
    }
  }

  /// Takes the recipes that an object is or holds; false for none.
  private func takeJSON(
    _ value: DocumentValue,
    _ context: RecipeContext,
    _ known: String?,
    _ scope: any RecipeScope
  ) throws -> Bool {
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
        try take(SchemaRecipe.name, context, known, scope) {
          try SchemaRecipe.recipe(node, context)
        }
      }
      return !nodes.isEmpty
    }
    try take(format.name, context, known, scope) { try format.recipe(value, context) }
    return true
  }

  private func readMarkup(
    _ input: RecipeInput,
    entry: String,
    known: String?,
    _ scope: any RecipeScope
  ) throws {
    let isHTML = input.kind == .html
    let context = RecipeContext(entry: entry, pictures: stager.pictures)
    do {
      let document = try MarkupDocument(spool: spool, isHTML: isHTML) { buffer in
        try input.read(into: buffer)
      }
      if isHTML { return try readPage(document, context, known, scope) }
      guard let root = try document.root() else { return note(known, "it is empty") }
      let formats = RecipeFormats.markup.filter { isWanted($0.name) && $0.matches(root: root) }
      guard !formats.isEmpty else {
        return note(known, "it is XML, and no recipe of a kind that decant knows")
      }
      var current: (any MarkupRecipeFormat.Type)?
      try document.forEachRecord { element, path in
        current = formats.first { $0.isRecord(element, path: path) }
        return current != nil
      } _: { element in
        guard let format = current else { return }
        try takeMarkup(element, format, context, known, scope)
        for warning in document.takeWarnings() { warn(known, warning) }
      }
      for warning in document.takeWarnings() { warn(known, warning) }
    } catch let error as XMLError {
      throw RecipeFault(error.description)
    }
  }

  /// Takes the recipes of a page.
  private func readPage(
    _ document: MarkupDocument,
    _ context: RecipeContext,
    _ known: String?,
    _ scope: any RecipeScope
  ) throws {
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
      try take(format.name, context, known, scope) { try result.get() }
      for warning in document.takeWarnings() { warn(known, warning) }
    }
    if !found { note(known, "it is a page without a recipe of a kind that decant knows") }
  }

  /// Takes the recipe that a record is, if it is one.
  private func takeMarkup(
    _ element: MarkupElement,
    _ format: any MarkupRecipeFormat.Type,
    _ context: RecipeContext,
    _ known: String?,
    _ scope: any RecipeScope
  ) throws {
    var recipe: Recipe?
    do {
      recipe = try format.recipe(element, context)
    } catch let fault as RecipeFault {
      _ = context.takeWarnings()
      stager.pictures.clear()
      rejects.append(Reject(file: file, entry: known, reason: fault.message))
      return
    }
    guard let recipe else { return }
    try take(format.name, context, known, scope) { recipe }
  }

  private func readText(
    _ input: RecipeInput,
    entry: String,
    known: String?,
    _ scope: any RecipeScope
  ) throws {
    guard
      let format = RecipeFormats.text.first(where: {
        isWanted($0.name) && $0.matches(input.head, name: entry)
      })
    else { return note(known, "it is text, and no recipe of a kind that decant knows") }
    let context = RecipeContext(entry: entry, pictures: stager.pictures)
    let lines = TextLines { buffer in try input.read(into: buffer) }
    try format.read(lines, context) { result in
      try take(format.name, context, known, scope) { try result.get() }
    }
  }

  private func isWanted(_ format: String) -> Bool { only.map { $0 == format } ?? true }

  /// Takes the recipe that `read` gives; a fault of its rejects it alone.
  private func take(
    _ format: String,
    _ context: RecipeContext,
    _ known: String?,
    _ scope: any RecipeScope,
    _ read: () throws -> Recipe
  ) throws {
    try checkStop()
    do {
      var recipe = try read()
      recipe.complete()
      let missing = try stager.take(recipe, format: format, entry: context.entry, scope)
      for text in context.takeWarnings() + recipe.warnings + missing {
        warn(known, "\(recipe.title.isEmpty ? "Untitled" : recipe.title): \(text)")
      }
      counts[format, default: 0] += 1
      if recipeCount % 100 == 0 { onProgress(recipeCount) }
    } catch let fault as RecipeFault {
      _ = context.takeWarnings()
      stager.pictures.clear()
      rejects.append(Reject(file: file, entry: known, reason: fault.message))
    }
  }

  private func warn(_ entry: String?, _ text: String) {
    guard warnings.count < Self.warningLimit else { return }
    warnings.append(Warning(file: file, entry: entry, text: text))
  }

  private func note(_ entry: String?, _ reason: String) {
    unknown.append(Reject(file: file, entry: entry, reason: reason))
  }

  private func checkStop() throws {
    guard !cancellation.isCancelled else {
      throw DecantError(.interrupted, "the reading was stopped", remedy: "nothing was changed")
    }
  }
}

extension Recipe {
  /// Fills in what follows from what is there.
  mutating func complete() {
    if servings == nil { servings = yield.flatMap(Servings.number) }
    categories = categories.map(\.trimmingBlanks).filter { !$0.isEmpty }
    tags = tags.map(\.trimmingBlanks).filter { !$0.isEmpty }
  }
}

extension RecipeFiles {
  /// Whether what is at `path` may hold recipes: a folder, or a file that begins as a format does.
  ///
  /// What cannot be opened is none: whoever opens it says why.
  static func isRecipes(_ path: String) -> Bool {
    guard let status = FileStatus(path) else { return false }
    if status.isFolder { return true }
    guard status.isFile, status.byteCount > 0 else { return false }
    let head = Files.start(of: path, count: 1 << 16)
    var isGiven = false
    let input = try? RecipeInput { buffer in
      guard !isGiven else { return 0 }
      isGiven = true
      buffer.copyBytes(from: head)
      return head.count
    }
    switch input?.kind {
    case .json, .html, .xml, .packed: return true
    case .text:
      return RecipeFormats.text.contains { $0.matches(head, name: Files.name(of: path)) }
    case .picture, .database, .empty, .unknown, nil: return false
    }
  }
}
