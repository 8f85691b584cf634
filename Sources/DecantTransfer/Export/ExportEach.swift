internal import DecantArchive
internal import DecantPages
internal import DecantPlain
internal import DecantRecipes
public import DecantBase
public import DecantPlan
internal import DecantStore

/// An export of every object of an entity, with what it needs, into an archive of its own.
public struct ExportEach: Runnable {
  /// The store to read; it is never changed.
  public let source: String
  /// The entity whose objects are exported, and those of entities below it.
  public let entity: String
  /// The folder that the archives go into; made where it is not there.
  public let folder: String
  /// What the names of the archives end in, such as `.decant.gz`, `.html` or `.eml`.
  public let ending: String
  /// What opens the store.
  let kinds: StoreKinds
  /// What is copied, as in `Export`; `filters` choose among the objects.
  package var options: CopyOptions
  /// How the store is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// Which objects are exported, and what they take along.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// How much effort goes into packing; `nil` for what is fast.
  public var level: Int?
  /// How each page or mail shows its object.
  public var page = PageOptions()

  /// Describes the export.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - source: The store, as `[kind:]place`.
  ///   - place: The folder, or `FOLDER/*.ENDING` to say what is written; `.decant` without.
  public init(_ entity: String, of source: String, into place: String) {
    self.init(entity, of: source, into: place, options: CopyOptions())
  }

  package init(
    _ entity: String,
    of source: String,
    into place: String,
    options: CopyOptions,
    kinds: StoreKinds = .known
  ) {
    self.kinds = kinds
    self.source = source
    self.entity = entity
    self.options = options
    let name = place.split(separator: "/", omittingEmptySubsequences: false).last ?? ""
    if name.hasPrefix("*.") {
      ending = String(name.dropFirst())
      let above = place.dropLast(name.count)
      folder = above.isEmpty ? "." : String(above)
    } else {
      ending = ".decant"
      folder = place
    }
  }

  /// The export, one archive after the other: each is reported by `made`, and all are counted in the end.
  ///
  /// It is stopped after the archive at hand; those that are there stay, and an error says how many they are.
  public var operation: DecantOperation<Int> {
    DecantOperation("export", .export) { cancellation, tell throws(DecantError) in
      try perform(cancellation, tell)
    }
  }

  private func perform(_ cancellation: Cancellation, _ tell: (WorkEvent) -> Void) throws(DecantError) -> Int {
    guard folder != "-", kind != nil, ArchivePlace(trimmedFolder, isAsked: false) == nil else {
      throw DecantError(
        .invalidPlace,
        "“\(folder)” cannot be a folder of archives with the extension “\(ending)”",
        remedy: "use a folder, or FOLDER/*.decant.gz, FOLDER/*.html, FOLDER/*.eml; for recipes "
          + "FOLDER/*.paprikarecipe, FOLDER/*.melarecipe, FOLDER/*.json, FOLDER/*.mmf"
      )
    }
    guard kind == ArchiveKind.name || entity == "Recipe" else {
      throw DecantError(
        .unsuitableOption,
        "“\(ending)” is a recipe file, but \(entity) is not a recipe entity",
        remedy: "use \(say: .each, "Recipe")"
      )
    }
    // All archives are of one state, whoever writes to the store meanwhile.
    let temporary = try ScratchFolder()
    let still = try StillCopy(
      of: kinds.location(source),
      options: options,
      in: temporary,
      opener: kinds,
      cancellation: cancellation
    )
    defer { withExtendedLifetime(temporary) {} }
    let objects = try chosen(in: still.location)
    var names = ArchiveNames(ending: ending)
    for (number, object) in objects.enumerated() {
      guard !cancellation.isCancelled else {
        throw DecantError(
          .interrupted, "interrupted after \(number) of \(objects.count) archives", place: trimmedFolder)
      }
      var options = options
      options.readsPrivateCopy = false
      // What chose the objects says nothing of what they need; of others it does.
      options.filters.removeAll { $0.entity == entity }
      options.roots = [CopyOptions.Filter(entity: entity, expression: "_id = \(object.key)")]
      let name = names.claim(object.title ?? "\(entity) \(object.key)")
      var export = Export(
        from: "\(still.location.kind ?? PlainKind.name):\(still.location.place)",
        to: "\(kind ?? ArchiveKind.name):\(trimmedFolder)/\(name)",
        options: options,
        kinds: kinds
      )
      export.original = still
      export.level = level
      export.page = page
      do throws(DecantError) {
        if number == 0 { try makeFolder() }
        tell(.part(number + 1, of: objects.count))
        tell(.made(try export.perform(cancellation, tell)))
      } catch {
        var told = error.within("“\(name)”, archive \(number + 1) of \(objects.count)")
        guard number > 0 else { throw told }
        told.tell("\(number) of \(objects.count) archives were written before that")
        throw told
      }
    }
    return objects.count
  }

