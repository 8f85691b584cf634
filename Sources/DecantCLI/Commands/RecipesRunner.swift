internal import ArgumentParser
internal import DecantBase
internal import DecantMapping
internal import DecantObjects
internal import DecantPages
internal import DecantPlan
internal import DecantRecipeFormats
internal import DecantRecipes
internal import DecantSystem

/// Does what `decant recipes` is asked for, and prints what came of it.
struct RecipesRunner {
  private let store: String
  private let model: String?
  private let mapping: Mapping?
  private let command: RecipesCommand
  private var isJSON: Bool { command.output.json }

  init(_ store: String, model: String?, mapping: Mapping?, _ command: RecipesCommand) {
    (self.store, self.model, self.mapping, self.command) = (store, model, mapping, command)
  }

  func run(_ task: RecipesTask) throws {
    switch task {
    case .list: try list(nil)
    case .search(let words): try list(words)
    case .show(let name): try show(name)
    case .open(let name): try open(name)
    case .delete(let name): try delete(name)
    case .edit(let name, let changes): try edit(name, changes)
    }
  }

  // MARK: Reading

  /// Lists all recipes, or those in which `words` are.
  private func list(_ words: String?) throws {
    let (isTable, width) = (!isJSON && !command.output.quiet, StandardOutput.terminalColumnCount)
    let report = try perform(words == nil ? .list : .search) { library, report, cancellation throws(DecantError) in
      let stream = ResultStream()
      var table = QueryTable(RecipesRunner.columns, columnCount: width, rowName: "recipe", widest: 1)
      var isEmpty = true
      func take(_ line: RecipeLibrary.Line) throws(DecantError) -> Bool {
        try cancellation.check()
        isEmpty = false
        guard !isTable else { return try table.add(line.row, stream.write) }
        report.recipes.append(line)
        return true
      }
      if let words {
        try library.search(words, cancellation, take)
      } else {
        try library.forEach(take)
      }
      guard isTable else { return }
      if let words, isEmpty {
        _ = try stream.write(["no recipe contains all of: \(FoldedText.words(of: words).joined(separator: ", "))\n"])
      } else {
        try table.end(stream.write)
      }
      try stream.flush()
    }
    if isJSON { try StandardOutput.write(document: report) }
  }

  private static let columns = ["id", "title", "rating", "category", "source"]

  private func show(_ name: String) throws {
    let isJSON = isJSON
    let report = try performOne(.show, name) { library, line, report throws(DecantError) in
      if isJSON {
        report.recipe = RecipeDocument(try library.recipe(of: line.id))
      } else {
        report.text = try library.text(of: line.id)
      }
    }
    try tell(report) { WrappedText(report.text, width: StandardOutput.readableColumnCount).text }
  }

  private func open(_ name: String) throws {
    let report = try performOne(.open, name) { library, line, report throws(DecantError) in
      report.page = try library.writePage(of: line)
    }
    guard let page = report.page else { return }
    try tell(report) { page }
    guard !command.noBrowser else { return }
    try reporting { () throws(DecantError) in
      let folder = try ScratchFolder()
      let status = try ChildProgram.run(["xdg-open", page], errors: "\(folder.path)/errors", seconds: 3)
      guard status != 0 else { return }
      throw DecantError(
        .completedPartly,
        status == nil
          ? "the page is written, but there is no program xdg-open" : "the page is written, but xdg-open failed",
        place: page,
        remedy: "open the page in a browser; --no-browser only writes it"
      )
    }
  }

  // MARK: Changing

  private func delete(_ name: String) throws {
    let isDryRun = command.dryRun
    var report = try performOne(.delete, name, isLast: isDryRun) { library, line, report throws(DecantError) in
      (report.parts, report.isDryRun) = (try library.parts(of: line.id), isDryRun)
    }
    let words = report.deletion
    if !isDryRun {
      guard try command.yes || confirm(words) else {
        report.isDeclined = true
        StandardError.write("nothing was deleted\n")
        if isJSON { try StandardOutput.write(document: report) }
        throw ExitCode.failure
      }
      let line = report.recipes[0]
      report = try perform(.delete, only: line.id) { [report] library, new, _ throws(DecantError) in
        new = report
        try library.delete(line.id)
      }
    }
    try tell(report) { isDryRun ? "would be deleted: \(words)\n\nnothing was written" : "deleted: \(words)" }
  }

  /// Asks whether to delete; where nobody can be asked, it takes an option.
  private func confirm(_ words: String) throws -> Bool {
    guard isatty(STDIN_FILENO) != 0, StandardError.isTerminal else {
      return try reporting { () throws(DecantError) in
        throw DecantError(
          .missingOption,
          "a deletion is asked for, and there is no terminal to ask on",
          remedy: "--yes deletes without asking"
        )
      }
    }
    StandardError.write("delete \(words)? [y/N] ".harmless)
    return ["y", "yes"].contains((readLine() ?? "").lowercased())
  }

