/// The results of reading recipe files, except the recipes themselves.
package final class RecipeFindings {
  /// Something that did not become a recipe.
  package struct Reject: Sendable, Hashable {
    /// The file that was named, and the entry in it if it is a container or a folder.
    let file: String
    let entry: String?
    let reason: String
  }

  /// A warning about a recipe that was taken, or about a file.
  struct Warning: Sendable {
    let file: String
    let entry: String?
    /// The key and the title of the recipe; `nil` for a warning about a file.
    let recipe: (key: Int64, title: String)?
    let text: String
    /// The confidence that there is a recipe and that it was read correctly, for a page without structured data.
    let confidence: String?

    /// The text of the warning, with the recipe's title.
    var message: String { (recipe.map { "\($0.title): " } ?? "") + text }
  }

  /// The keys of recipes that could be read only in part.
  private var damaged: Set<Int64> = []
  /// Whether parts of a file could not be read, apart from parts of recipes.
  private var hasDamagedFile: Bool { !rejects.isEmpty || warnings.contains { $0.recipe == nil } }

  /// Whether part of the recipe with this key could not be read, or may be in a damaged part of a file.
  func isDamaged(_ key: Int64) -> Bool { damaged.contains(key) || hasDamagedFile }

  /// Notes that part of a recipe could not be read.
  func noteDamage(_ key: Int64) { damaged.insert(key) }

  /// The file or folder that is read, as the user named it.
  var file = ""
  private(set) var rejects: [Reject] = []
  /// Files without content in any known format.
  private(set) var unknown: [Reject] = []
  /// The first of the warnings.
  private(set) var warnings: [Warning] = []
  /// The number of all warnings.
  private(set) var warningCount = 0
  /// Archives in folders, which the caller must handle.
  var archives: [String] = []
  /// The number of recipes that were read, by format.
  private(set) var counts: [String: Int64] = [:]
  /// The number of recipes that were read.
  private(set) var recipeCount: Int64 = 0

  /// The number of findings: recipes, archives, and anything else.
  var count: Int64 { recipeCount + Int64(rejects.count + unknown.count + archives.count) }

  /// The maximum number of warnings that are kept.
  private static let warningLimit = 10_000

  /// Notes that a recipe of the format called `format` was read.
  func count(_ format: String) {
    counts[format, default: 0] += 1
    recipeCount += 1
  }

  /// Notes something that should have been a recipe and could not be read.
  func reject(_ entry: String?, _ reason: String) {
    rejects.append(Reject(file: file, entry: entry, reason: reason))
  }

  /// Notes a file that holds no recipe.
  func passOver(_ entry: String?, _ reason: String) {
    unknown.append(Reject(file: file, entry: entry, reason: reason))
  }

  /// Adds a warning about a recipe that was taken, or about a file.
  func warn(
    _ entry: String?, _ text: String, of recipe: (key: Int64, title: String)? = nil, confidence: String? = nil
  ) {
    warningCount += 1
    guard warnings.count < Self.warningLimit else { return }
    warnings.append(Warning(file: file, entry: entry, recipe: recipe, text: text, confidence: confidence))
  }
}
