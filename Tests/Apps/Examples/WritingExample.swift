import Decant

/// Adds a soup with its steps, marks the best recipes, and deletes those that nobody liked: all of it or nothing.
func tidyUp(_ store: Store) async throws -> ObjectID<Recipe> {
  try await store.write { block in
    let soups = try block.objects(Category.self).filter { $0.name == "Soups" }.first()
    let soup = try block.insert(Recipe.self) {
      ($0.title, $0.uuid, $0.servings) = ("Borscht", StoreUUID(), 4)
      ($0.cookMinutes, $0.prepMinutes, $0.viewCount, $0.isFavorite) = (60, 20, 0, false)
      ($0.createdAt, $0.modifiedAt) = (.now, .now)
      $0.category = soups?.id
    }
    try block.insert(Step.self) {
      ($0.text, $0.uuid) = ("Boil the beets.", StoreUUID())
      $0.recipe = soup
    }
    try block.update(block.objects(Recipe.self).filter { $0.rating >= 5 }) { $0.isFavorite = true }
    try block.delete(block.objects(Recipe.self).filter { $0.rating < 1 })
    return soup
  }
}
