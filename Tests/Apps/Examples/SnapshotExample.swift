import Decant

/// Recipes and how many there are, of one state of the store.
func overview(of store: Store) async throws -> (recipes: [Recipe], count: Int) {
  try await store.read { snapshot in
    let recipes = snapshot.objects(Recipe.self).order { [$0.modifiedAt.descending] }
    return (try recipes.prefix(20).array(), try recipes.count())
  }
}
