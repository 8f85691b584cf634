internal import Containers
internal import Decant
internal import JSON
internal import SQLite

/// Why files are none of recipes, however they are told to be: nothing in them is one.
struct NothingRead: Error {}

/// Recipe files that were read into a database of their own, in a temporary folder: a store like any other.
final class StagedRecipes: Sendable {
  /// What the user named; of several files the first, and how many more.
  let place: String
  let outcome: IdentityLadder.Outcome
  let rejects: [RecipeFindings.Reject]
  let warnings: [RecipeFindings.Warning]
  /// How many warnings there were; the first of them are kept.
  let warningCount: Int
  let unknown: [RecipeFindings.Reject]
  /// How many recipes were read, by the name of their format.
  let counts: [String: Int64]
  /// The archives in folders, which were asked for and not read.
  let archives: [String]
  /// How to read the destination, where it does not hold its model.
  let destinationModel: String?
  private let path: String
  private let origin: [FileStatus?]
  private let folder: ScratchFolder

  /// Reads files and folders.
  ///
  /// - Parameters:
  ///   - paths: What the user named.
  ///   - destination: The store that they go to, if one is there: what it has is taken out again.
  ///   - limits: How much containers may ask for.
  ///   - only: The name of the only format that is read, if that was said.
  ///   - listsArchives: Whether archives in folders are listed, so that there may be nothing else.
  ///   - policy: What becomes of a recipe that is there with other content; asked where there are recipes.
  ///   - model: How to read the destination, where the user said it.
  ///   - cancellation: Ends the reading.
  ///   - onProgress: Told from time to time how many recipes were read.
  /// - Throws: `DecantError` where nothing can be read at all, or the destination is no store of recipes.
  init(
    _ paths: [String],
    for destination: StoreLocation? = nil,
    limits: ContainerLimits = ContainerLimits(),
    only: String? = nil,
    listsArchives: Bool = false,
    policy: () throws(DecantError) -> MergePolicy = { .skip },
    model: String? = nil,
    cancellation: Cancellation = Cancellation(),
    _ onProgress: @escaping (CopyProgress) -> Void = { _ in }
  ) throws(DecantError) {
    place = paths.count == 1 ? paths[0] : "\(paths[0]) and \(paths.count - 1) more"
    origin = paths.map { FileStatus($0) }
    folder = try ScratchFolder()
    let stager = try RecipeStager(in: folder.path)
    let files = try RecipeFiles(
      stager,
      in: folder,
      limits: limits,
      only: only,
      listsArchives: listsArchives,
      cancellation: cancellation
    ) { count in
      onProgress(
        CopyProgress(
          phase: .read,
          step: "Recipe",
          rowCount: count,
          expectedRowCount: count,
          byteCount: 0
        )
      )
    }
    for path in paths { try files.read(path) }
    let findings = files.findings
    archives = findings.archives
    let isEmpty = findings.recipeCount == 0
    if isEmpty, archives.isEmpty { throw StagedRecipes.nothing(in: paths, findings) }
    let policy = isEmpty ? .skip : try policy()
    let ladder = try explaining("cannot compare recipes") { () throws(SQLiteError) in
      try IdentityLadder(on: stager.connection, policy: policy)
    }
    if let destination, !isEmpty {
      let there = try RecipeDestination(destination, model: model, folder: folder.path)
      try there.tell(ladder)
      destinationModel = there.model
    } else {
      destinationModel = model
    }
    outcome = try explaining("cannot compare recipes") { () throws(SQLiteError) in
      try ladder.settle()
    }
    try stager.finish()
    path = stager.path
    (rejects, unknown) = (findings.rejects, findings.unknown)
    (warnings, warningCount) = (findings.warnings, findings.warningCount)
    counts = findings.counts
  }

  /// Why files are none of recipes.
  private static func nothing(in paths: [String], _ findings: RecipeFindings) -> DecantError {
    let first = findings.rejects.first ?? findings.unknown.first
    return DecantError(
      .corruptStore,
      paths.count == 1
        ? "“\(paths[0])” holds no recipe that decant can read"
        : "none of the \(paths.count) files holds a recipe that decant can read",
      place: first.map { ($0.entry.map { "\($0): " } ?? "") + $0.reason },
      remedy: "which formats are read: decant help stores",
      cause: NothingRead()
    )
  }

  /// Reads the file or folder at `location`; `nil` where its kind is none of recipes.
  convenience init?(kind: String, _ location: StoreLocation) throws(DecantError) {
    let isAny = kind == StoreKinds.recipes
    guard isAny || RecipeFormats.names.contains(kind) else { return nil }
    try self.init([location.place], only: isAny ? nil : kind)
  }

  /// Whether there is none: nothing but archives, and what is neither.
  var isEmpty: Bool { counts.isEmpty }

  /// The recipes as a store.
  ///
  /// A mapping is written over the recipe model, in which lists have an order.
  func source(options: CopyOptions) throws(DecantError) -> any SourceStore {
    let file = try PlainFile(database(), options: options)
    guard options.mapping != nil else { return PlainSource(file) }
    return try ObjectsSource(file, model: ModelLocation(modelPlace()).read())
  }

