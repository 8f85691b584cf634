package import DecantBase
package import DecantRecipes

/// What was done with a library of recipes, and with which of them.
package struct RecipesReport: Sendable {
  /// The store, as the user named it.
  package var store: String
  /// What was asked for, in a word.
  package var task: String
  /// The recipes that it is about, in the order in which they are listed.
  package var recipes: [RecipeLibrary.Line] = []
  /// The recipe that was asked for, with its lines.
  package var recipe: RecipeDocument?
  /// The text of it, which is no part of the document.
  package var text = ""
  /// The page that was written.
  package var page: String?
  /// The fields that were changed, with what they held and hold.
  package var changed: [RecipeEdit.Change] = []
  /// What the recipe owns that goes with it: how many there are, by their entity.
  package var parts: [(entity: String, count: Int64)] = []
  package var isDryRun = false
  /// Whether somebody was asked whether to delete, and did not want it.
  package var isDeclined = false
  /// Notes for the reader.
  package var notes: [ReportNote] = []

  /// Begins a report.
  package init(_ store: String, _ task: String) { (self.store, self.task) = (store, task) }
}

extension RecipesReport: Encodable {
  /// Encodes the document of `decant recipes`.
  package func encode(to encoder: any Encoder) throws {
    try DocumentMembers(
      "recipes",
      [
        ("store", store), ("task", task), ("recipes", recipes), ("recipe", recipe), ("page", page),
        ("changed", changed), ("parts", DocumentMembers(parts.map { ($0.entity, $0.count) })), ("dryRun", isDryRun),
        ("declined", isDeclined),
      ],
      notes: notes
    ).encode(to: encoder)
  }
}

extension RecipeEdit.Change: Encodable {
  /// Encodes what became of a field.
  package func encode(to encoder: any Encoder) throws {
    try DocumentMembers([("field", field), ("before", before), ("after", after)]).encode(to: encoder)
  }
}

extension RecipeLibrary.Line: Encodable {
  /// Encodes a line of the list of recipes.
  package func encode(to encoder: any Encoder) throws {
    try DocumentMembers([
      ("id", id), ("title", title), ("rating", rating), ("categories", categories), ("source", source), ("url", url),
    ]).encode(to: encoder)
  }
}
