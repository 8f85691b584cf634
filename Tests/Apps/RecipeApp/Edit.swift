import Decant
import Examples

/// An editor: what is typed is one write; what is discarded was never there.
///
/// `STORE TITLE save|discard [ROUNDS]`: writes a recipe of that title with three steps, as often as ROUNDS says.
func edit(_ arguments: [String]) async throws {
  let store = try await Store(StoreLocation(place: arguments[0]))
  let (title, isSaved) = (arguments[1], arguments[2] == "save")
  struct Discarded: Error {}
  for round in 1...(arguments.count > 3 ? Int(arguments[3]) ?? 1 : 1) {
    do {
      let steps = try await store.write { block in
        let soups = try block.objects(Category.self).filter { $0.name == "Soups" }.first()
        let recipe = try block.insert(Recipe.self) {
          ($0.title, $0.uuid, $0.isFavorite) = ("\(title) \(round)", StoreUUID(), false)
          ($0.cookMinutes, $0.prepMinutes, $0.servings, $0.viewCount) = (20, 10, 4, 0)
          ($0.createdAt, $0.modifiedAt) = (.now, .now)
          $0.category = soups?.id
        }
        for text in ["Cut.", "Boil.", "Serve."] {
          try block.insert(Step.self) {
            ($0.text, $0.uuid) = (text, StoreUUID())
            $0.recipe = recipe
          }
        }
        // The button “Undo” within the editor undoes one change alone.
        try? block.attempt {
          try block.update(recipe) { $0.servings = 400 }
          throw Discarded()
        }
        guard isSaved else { throw Discarded() }
        return try block.object(recipe)?.steps(in: block).count() ?? 0
      }
      print("saved \(title) \(round), \(steps) steps")
    } catch is Discarded {
      print("discarded")
    }
  }
}
