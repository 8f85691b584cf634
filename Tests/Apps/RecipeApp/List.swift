import Decant
import Examples

/// A table of recipes: a typed filter, sections, pages, and a swipe that deletes.
///
/// `STORE [KEY]`: shows the recipes, or deletes the one with that key first.
func list(_ arguments: [String]) async throws {
  let store = try await Store(StoreLocation(place: arguments[0]))
  if arguments.count > 1, let key = Int64(arguments[1]) {
    let table = ObjectTable(store.objects(Recipe.self))
    try await table.delete(ObjectID(key))
  }
  let recipes = store.objects(Recipe.self)
    .filter { $0.servings > 0 && $0.category != nil }
    .order { [$0.category.name.ascending, $0.title.ascendingIgnoringCase] }

  let sections = try await recipes.sections { $0.category.name }
  for section in sections {
    guard case .text(let name) = section.value else { continue }
    print("\(name) (\(section.count))")
    let pages = recipes.filter { $0.category.name == name }.pages(of: 2)
    var page: ObjectPage<Recipe>? = try await pages.first()
    while let shown = page {
      for recipe in shown.objects { print("  \(recipe.title)") }
      page = try await pages.next(after: shown)
    }
  }
  print("\(try await recipes.count()) of \(try await store.objects(Recipe.self).count())")
}
