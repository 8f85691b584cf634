import Decant

/// The best soups of a store, the newest first.
func soups(in store: Store) async throws -> [Recipe] {
  let soups = store.objects(Recipe.self)
    .filter { $0.rating >= 4 && $0.category.name == "Soups" }
    .exclude { $0.tags.contains { $0.name == "spicy" } }
    .order { [$0.createdAt.descending, $0.title.ascending] }
  print("\(try await soups.count()) of \(try await store.objects(Recipe.self).count()) recipes")
  return try await soups.prefix(20).array()
}
