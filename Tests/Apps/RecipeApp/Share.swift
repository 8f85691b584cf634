import Decant
import Examples

/// Sharing one recipe with what belongs to it, and taking one in: with a preview, and a question for each conflict.
///
/// `STORE TITLE ARCHIVE FRIEND`: exports the recipe, and merges it into the friend's store.
func share(_ arguments: [String]) async throws {
  let (place, title, archive, friend) = (arguments[0], arguments[1], arguments[2], arguments[3])
  let store = try await Store(StoreLocation(place: place))
  guard let recipe = try await store.objects(Recipe.self).filter({ $0.title == title }).first() else {
    return print("no recipe “\(title)”")
  }
  var export = Export(from: place, to: archive)
  export.selection.roots = [try EntityCondition("Recipe", "_id = ?", arguments: [.integer(recipe.id.key)])]
  let shared = try await export.operation.report()
  print("\(shared.copiedCount) objects shared")

  var rules = MergeRules(.newest)
  rules.asksAboutConflicts = true
  let merge = Merge([archive], into: friend, rules: rules)
  let preview = try await merge.preview(listing: 10).report()
  print("\(preview.reports[0].copiedCount) would come")
  for try await event in merge.operation {
    switch event {
    // The app shows both values and asks; this friend takes new recipes' texts, and keeps all else.
    case .working(.conflict(let question), _):
      question.decide(question.conflict.entity == "Recipe" ? .theirs : .mine)
    case .working: break
    case .finished(let outcome): print("\(outcome.reports[0].copiedCount) came")
    }
  }
}
