import Decant

/// What a table view asks its data source: how many rows there are, what stands in one, and to delete what is swiped away.
func rows(of table: ObjectTable<Recipe>, from first: Int) async throws -> [String] {
  let count = try await table.estimate()
  print(count.isEstimate ? "more than \(count.value) recipes" : "\(count.value) recipes")
  var titles: [String] = []
  for number in first..<first + 20 {
    guard let recipe = try await table.row(number) else { break }
    titles.append(recipe.title)
  }
  return titles
}
