import Decant

/// Shows a list, and shows it again whenever it may have changed.
func follow(_ store: Store, show: ([Recipe]) -> Void) async throws {
  let recipes = store.objects(Recipe.self).order { [$0.title.ascendingIgnoringCase] }.prefix(50)
  let changes = store.changes(of: Recipe.self)
  show(try await recipes.array())
  for try await _ in changes { show(try await recipes.array()) }
}
