import Decant

/// The titles of all recipes of a category.
func titles(of category: String, in store: Store) throws -> [StoreValue] {
  try store.objects("Recipe").filter { $0.one("category")["name"] == .text(category) }
    .array().compactMap { $0["title"] }
}
