/// What came of reading recipe files, but for the recipes themselves.
package final class RecipeFindings {
  /// Something that became no recipe.
  package struct Reject: Sendable, Hashable {
    /// The file that was named, and the entry in it where that is a container or a folder.
    let file: String
    let entry: String?
    let reason: String
  }

  /// A remark about a recipe that was taken.
  struct Warning: Sendable {
    let file: String
    let entry: String?
    /// The key and the title of the recipe; `nil` where it is about a file.
    let recipe: (key: Int64, title: String)?
    let text: String
    /// How sure it is that the recipe is one, and is read right, where its page has no structured data.
    let confidence: String?

    /// What there is to know, with the recipe's title.
    var message: String { (recipe.map { "\($0.title): " } ?? "") + text }
  }

  /// The keys of recipes of which something could not be read.
  private var damaged: Set<Int64> = []
  /// Whether something of a file could not be read, beside what became recipes.
  private var hasDamagedFile: Bool { !rejects.isEmpty || warnings.contains { $0.recipe == nil } }

  /// Whether something of the recipe with this key could not be read, or may be in a damaged part of a file.
  func isDamaged(_ key: Int64) -> Bool { damaged.contains(key) || hasDamagedFile }

  /// Notes that something of a recipe could not be read.
  func noteDamage(_ key: Int64) { damaged.insert(key) }

  /// The file or folder that is read, as the user named it.
  var file = ""
  private(set) var rejects: [Reject] = []
  /// Files that hold nothing that any format knows.
  private(set) var unknown: [Reject] = []
  /// The first of the remarks.
  private(set) var warnings: [Warning] = []
  /// How many remarks there were.
  private(set) var warningCount = 0
  /// Archives in folders, which are left to who asked for them.
  var archives: [String] = []
  /// How many recipes were read, by format.
  private(set) var counts: [String: Int64] = [:]
  /// How many recipes were read.
  private(set) var recipeCount: Int64 = 0

  /// How much was found: recipes, archives, and what is neither.
  var count: Int64 { recipeCount + Int64(rejects.count + unknown.count + archives.count) }

  /// How many warnings are kept.
  private static let warningLimit = 10_000

  /// Notes that a recipe of the format called `format` was read.
  func count(_ format: String) {
    counts[format, default: 0] += 1
    recipeCount += 1
  }

  /// Notes something that was to be a recipe and became none.
  func reject(_ entry: String?, _ reason: String) {
    rejects.append(Reject(file: file, entry: entry, reason: reason))
  }

  /// Notes a file that holds no recipe.
  func passOver(_ entry: String?, _ reason: String) {
    unknown.append(Reject(file: file, entry: entry, reason: reason))
  }

  /// Notes something about a recipe that was taken.
  func warn(
    _ entry: String?, _ text: String, of recipe: (key: Int64, title: String)? = nil, confidence: String? = nil
  ) {
    warningCount += 1
    guard warnings.count < Self.warningLimit else { return }
    warnings.append(Warning(file: file, entry: entry, recipe: recipe, text: text, confidence: confidence))
  }
}
