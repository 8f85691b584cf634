internal import DecantRecipeFormats
package import DecantBase

/// The numbers of objects and links of recipes that a format has no place for, as opposed to single fields.
package struct RecipeLossCounts {
  /// The lost parts of recipes, by entity.
  private var parts: [String: Int64] = [:]
  /// The lost links to shared objects, by relationship.
  private var links: [String: Int64] = [:]
  /// The names shared by recipes that at least one recipe keeps, by entity.
  private var kept: [String: Set<String>] = ["Category": [], "Tag": [], "Source": []]

  package init() {
  }

  /// Adds the losses of one recipe.
  package mutating func add(_ written: WrittenRecipe, of entry: StoredRecipes.Entry) {
    let (before, after) = (entry.recipe, written.recipe)
    func count(_ entity: String, _ loss: String, _ before: Int, _ after: Int) {
      if written.losses.contains(loss) { parts[entity, default: 0] += Int64(max(0, before - after)) }
    }
    count("Ingredient", "ingredients", before.ingredients.count, after.ingredients.count)
    count("Step", "steps", before.steps.count, after.steps.count)
    count("Nutrition", "nutrition", before.nutrition.count, after.nutrition.count)
    parts["NativeID", default: 0] += Int64(entry.lostIDCount(written))
    if let pictureCount = written.pictureCount {
      parts["Image", default: 0] += Int64(max(0, entry.images.count - pictureCount))
    }
    share("Category", "Category.Category_recipes", before.categories, after.categories)
    share("Tag", "Recipe.Recipe_tags", before.tags, after.tags + after.categories)
    let source = before.source.map { [$0] } ?? []
    share("Source", "Recipe.source_id", source, written.losses.contains("source") ? [] : source)
  }

  /// Adds the names of `before` that are also in `after` to the kept ones, and counts the others as lost.
  private mutating func share(_ entity: String, _ relationship: String, _ before: [String], _ after: [String]) {
    let names = Set(before).intersection(after)
    kept[entity]?.formUnion(names)
    links[relationship, default: 0] += Int64(Set(before).count - names.count)
  }

  /// Counts everything that the format cannot hold as left out in a report of the complete copy.
  package func leave(out report: inout CopyReport) {
    for index in report.entities.indices {
      let entity = report.entities[index]
      let count =
        kept[entity.name].map { max(0, entity.copied - Int64($0.count)) }
        ?? min(entity.copied, parts[entity.name] ?? 0)
      report.entities[index].copied -= count
      report.entities[index].filtered += count
    }
    let lost = links.merging(parts.map { ("\($0).recipe_id", $1) }) { $1 }
    for (relationship, count) in lost {
      guard let copied = report.linksByRelationship[relationship]?.copied else { continue }
      let cut = min(copied, count)
      report.linksByRelationship[relationship]? += LinkCounts(copied: -cut, cut: cut)
      report.links += LinkCounts(copied: -cut, cut: cut)
    }
  }
}

extension StoredRecipes.Entry {
  /// Returns the names of the losses of a recipe, including the IDs that it has in other apps.
  package func losses(_ written: WrittenRecipe) -> [String] {
    written.losses + (lostIDCount(written) > 0 ? ["nativeID"] : [])
  }

  /// Returns how many of the recipe's IDs in apps are not written: a format has a place for one.
  func lostIDCount(_ written: WrittenRecipe) -> Int {
    ids.count - (ids.values.contains { $0 == written.recipe.nativeID } ? 1 : 0)
  }
}
