internal import DecantRecipeFormats
package import DecantBase

/// How many objects of recipes a format has no place for: what the notes say of fields, in numbers of objects.
package struct RecipeLossCounts {
  /// By entity.
  private var lost: [String: Int64] = [:]
  /// The names that recipes share and that some recipe keeps, by entity.
  private var kept: [String: Set<String>] = ["Category": [], "Tag": [], "Source": []]

  package init() {
  }

  /// Adds what one recipe loses.
  package mutating func add(_ written: WrittenRecipe, of entry: StoredRecipes.Entry) {
    let (before, after) = (entry.recipe, written.recipe)
    func count(_ entity: String, _ loss: String, _ before: Int, _ after: Int) {
      if written.losses.contains(loss) { lost[entity, default: 0] += Int64(max(0, before - after)) }
    }
    count("Ingredient", "ingredients", before.ingredients.count, after.ingredients.count)
    count("Step", "steps", before.steps.count, after.steps.count)
    count("Nutrition", "nutrition", before.nutrition.count, after.nutrition.count)
    count("NativeID", "nativeID", entry.ids.count, 0)
    if let pictureCount = written.pictureCount {
      lost["Image", default: 0] += Int64(max(0, entry.images.count - pictureCount))
    }
    kept["Category"]?.formUnion(Set(before.categories).intersection(after.categories))
    kept["Tag"]?.formUnion(Set(before.tags).intersection(after.tags))
    if let source = before.source, !written.losses.contains("source") {
      kept["Source"]?.insert(source)
    }
  }

  /// Counts in a report of the copy of all of them as left out what the format does not take.
  package func leave(out report: inout CopyReport) {
    for index in report.entities.indices {
      let entity = report.entities[index]
      let count =
        kept[entity.name].map { max(0, entity.copied - Int64($0.count)) }
        ?? min(entity.copied, lost[entity.name] ?? 0)
      report.entities[index].copied -= count
      report.entities[index].filtered += count
    }
  }
}
