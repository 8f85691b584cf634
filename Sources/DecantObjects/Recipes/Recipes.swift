public import DecantBase
public import DecantPlan
internal import DecantRecipes

/// The recipes of a store from the owner's point of view: listed, searched, shown, edited or deleted.
///
/// The value can be stored and run again; nothing is opened before it runs. The store is one of the recipe model, an
/// archive or a folder of recipe files, or a store with a model of its own and a mapping.
public struct Recipes: Runnable {
  /// What to do, and with which recipe.
  public enum Job: Sendable, Hashable {
    /// Lists all recipes, by title.
    case list
    /// Lists the recipes that contain all of these words.
    case search(String)
    /// Reads a recipe as text.
    case show(RecipeName)
    /// Writes a recipe as a page into a private folder for temporary files.
    case page(RecipeName)
    /// Sets fields of a recipe, each to a value as people write it: `4.5`, `1 h 20 min`; an empty one clears the field.
    case edit(RecipeName, [RecipeSetting])
    /// Deletes a recipe with its parts; categories, tags and sources remain.
    case delete(RecipeName)

    /// The word for the job, in a document and on the command line.
    package enum Name: String, CaseIterable, Sendable {
      case list, search, show
      case page = "open"
      case edit, delete

      /// Whether the job changes the store.
      package var changes: Bool { self == .edit || self == .delete }
    }

    package var name: Name {
      switch self {
      case .list: .list
      case .search: .search
      case .show: .show
      case .page: .page
      case .edit: .edit
      case .delete: .delete
      }
    }
  }

  /// The place of the store.
  public let store: String
  /// What to do.
  public let job: Job
  /// The place of a model for a Core Data store that does not contain its own; `nil` for its own.
  public var model: String?
  /// How objects of a store with a model of its own become recipes; `nil` for the recipe model.
  public var mapping: Mapping?
  /// Whether an edit or a deletion is only checked and reported, without writing anything.
  public var isDryRun = false

  /// Describes a job on the recipes of the store at `store`.
  public init(_ store: String, _ job: Job = .list) { (self.store, self.job) = (store, job) }

  /// The names of the fields that can be edited.
  public static var fields: [String] { RecipeEdit.fields }

  /// The job; its report names the recipes concerned.
  ///
  /// - Throws: `DecantError`; of the family `.modelMismatch` for a store with a model of its own and no mapping, and
  ///   `.usage` for a recipe that does not exist, a name of several recipes, and a value that a field cannot hold.
  public var operation: DecantOperation<RecipesReport> { operation(lending: nil) }

  /// Calls its argument for each line of a list, until that returns false.
  package typealias Lines = ((RecipesReport.Line) throws(DecantError) -> Bool) throws(DecantError) -> Void

  /// Returns the job; `body` reads the lines of a list, which are then not collected.
  package func operation(
    lending body: (@Sendable (Lines) throws(DecantError) -> Void)?
  ) -> DecantOperation<RecipesReport> {
    DecantOperation("recipes", .recipes) { cancellation, tell throws(DecantError) in
      var report = RecipesReport(store, job.name.rawValue)
      report.isDryRun = isDryRun
      switch job {
      case .list, .search:
        let library = try library(cancellation, tell)
        let lines: Lines = { take throws(DecantError) in
          let checked = { (line: RecipesReport.Line) throws(DecantError) -> Bool in
            try cancellation.check()
            return try take(line)
          }
          if case .search(let words) = job {
            try library.search(words, cancellation, checked)
          } else {
            try library.forEach(checked)
          }
        }
        if let body {
          try body(lines)
        } else {
          try lines { line throws(DecantError) in
            report.recipes.append(line)
            return true
          }
        }
      case .show(let name):
        let (library, line) = try find(name, cancellation, tell)
        report.recipes = [line]
        report.recipe = RecipeDocument(try library.recipe(of: line.id))
        report.text = try library.text(of: line.id)
      case .page(let name):
        let (library, line) = try find(name, cancellation, tell)
        (report.recipes, report.page) = ([line], try library.writePage(of: line))
      case .edit(let name, let settings): try edit(name, settings, &report, cancellation, tell)
      case .delete(let name):
        let (library, line) = try find(name, cancellation, tell)
        (report.recipes, report.parts) = ([line], try library.parts(of: line.id))
        if !isDryRun { try library.delete(line.id) }
      }
      return report
    }
  }

  private func library(
    only id: Int64? = nil,
    step: (Int, Int) = (1, 1),
    _ cancellation: Cancellation,
    _ tell: (WorkEvent) -> Void
  ) throws(DecantError) -> RecipeLibrary {
    try RecipeLibrary(store, model: model, mapping: mapping, only: id, step: step, cancellation, tell)
  }

  /// Returns the recipe called `name`, and a library that contains only this recipe, with its pictures.
  private func find(_ name: RecipeName, _ cancellation: Cancellation, _ tell: (WorkEvent) -> Void) throws(DecantError)
    -> (RecipeLibrary, RecipesReport.Line)
  {
    // In a store that is not read in place, all recipes are copied to find it, and then it alone with its pictures.
    let all = try library(step: (1, 2), cancellation, tell)
    if job.name.changes { try all.checkCanWrite() }
    // For an irreversible change, part of a title is not sufficient.
    let line = try all.recipe(named: name, isWhole: job.name.changes)
    return (try library(only: line.id, step: (2, 2), cancellation, tell), line)
  }

  private func edit(
    _ name: RecipeName,
    _ settings: [RecipeSetting],
    _ report: inout RecipesReport,
    _ cancellation: Cancellation,
    _ tell: (WorkEvent) -> Void
  ) throws(DecantError) {
    let all = try library(step: (1, isDryRun ? 1 : 2), cancellation, tell)
    try all.checkCanWrite()
    let line = try all.recipe(named: name, isWhole: true)
    var entry = try all.recipe(of: line.id)
    let edit = try all.edit(settings.map { ($0.field, $0.value) }, of: entry.recipe)
    entry.recipe = edit.recipe
    (report.recipes, report.recipe) = ([line], RecipeDocument(entry))
    (report.changed, report.notes) = (edit.changes.map { RecipesReport.Change($0) }, edit.notes)
    guard !isDryRun else { return }
    try all.change(line.id, edit)
    // The change is committed: failing to read it back does not mean that the edit has failed.
    do throws(DecantError) {
      let one = try library(only: line.id, step: (2, 2), Cancellation(), tell)
      let (now, changed) = (try one.recipe(of: line.id), try one.recipe(named: .id(line.id)))
      (report.recipe, report.recipes) = (RecipeDocument(now), [changed])
    } catch {
      report.notes.append(ReportNote(.completed, "the recipe is changed, but could not be read again: \(error.what)"))
    }
  }
}