  /// The kind of file that each object goes into; `nil` where the ending is of none.
  private var kind: String? {
    if ArchivePlace("x\(ending)", isAsked: true) != nil { return ArchiveKind.name }
    return RecipePlace(StoreLocation(kind: nil, place: "x\(ending)"))?.format
  }

  private func makeFolder() throws(DecantError) {
    try explaining { () throws(SystemError) in try Files.makeFolder(trimmedFolder) }
  }

  private var trimmedFolder: String {
    folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
  }

  /// The objects, by keys, and what they are called.
  private func chosen(in location: StoreLocation) throws(DecantError) -> [(key: Int64, title: String?)] {
    let store = try kinds.openSource(location, options: options.readingCopy)
    guard
      let relation = store.layout.relations.firstIndex(where: { $0.allEntities.contains(entity) }),
      store.layout.relations[relation].keyColumn != nil
    else {
      throw DecantError(
        .unknownName,
        "there is no entity \(entity) whose objects have their own keys",
        place: "\(option: .each) \(entity)",
        remedy: entity.nearest(in: store.model.entities.map(\.name)).map { "did you mean \($0)?" }
          ?? "list the entities: decant inspect \(StoreKinds.location(source).place.shellQuoted)",
        remedies: [.correctName(entity, among: store.model.entities.map(\.name))]
      )
    }
    let titles = try PageStore(store, scope: SharedScope())
    let conditions = options.filters.filter { $0.entity == entity }.map { "(\($0.expression))" }
    let condition = CopyOptions.Filter(
      entity: entity,
      expression: conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    )
    var objects: [(key: Int64, title: String?)] = []
    for key in try ChosenRoots.keys(condition, in: location, model: options.model, opener: kinds) {
      objects.append((key, try titles.title(of: PageReference(relation: relation, key: key))))
    }
    guard !objects.isEmpty else {
      throw DecantError(
        .objectNotFound,
        "there are no objects of \(entity) to export",
        place: conditions.isEmpty ? nil : "with the condition \(condition.expression)",
        remedy:
          "list the entities: decant inspect \(StoreKinds.location(source).place.shellQuoted)"
      )
    }
    return objects
  }
}

/// Names of files after titles, no two alike.
struct ArchiveNames {
  private let ending: String
  private var taken: Set<String> = []

  init(ending: String) { self.ending = ending }

  /// Returns a name for a file that is about `title`: what no file system allows is left out of it.
  mutating func claim(_ title: String) -> String {
    var plain = ""
    for character in title {
      let isBad = character.unicodeScalars.contains { scalar in
        scalar.properties.generalCategory == .control
          || "/\\:*?\"<>|".unicodeScalars.contains(scalar)
      }
      let next = isBad || character.isWhitespace ? " " : String(character)
      guard plain.utf8.count + next.utf8.count <= 120 else { break }
      if next != " " || !plain.hasSuffix(" ") { plain += next }
    }
    while let last = plain.last, last == " " || last == "." { plain.removeLast() }
    let start = String(plain.drop { $0 == " " || $0 == "." })
    let stem = start.isEmpty ? "Untitled" : start
    var name = stem
    var number = 1
    // File systems may not tell small letters from capitals.
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(stem) (\(number))"
    }
    return name + ending
  }
}
