internal import DecantArchive
package import DecantBase
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// Categories and tags: names that many recipes share, so `--root` does not include them by default.
package enum SharedNames {
  /// Returns the rules that include them when recipes are selected from a store of recipes.
  ///
  /// - Parameters:
  ///   - location: The store.
  ///   - options: The given options, whose own rules take precedence.
  ///   - kinds: Opens the store.
  /// - Returns: A rule for each relationship; none for a store that is not of the recipe model.
  /// - Throws: `DecantError` if the store cannot be read.
  static func rules(of location: StoreLocation, _ options: CopyOptions, _ kinds: StoreKinds) throws(DecantError)
    -> [CopyOptions.Rule]
  {
    guard !options.roots.isEmpty, let names = try names(of: location, options, kinds) else { return [] }
    return rules(names, besides: options)
  }

  /// Returns the same rules for objects that a mapping has made.
  static func rules(_ names: [String] = ["categories", "tags"], besides options: CopyOptions) -> [CopyOptions.Rule] {
    let told =
      options.rules.map(\.relationship) + (options.mapping?.relationships.map(\.name.text) ?? [])
    return names.map { "Recipe.\($0)" }.filter { !told.contains($0) }.map {
      CopyOptions.Rule($0, .follow)
    }
  }

  /// Whether the store at `location` is of the recipe model.
  package static func isRecipes(
    _ location: StoreLocation,
    _ options: CopyOptions,
    _ kinds: StoreKinds = .known
  ) throws(DecantError) -> Bool {
    try names(of: location, options, kinds) != nil
  }

  /// Returns the names of the relationships in the store; `nil` if it is not of the recipe model.
  private static func names(of location: StoreLocation, _ options: CopyOptions, _ kinds: StoreKinds) throws(DecantError)
    -> [String]?
  {
    let ofTables = ["Category_recipes", "Recipe_tags"]
    let kind = try kinds.find(location)
    if let model = try kind.model(of: location, options: options) {
      return isRecipes(model) ? ["categories", "tags"] : nil
    }
    if kind.abilities.contains(.isDatabase) {
      return try hasTables(location.place) ? ofTables : nil
    }
    guard kind.isFile else {
      let layout = try kind.openSource(location, facing: nil, options: options).layout
      let tables = layout.relations.map(\.table) + layout.linkRelations.map(\.table)
      return Set(tables).isSuperset(of: ["Recipe", "NativeID"] + ofTables) ? ofTables : nil
    }
    return kind.name == ArchiveKind.name ? try ofArchive(location, ofTables) : ofTables
  }

  private static func ofArchive(_ location: StoreLocation, _ names: [String]) throws(DecantError) -> [String]? {
    isRecipes(try ArchiveParts.header(of: location.place).model.model) ? names : nil
  }

  private static func isRecipes(_ model: Model) -> Bool {
    ["Recipe", "NativeID", "Category", "Tag"].allSatisfy { model[$0] != nil }
  }

  private static func hasTables(_ path: String) throws(DecantError) -> Bool {
    let file = try DatabaseFile.open(path)
    do throws(SQLiteError) {
      let connection = try Connection(file.uri, mode: .readOnly)
      connection.setBusyTimeout(milliseconds: 5_000)
      let count = try connection.integer(
        """
        SELECT count(*) FROM main.sqlite_schema WHERE type = 'table'
        AND name IN ('Recipe', 'NativeID', 'Category_recipes', 'Recipe_tags')
        """
      )
      return count == 4
    } catch {
      throw DecantError(opening: path, error)
    }
  }
}

extension CopyOptions {
  /// The options for a store of recipes in which conditions select recipes with everything that belongs to them.
  ///
  /// The parts of a recipe require it, so a condition alone would leave parts without their recipe.
  var choosingRecipes: CopyOptions {
    var options = self
    let conditions = options.filters.filter { $0.entity == "Recipe" }
    guard !conditions.isEmpty else { return options }
    let roots = options.roots.filter { $0.entity == "Recipe" }
    // Each root adds recipes, whereas each condition excludes some.
    var chosen = conditions[0]
    if conditions.count > 1 {
      chosen.expression = conditions.map { "(\($0.expression))" }.joined(separator: " AND ")
    }
    if !roots.isEmpty {
      let any = roots.map { "(\($0.expression))" }.joined(separator: " OR ")
      chosen.expression = "(\(any)) AND (\(chosen.expression))"
    }
    let others = options.roots.filter { $0.entity != "Recipe" }
    if !roots.isEmpty || others.isEmpty {
      chosen.option = .where
      options.roots = others + [chosen]
    }
    // If roots of other entities lead to recipes, the conditions also apply to these.
    if others.isEmpty { options.filters.removeAll { $0.entity == "Recipe" } }
    return options
  }
}
