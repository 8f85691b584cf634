import Decant

/// Merges two stores that started as one, and asks about each conflict.
func merge(_ theirs: String, into mine: String, since before: String) async throws {
  var rules = MergeRules(.threeWay)
  rules.base = StoreLocation(place: before)
  rules.asksAboutConflicts = true
  for try await event in Merge([theirs], into: mine, rules: rules).operation {
    guard case .working(.conflict(let question), _) = event else { continue }
    question.decide(await ask(question.conflict, question.problem))
  }
}

/// What an app shows and asks.
private func ask(_ conflict: MergeConflict, _ problem: String?) async -> MergeDecision { .mine }
