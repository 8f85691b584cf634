import Decant

/// Recipes, each with the name of its category and its steps.
func cards(_ recipes: [Recipe], in store: Store) async throws -> [(Recipe, category: String?, steps: [Step])] {
  let categories = try await store.objects(Category.self).by(recipes.map(\.category))
  let steps = try await store.objects(Recipe.self).lists(of: recipes.map(\.id)) { $0.steps }
  return recipes.map { recipe in
    (recipe, recipe.category.flatMap { categories[$0]?.name }, steps[recipe.id] ?? [])
  }
}
