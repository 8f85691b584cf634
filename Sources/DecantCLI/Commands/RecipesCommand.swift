internal import ArgumentParser
internal import DecantBase
internal import DecantMapping
internal import DecantObjects
internal import DecantPlan

/// `decant recipes`: lists, searches, shows and edits the recipes of a library.
struct RecipesCommand: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "recipes",
      abstract: "Lists, searches, shows and edits the recipes of a store.",
      usage: "decant recipes <store> [<task>] [<words> ...] [<options>]",
      discussion: HelpPage.discussion(
        """
        Tasks:
          list                    all recipes, sorted by title (without a task)
          search WORDS            recipes in which all of the words are
          show TITLE|ID           a recipe as text
          open TITLE|ID           a recipe as a page in the browser
          edit TITLE|ID FIELD VALUE …
                                  change fields; an empty value clears one
          delete TITLE|ID         delete a recipe with what it owns

        Case and accents do not matter: “creme” finds “Crème”. The store is one that \
        recipe files were imported into, a recipe file, or with --mapping the store of \
        an app.
        """,
        details: """
          A title may be written without quotes, but not for edit. For show and open, \
          words that only one title contains are enough. If several recipes go by a title, \
          they are listed with their IDs. Ingredients and steps are edited as a whole, a \
          line for each: edit 12 steps "$(cat steps.txt)". In an app's store only attributes of \
          its recipes can be edited. Put -- before a word or a value that begins with a hyphen.
          """,
        examples: """
          decant recipes Recipes.db
          decant recipes Recipes.db search creme lemon
          decant recipes Recipes.db show Leek and Potato Soup
          decant recipes Recipes.db edit 12 rating 4.5 tags "winter, quick"
          """
      )
    )
  }

  @Argument(help: "The store of recipes.", completion: .file())
  var store: String

  @Argument(help: "A task, and what it is about.", completion: .recipeWords)
  var words: [String] = []

  @Option(
    help: ArgumentHelp("How objects of an app's store become recipes, in YAML.", valueName: "file"),
    completion: .file()
  )
  var mapping: String?

  @Flag(name: .shortAndLong, help: "Delete without asking.")
  var yes = false

  @Flag(help: "Print what would be changed or deleted, and write nothing.")
  var dryRun = false

  @Flag(help: "Write the page and print its path only.")
  var noBrowser = false

  @OptionGroup var reading: ReadingOptions

  @OptionGroup var output: OutputOptions

  func validate() throws {
    let job = try job()
    if dryRun || yes, !job.name.changes {
      throw ValidationError("\(dryRun ? "--dry-run" : "--yes") is for edit and delete")
    }
    if noBrowser, job.name != .page { throw ValidationError("--no-browser is for open") }
  }

  func run() throws {
    Interrupt.ignoreFailedWrites()
    var recipes = Recipes(store, try job())
    (recipes.model, recipes.isDryRun) = (reading.model, dryRun)
    recipes.mapping = try mapping.map { file in try reporting { () throws(DecantError) in try Mapping.read(file) } }
    try RecipesRunner(recipes, self).run()
  }

  /// Returns the task to perform.
  func job() throws -> Recipes.Job { try Recipes.Job(words) }
}

extension Recipes.Job {
  /// Parses the words after the store.
  init(_ words: [String]) throws {
    let rest = words.dropFirst()
    // A title may be written without quotes.
    let text = rest.joined(separator: " ")
    guard let name = Name(rawValue: words.first ?? Name.list.rawValue) else {
      let names = Name.allCases.map(\.rawValue)
      let remedy =
        words[0].nearest(in: names).map { "did you mean \($0)?" }
        ?? "the tasks are \(names.joined(separator: ", ")); to show a recipe: show \(words.joined(separator: " "))"
      throw ValidationError("there is no task “\(words[0])”: \(remedy)")
    }
    if name != .list, text.allSatisfy(\.isWhitespace) {
      throw ValidationError(
        name == .search
          ? "name the words to search for, with -- before one that begins with a hyphen"
          : "name the recipe by its title or its ID")
    }
    switch name {
    case .list:
      guard rest.isEmpty else { throw ValidationError("list takes no words: to look for recipes use search") }
      self = .list
    case .search: self = .search(text)
    case .show: self = .show(.words(text))
    case .page: self = .page(.words(text))
    case .delete: self = .delete(.words(text))
    case .edit:
      let pairs = Array(rest.dropFirst())
      guard let recipe = rest.first, !pairs.isEmpty, pairs.count.isMultiple(of: 2) else {
        throw ValidationError(
          "edit takes an ID or a title in quotes, and a field and a value for each change: edit 12 rating 4.5; put -- before "
            + "a value that begins with a hyphen: edit 12 notes -- -5"
        )
      }
      self = .edit(
        .words(recipe),
        stride(from: 0, to: pairs.count, by: 2).map { RecipeSetting(pairs[$0], pairs[$0 + 1]) }
      )
    }
  }
}

extension CompletionKind {
  /// A task or, after `edit` and a recipe, the name of a field.
  static var recipeWords: CompletionKind {
    .custom { words, position, _ in
      // The first three words are the program, the verb and the store.
      let before = words.prefix(position).dropFirst(3)
      guard let task = before.first else { return Recipes.Job.Name.allCases.map(\.rawValue) }
      return task == Recipes.Job.Name.edit.rawValue && before.count.isMultiple(of: 2) ? Recipes.fields : []
    }
  }
}
