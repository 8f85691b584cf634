internal import DecantArchive
internal import DecantPages
internal import DecantPlain
internal import DecantRecipes
public import DecantBase
public import DecantPlan
internal import DecantStore

/// An export of each object of an entity, with the objects that it needs, to an archive of its own.
public struct ExportEach: Runnable {
  /// The store to read; it is never changed.
  public let source: String
  /// The entity whose objects are exported, including those of its subentities.
  public let entity: String
  /// The folder for the archives; created if it does not exist.
  public let folder: String
  /// The extension of the archives, such as `.decant.gz`, `.html` or `.eml`.
  public let ending: String
  /// The kinds of stores that can be opened.
  let kinds: StoreKinds
  /// What is copied, as in `Export`; `filters` select the objects.
  package var options: CopyOptions
  /// How the store is read.
  public var reading: SourceReading {
    get { options.reading }
    set { options.reading = newValue }
  }
  /// Which objects are exported, and what is included with them.
  public var selection: Selection {
    get { options.selection }
    set { options.selection = newValue }
  }
  /// The compression level; `nil` for a fast one.
  public var level: Int?
  /// How each page or mail shows its object.
  public var page = PageOptions()
  /// Whether the result contains the report of each archive; otherwise only `made` gets them, and memory use is
  /// constant.
  public var keepsReports = false

  /// Describes the export.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - source: The store, as `[kind:]place`.
  ///   - place: The folder, or `FOLDER/*.ENDING` to choose the format; the default is `.decant`.
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

  /// The result of the export.
  public struct Report: Sendable, Hashable, Encodable {
    /// The folder that the archives are in.
    public var folder: String
    /// The number of archives: one for each selected object of the entity.
    public var archiveCount: Int
    /// The number of objects in the archives, including those that the selected objects need.
    public var objectCount: Int64
    /// The report of each archive, if `keepsReports` was set.
    public var archives: [CopyReport] = []

    /// Creates a result.
    package init(folder: String, archiveCount: Int, objectCount: Int64) {
      (self.folder, self.archiveCount, self.objectCount) = (folder, archiveCount, objectCount)
    }

    /// Encodes the document of `decant export --each`.
    public func encode(to encoder: any Encoder) throws {
      try DocumentMembers(
        "export",
        [("folder", folder), ("archiveCount", archiveCount), ("objects", objectCount), ("archives", archives)],
        notes: []
      ).encode(to: encoder)
    }
  }

  /// The export, one archive after the other; `made` reports each, and the result counts all.
  ///
  /// Cancelling takes effect within the current archive; the finished archives stay, and the error states their number.
  public var operation: DecantOperation<Report> {
    DecantOperation("export", .export) { cancellation, tell throws(DecantError) in
      try withoutActuallyEscaping(tell) { tell throws(DecantError) in try perform(cancellation, tell) }
    }
  }

  private func perform(_ cancellation: Cancellation, _ tell: @escaping (WorkEvent) -> Void) throws(DecantError)
    -> Report
  {
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
    // All archives have the same state, even if others write to the store meanwhile.
    let temporary = try ScratchFolder()
    var options = options
    // A Core Data store made from recipes does not contain its model.
    if options.model == nil, entity == "Recipe" {
      options.model = try RecipeModel.model(of: kinds.location(source), in: temporary.path, kinds)
    }
    tell(.part(0, of: 1))
    tell(.began(.resolve))
    let still = try StillCopy(
      of: kinds.location(source),
      options: options,
      in: temporary,
      opener: kinds,
      cancellation: cancellation,
      tell
    )
    defer { withExtendedLifetime(temporary) {} }
    let objects = try chosen(in: still.location, options)
    var names = ArchiveNames(ending: ending)
    var report = Report(folder: trimmedFolder, archiveCount: 0, objectCount: 0)
    for (number, object) in objects.enumerated() {
      guard !cancellation.isCancelled else {
        throw DecantError(
          .interrupted, "interrupted after \(number) of \(objects.count) archives", place: trimmedFolder)
      }
      var options = options
      options.readsPrivateCopy = false
      // Filters of the entity select the objects, not the ones that they need; filters of other entities still do.
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
        let made = try export.perform(cancellation, tell)
        report.archiveCount += 1
        report.objectCount += made.copiedCount
        if keepsReports { report.archives.append(made) }
        tell(.made(made))
      } catch {
        var told = error.within("“\(name)”, archive \(number + 1) of \(objects.count)")
        guard number > 0 else { throw told }
        told.tell("\(number) of \(objects.count) archives were written before that")
        throw told
      }
    }
    return report
  }

  /// The kind of file for each object; `nil` if the extension is unknown.
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

  /// The remedy when nothing is exported.
  private var entityList: DecantError.Text {
    let place = StoreKinds.location(source).description
    return "list the entities: \(command: "inspect \(place.shellQuoted)", app: "an inspection of the store has them")"
  }

  /// Returns the selected objects by key, with their titles.
  private func chosen(in location: StoreLocation, _ options: CopyOptions) throws(DecantError) -> [(
    key: Int64, title: String?
  )] {
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
          ?? entityList,
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
        remedy: entityList
      )
    }
    return objects
  }
}

/// Assigns distinct file names to titles.
package struct ArchiveNames {
  private let ending: String
  private var taken: Set<String> = []

  package init(ending: String) { self.ending = ending }

  /// Returns a file name for `title`, without characters that file systems do not allow.
  package mutating func claim(_ title: String) -> String {
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
    // File systems may ignore case.
    while !taken.insert(name.lowercased()).inserted {
      number += 1
      name = "\(stem) (\(number))"
    }
    return name + ending
  }
}
