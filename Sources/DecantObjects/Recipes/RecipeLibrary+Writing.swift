package import DecantBase
internal import DecantPlan
package import DecantRecipeFormats
package import DecantRecipes
internal import DecantStore
internal import DecantTransfer

/// Changing and deleting recipes in the store itself, by `Store.write`.
extension RecipeLibrary {
  /// Prepares an edit, without changing anything.
  ///
  /// - Parameters:
  ///   - changes: Names of fields, each with its value as people write it; an empty one clears the field.
  ///   - recipe: The current recipe.
  /// - Returns: The values for the store.
  /// - Throws: `DecantError` of the family `.usage` for an unknown field, and for a value that the field cannot have.
  package func edit(_ changes: [(field: String, value: String)], of recipe: Recipe) throws(DecantError) -> RecipeEdit {
    let now = DateText.text(of: StoreDate.now.seconds.rounded(.down)) ?? ""
    var edit = try RecipeEdit(changes, of: recipe, now: now) { table, name throws(DecantError) in
      try spelling(of: name, in: table)
    }
    if let app = try appRecipes() {
      _ = try app.values(of: edit)
      // The notes are about columns of the recipe model, which an app's store does not have.
      edit.notes = []
    }
    return edit
  }

  /// Returns the objects that a mapping turns into recipes; `nil` for a store of the recipe model.
  private func appRecipes() throws(DecantError) -> AppRecipes? {
    guard let mapping = choice.options.mapping else { return nil }
    var options = CopyOptions()
    options.model = choice.options.model
    return try AppRecipes(mapping, of: StoreKinds.known.openSource(place, options: options), place.place)
  }

  /// Throws if recipes of this store cannot be changed: a mapping combines them from several entities, or they are not
  /// in a database.
  package func checkCanWrite() throws(DecantError) {
    _ = try appRecipes()
    guard try StoreKinds.known.find(place).abilities.contains(.isDatabase) else {
      throw DecantError(
        .unsupportedKind,
        "“\(place.place)” is a file to be sent, not a store that can be changed",
        remedy:
          "import it into a store, and change it there: \(command: "import \(place.description.shellQuoted) Recipes.db", app: "an import into a new store")"
      )
    }
  }

  /// Deletes a recipe with its parts; categories, tags and sources remain.
  ///
  /// In an app's store, the delete rules of its model determine what is deleted with it.
  package func delete(_ id: Int64) throws(DecantError) {
    let entity = try appRecipes()?.entity ?? "Recipe"
    try write { block in
      guard try block.delete(block.objects(entity).filter { $0.id == ObjectID(id) }) == 1 else { throw gone(id) }
    }
  }

  /// Changes fields of a recipe.
  ///
  /// New names of sources, categories and tags are added, and unchanged lines keep their rows. In an app's store, the
  /// attributes change from which the mapping reads the fields.
  package func change(_ id: Int64, _ edit: RecipeEdit) throws(DecantError) {
    if let app = try appRecipes() {
      let values = try app.values(of: edit)
      return try write { block in
        let count = try block.update(block.objects(app.entity).filter { $0.id == ObjectID(id) }) { object in
          for (name, value) in values.sorted(by: { $0.key < $1.key }) { object[name] = value }
        }
        guard count == 1 else { throw gone(id) }
      }
    }
    try write { block in
      let model = block.origin.store.model
      var links: [(name: String, isToMany: Bool, keys: [ObjectID<StoreRecord>])] = []
      for (table, lines) in edit.lines {
        let keys = try RecipeLines(table, of: id, in: block).replace(by: lines)
        guard let link = model.relationships(of: "Recipe").first(where: { $0.destination == table }), link.isOrdered
        else { continue }
        links.append((link.name, true, keys))
      }
      for (table, names) in edit.names {
        guard let link = model.relationships(of: "Recipe").first(where: { $0.destination == table }) else { continue }
        let keys = try names.map { name in
          try block.objects(table).filter { $0["name"] == .text(name) }.first()?.id
            ?? block.insert(table) { $0["name"] = .text(name) }
        }
        links.append((link.name, link.isToMany, keys))
      }
      let count = try block.update(block.objects("Recipe").filter { $0.id == ObjectID(id) }) { recipe in
        for (column, value) in edit.values { recipe[column] = value }
        for link in links {
          if link.isToMany {
            recipe[many: link.name] = LinkedObjects(link.keys)
          } else {
            recipe[link.name] = link.keys.first.map { .integer($0.key) } ?? .null
          }
        }
      }
      guard count == 1 else { throw gone(id) }
    }
  }

  func gone(_ id: Int64) -> DecantError {
    DecantError(.objectNotFound, "recipe \(id) of “\(place.place)” no longer exists")
  }

  private func write(_ body: (WriteBlock) throws -> Void) throws(DecantError) {
    try checkCanWrite()
    let store = try Store(place, model: choice.options.model)
    do {
      try store.write(WritePolicy(), body)
    } catch let error as DecantError {
      throw error
    } catch {
      throw DecantError(.databaseFailed, "cannot change “\(place.place)”: \(error)")
    }
  }
}