  /// The recipes as a store whose objects go to `other`, or are held against it.
  func source(facing other: StoreLocation, options: CopyOptions) throws(DecantError)
    -> any SourceStore
  {
    guard let model = try StoreKinds.coreDataModel(of: other, options: options) else {
      return try source(options: options)
    }
    return try ObjectsSource(PlainFile(database(), options: options), model: model)
  }

  /// The recipe model, as a place that a Core Data store can be made after.
  func modelPlace() throws(DecantError) -> String { try RecipeModel.write(in: folder.path) }

  private func database() throws(DecantError) -> DatabaseFile {
    try DatabaseFile.made(
      path,
      of: place,
      kind: counts.keys.sorted().joined(separator: ", "),
      origin: origin,
      notes: [],
      keeper: folder
    )
  }

  /// Takes into the report what the copy itself does not know of.
  func complete(_ report: inout CopyReport) {
    let (skipped, rejected) = (outcome.skippedCount, Int64(rejects.count))
    if report["Recipe"] == nil, skipped + rejected > 0 {
      report.entities.insert(EntityReport(name: "Recipe", source: 0), at: 0)
    }
    for index in report.entities.indices where report.entities[index].name == "Recipe" {
      report.entities[index].source += skipped + rejected
      report.entities[index].skipped += skipped
      report.entities[index].rejected += rejected
      report.entities[index].merge?.same += skipped - outcome.changedCount + outcome.keptCount
      report.entities[index].merge?.changed += outcome.changedCount - outcome.keptCount
    }
    if !isEmpty { report.mainEntity = "Recipe" }
    if rejected > 0 { report.rejectedByCode[.parse, default: 0] += rejected }
    report.unread = rejects.map(\.unread)
    report.passedOver = unknown.map(\.unread)
    report.remarks = warnings.map {
      CopyReport.Unread(file: $0.file, entry: $0.entry, reason: $0.text)
    }
    report.notes += notes
  }

  /// What the reader should know of the recipes that were read.
  private var notes: [String] {
    var notes: [String] = []
    let sorted = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let formats = sorted.map { name, count in
      let title = RecipeFormats.all.first { $0.name == name }?.title ?? name
      return "\(count.counted("recipe")) of \(title)"
    }
    if !formats.isEmpty { notes.append("read: \(formats.joined(separator: ", "))") }
    let count = outcome.found.values.reduce(0, +)
    if count > 0 {
      let rungs = IdentityLadder.Rung.allCases.compactMap { rung in
        outcome.found[rung].map { "\($0) by \(rung.text)" }
      }
      notes.append(
        "\(count.counted("recipe")) \(count == 1 ? "is" : "are") there already: "
          + rungs.joined(separator: ", ")
      )
    }
    if outcome.completedCount > 0 {
      notes.append(
        "\(outcome.completedCount.counted("recipe")) got pictures or other things from another file that has "
          + "the same recipe"
      )
    }
    let changed = outcome.changedCount - outcome.keptCount
    if changed > 0 {
      let titles = outcome.changed.prefix(5).map { "“\($0)”" }.joined(separator: ", ")
      notes.append(
        "\(changed) of them with more or other content, which stays out: \(titles)\(changed > 5 ? ", …" : "")"
          + "; --merge update takes \(changed == 1 ? "it" : "them"), keep-both adds \(changed == 1 ? "it" : "them") beside"
      )
    }
    for warning in warnings.prefix(20) {
      let entry = warning.entry.map { ", \($0)" } ?? ""
      notes.append("\(Files.name(of: warning.file))\(entry): \(warning.text)")
    }
    if warningCount > 20 { notes.append("and \(warningCount - 20) more such remarks, in --json") }
    for file in unknown.prefix(20) {
      notes.append(
        "passed over: \(Files.name(of: file.file))\(file.entry.map { ", \($0)" } ?? ""): \(file.reason)"
      )
    }
    if unknown.count > 20 {
      notes.append("and \(unknown.count - 20) more files without a recipe, in --json")
    }
    return notes
  }

  /// A line for each file or entry that became no recipe.
  var unreadLines: [JSONValue] {
    rejects.map { reject in
      .object([
        ("entity", .string("Recipe")), ("file", .string(reject.file)),
        ("entry", reject.entry.map { .string($0) } ?? .null),
        ("code", .string(RejectCode.parse.rawValue)), ("reason", .string(reject.reason)),
      ])
    }
  }

  /// Lists them in the file that the user named.
  func writeRejects(to path: String) throws(DecantError) {
    let file = try OutputFile(path)
    for line in unreadLines { file.write(line.text + "\n") }
    try file.close()
  }
}

extension RecipeFindings.Reject {
  fileprivate var unread: CopyReport.Unread {
    CopyReport.Unread(file: file, entry: entry, reason: reason)
  }
}

extension IdentityLadder.Rung {
  /// What told that a recipe is there.
  fileprivate var text: String {
    switch self {
    case .nativeID: "their own ID"
    case .page: "the page they come from"
    case .content: "what they hold"
    }
  }
}
