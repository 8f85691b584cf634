internal import DecantRecipeFormats
package import DecantBase

/// How many objects and links of recipes a format has no place for: what the notes say of fields, in numbers.
package struct RecipeLossCounts {
  /// Objects that are parts of recipes, by entity.
  private var parts: [String: Int64] = [:]
  /// Links to what recipes share, by relationship.
  private var links: [String: Int64] = [:]
  /// The names that recipes share and that some recipe keeps, by entity.
  private var kept: [String: Set<String>] = ["Category": [], "Tag": [], "Source": []]

  package init() {
  }

  /// Adds what one recipe loses.
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

  /// Adds the names of `before` that are among those of `after` to those that are kept, and counts the others.
  private mutating func share(_ entity: String, _ relationship: String, _ before: [String], _ after: [String]) {
    let names = Set(before).intersection(after)
    kept[entity]?.formUnion(names)
    links[relationship, default: 0] += Int64(Set(before).count - names.count)
  }

  /// Counts in a report of the copy of all of them as left out what the format does not take.
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
  /// The names of what the recipe loses, with the IDs that it has in other apps.
  package func losses(_ written: WrittenRecipe) -> [String] {
    written.losses + (lostIDCount(written) > 0 ? ["nativeID"] : [])
  }

  /// How many of the IDs that apps know the recipe by are not written: a format has a place for one.
  func lostIDCount(_ written: WrittenRecipe) -> Int {
    ids.count - (ids.values.contains { $0 == written.recipe.nativeID } ? 1 : 0)
  }
}
