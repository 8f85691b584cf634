internal import ArgumentParser
internal import DecantBase
internal import DecantObjects
internal import DecantPages
internal import DecantPlan
internal import DecantRecipeFormats
internal import DecantSystem

/// Runs the task of `decant recipes` and prints its result.
struct RecipesRunner {
  private let command: RecipesCommand
  private let recipes: Recipes
  private var isJSON: Bool { command.output.json }

  init(_ recipes: Recipes, _ command: RecipesCommand) { (self.recipes, self.command) = (recipes, command) }

  func run() throws {
    switch recipes.job {
    case .list: try list(nil)
    case .search(let words): try list(words)
    case .show:
      let report = try report()
      try print(report) { WrappedText(report.text, width: StandardOutput.readableColumnCount).text }
    case .page: try open()
    case .edit:
      let report = try report()
      let verb = report.isDryRun ? "would be changed" : "changed"
      let lines =
        ["\(verb): \(report.recipes[0].name)"] + report.changed.map(\.line)
        + report.notes.commandLine.map { "note: \($0)" }
      try print(report) { (lines + (report.isDryRun ? ["", "nothing was written"] : [])).joined(separator: "\n") }
    case .delete: try delete()
    }
  }

  private func report() throws -> RecipesReport { try VerbRunner(command.output).run(recipes) }

  /// Prints a list of recipes while it is read; `words` are the search terms.
  private func list(_ words: String?) throws {
    guard !isJSON, !command.output.quiet else {
      let report = try report()
      if isJSON { try StandardOutput.write(document: report) }
      return
    }
    let width = StandardOutput.terminalColumnCount
    let work = recipes.operation { lines throws(DecantError) in
      let stream = ResultStream()
      var table = QueryTable(RecipesRunner.columns, columnCount: width, rowName: "recipe", widest: 1)
      var isEmpty = true
      try lines { line throws(DecantError) in
        isEmpty = false
        return try table.add(line.row, stream.write)
      }
      if let words, isEmpty {
        _ = try stream.write(["no recipe contains all of: \(FoldedText.words(of: words).joined(separator: ", "))\n"])
      } else {
        try table.end(stream.write)
      }
      try stream.flush()
    }
    _ = try VerbRunner(command.output).run(work)
  }

  private static let columns = ["id", "title", "rating", "category", "source"]

  private func open() throws {
    let report = try report()
    guard let page = report.page else { return }
    try print(report) { page }
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

  private func delete() throws {
    var preview = recipes
    preview.isDryRun = true
    // Only the last operation of a command shows its progress.
    var report = try (recipes.isDryRun ? VerbRunner(command.output) : VerbRunner(.none)).run(preview)
    let words = report.deletion
    if !recipes.isDryRun {
      guard try command.yes || confirm(words) else {
        (report.isDryRun, report.isDeclined) = (false, true)
        StandardError.write("nothing was deleted\n")
        if isJSON { try StandardOutput.write(document: report) }
        throw ExitCode.failure
      }
      var deletion = Recipes(recipes.store, .delete(.id(report.recipes[0].id)))
      (deletion.model, deletion.mapping) = (recipes.model, recipes.mapping)
      report = try VerbRunner(command.output).run(deletion)
    }
    try print(report) { report.isDryRun ? "would be deleted: \(words)\n\nnothing was written" : "deleted: \(words)" }
  }

  /// Asks for confirmation of a deletion; without a terminal an option is required.
  private func confirm(_ words: String) throws -> Bool {
    guard isatty(STDIN_FILENO) != 0, StandardError.isTerminal else {
      return try reporting { () throws(DecantError) in
        throw DecantError(
          .missingOption,
          "a deletion needs confirmation, but there is no terminal",
          remedy: "--yes deletes without asking"
        )
      }
    }
    StandardError.write("delete \(words)? [y/N] ".harmless)
    return ["y", "yes"].contains((StandardInput.line() ?? "").lowercased())
  }

  private func print(_ report: RecipesReport, _ text: () -> String) throws {
    if isJSON { return try StandardOutput.write(document: report) }
    if !command.output.quiet { try StandardOutput.write(text()) }
  }
}

extension RecipesReport.Line {
  /// The name of the recipe in messages.
  fileprivate var name: String { "Recipe \(id) “\(title.onOneLine)”" }

  /// The cells of the recipe's row in a list.
  fileprivate var row: [QueryValue] {
    func text(_ text: String?) -> QueryValue { text.map { .text($0) } ?? .null }
    return [
      .integer(id), .text(title), rating.map { .double($0) } ?? .null,
      text(categories.isEmpty ? nil : categories.joined(separator: ", ")), text(origin),
    ]
  }
}

extension RecipesReport.Change {
  /// The field with its old and new value: `rating: none → 3`.
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
  /// The recipes that are deleted, and the number of their parts.
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
