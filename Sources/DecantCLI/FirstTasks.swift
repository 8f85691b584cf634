/// The text of `decant` without a verb: common tasks, and the command for each.
enum FirstTasks {
  /// The tasks, each with the arguments of its command.
  static let all: [(task: String, arguments: [String])] = [
    ("See what a store contains", ["inspect", "Recipes.sqlite"]),
    ("Merge a backup", ["merge", "Backup.sqlite", "Recipes.sqlite"]),
    ("Migrate to a new model", ["migrate", "Recipes.sqlite", "--to", "App.momd"]),
    ("Save a store as one file", ["export", "Recipes.sqlite", "Recipes.decant.zst"]),
    ("Collect recipe files", ["import", "Downloads", "Recipes.sqlite"]),
  ]

  static var text: String {
    let width = all.map(\.task.count).max() ?? 0
    let lines = all.map { task, arguments in
      let space = String(repeating: " ", count: width - task.count)
      return "  \(task)\(space)   decant \(arguments.joined(separator: " "))"
    }
    return """
      decant copies, merges and migrates Core Data stores and SQLite databases.

      \(lines.joined(separator: "\n"))

      All verbs: decant help. Options of a verb: decant help merge.
      """
  }
}