  private func edit(_ name: String, _ changes: [(field: String, value: String)]) throws {
    let isDryRun = command.dryRun
    var report = try perform(.edit) { library, report, _ throws(DecantError) in
      try library.checkCanWrite()
      let line = try library.recipe(named: name, isWhole: true)
      var entry = try library.recipe(of: line.id)
      let edit = try library.edit(changes, of: entry.recipe)
      entry.recipe = edit.recipe
      (report.recipes, report.recipe) = ([line], RecipeDocument(entry))
      (report.changed, report.notes, report.isDryRun) = (edit.changes, edit.notes, isDryRun)
      if !isDryRun { try library.change(line.id, edit) }
    }
    let line = report.recipes[0]
    if !isDryRun, isJSON {
      report = try perform(.edit, only: line.id, isLast: false) { [report] library, new, _ throws(DecantError) in
        new = report
        new.recipe = RecipeDocument(try library.recipe(of: line.id))
        new.recipes = [try library.recipe(named: "\(line.id)")]
      }
    }
    let verb = isDryRun ? "would be changed" : "changed"
    let lines = ["\(verb): \(line.name)"] + report.changed.map(\.line) + report.notes.commandLine.map { "note: \($0)" }
    try tell(report) { (lines + (isDryRun ? ["", "nothing was written"] : [])).joined(separator: "\n") }
  }

  // MARK: Work

  private typealias Body = @Sendable (RecipeLibrary, inout RecipesReport, Cancellation) throws(DecantError) -> Void

  /// Opens the library and has `body` complete a report.
  ///
  /// Only the last operation of a command shows its progress, with `isLast`.
  private func perform(
    _ task: RecipesTask.Name,
    only id: Int64? = nil,
    isLast: Bool = true,
    _ body: @escaping Body
  ) throws -> RecipesReport {
    let (store, model, mapping) = (store, model, mapping)
    let work = DecantOperation<RecipesReport>("recipes", .inspect) { cancellation, tell throws(DecantError) in
      let library = try RecipeLibrary(store, model: model, mapping: mapping, only: id, cancellation, tell)
      var report = RecipesReport(store, task.rawValue)
      try body(library, &report, cancellation)
      return report
    }
    return try (isLast ? VerbRunner(command.output) : VerbRunner(.none)).run(work)
  }

  /// Finds the recipe that goes by `name` and has `body` complete a report about it, with its pictures.
  private func performOne(
    _ task: RecipesTask.Name,
    _ name: String,
    isLast: Bool = true,
    _ body: @escaping @Sendable (RecipeLibrary, RecipeLibrary.Line, inout RecipesReport) throws(DecantError) -> Void
  ) throws -> RecipesReport {
    let found = try perform(task, isLast: false) { library, report, _ throws(DecantError) in
      if task.changes { try library.checkCanWrite() }
      // What cannot be undone takes more than a part of a title.
      report.recipes = [try library.recipe(named: name, isWhole: task.changes)]
    }
    let line = found.recipes[0]
    return try perform(task, only: line.id, isLast: isLast) { library, report, _ throws(DecantError) in
      report.recipes = [line]
      try body(library, line, &report)
    }
  }

  private func tell(_ report: RecipesReport, _ text: () -> String) throws {
    if isJSON { return try StandardOutput.write(document: report) }
    if !command.output.quiet { try StandardOutput.write(text()) }
  }
}

extension RecipeLibrary.Line {
  /// What it is called in messages.
  fileprivate var name: String { "Recipe \(id) “\(title.onOneLine)”" }

  /// The cells of its row in the list.
  fileprivate var row: [QueryValue] {
    func text(_ text: String?) -> QueryValue { text.map { .text($0) } ?? .null }
    return [
      .integer(id), .text(title), rating.map { .double($0) } ?? .null,
      text(categories.isEmpty ? nil : categories.joined(separator: ", ")), text(origin),
    ]
  }
}

extension RecipeEdit.Change {
  /// The field with what it held and holds: `rating: none → 3`.
  fileprivate var line: String {
    func words(_ text: String?) -> String {
      guard let text else { return "none" }
      let count = text.split(separator: "\n").count
      return count > 1 ? Int64(count).groupedCount("line") : text.onOneLine.firstWords(60)
    }
    return "  \(field): \(words(before)) → \(words(after))"
  }
}

extension RecipesReport {
  /// The recipe that is deleted, and what goes with it.
  fileprivate var deletion: String {
    let names = [
      "Ingredient": "ingredient", "Step": "step", "Image": "picture", "Nutrition": "nutrition fact",
    ]
    let list = parts.compactMap { part in
      part.count > 0 ? names[part.entity].map { part.count.groupedCount($0) } : nil
    }
    return recipes.map(\.name).joined() + (list.isEmpty ? "" : ", with \(list.joined(separator: ", "))")
  }
}
