import Decant

/// Sends the soups of one store to another, which keeps what it has.
func share(from store: Store, with friend: Store) async throws {
  let soups = store.objects(Recipe.self).filter { $0.category.name == "Soups" }
  let bytes: [UInt8] = try await store.archive(soups, packed: .zstd)
  let trial = try await Store.memory(like: friend)
  try await trial.take(bytes)
  print("\(try await trial.objects(Recipe.self).count()) recipes would come")
  try await friend.take(bytes)
}
