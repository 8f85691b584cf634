import Decant
import Examples
import Foundation
import StoreTestSupport
import TestSupport
import Testing

private typealias Recipe = Examples.Recipe

/// Random sequences of writes, held against a model in memory that knows the rules and nothing of tables.
@Suite struct RandomWriteTests {
  @Test(arguments: SeededGenerator.seeds(1))
  func `ten thousand random steps leave what the model says`(seed: UInt64) throws {
    let kitchens = try Kitchens()
    let store = try Store(StoreKinds.location(kitchens.kitchen))
    var random = SeededGenerator(seed: seed)
    var model = try MemoryKitchen(kitchens.kitchen)
    var steps = 0
    var blocks = 0
    while steps < 10_000 {
      let before = model
      let count = Int.random(in: 1...20, using: &random)
      let fails = Int.random(in: 0..<8, using: &random) == 0
      do {
        try store.write { block in
          for _ in 0..<count { try model.step(block, &random) }
          if fails { throw CancellationError() }
        }
        #expect(!fails)
        model.commit()
      } catch is CancellationError {
        model = before
      }
      steps += count
      blocks += 1
      if blocks % 25 == 0 { try #require(try model.differences(kitchens.kitchen) == []) }
    }
    #expect(try model.differences(kitchens.kitchen) == [])
    try WritingTests.checkSound(kitchens.kitchen)
    // Another store of the same steps by another path: what a copy proves of it holds.
    let report = try kitchens.copy(kitchens.kitchen, to: kitchens.out)
    #expect(report.isVerified)
  }
}

/// A store of recipes as plain values.
private struct MemoryKitchen {
  private struct RecipeValue: Hashable {
    var title: String
    var category: Int64?
    var cover: Int64?
    var variantOf: Int64?
    var tags: Set<Int64> = []
    var steps: [Int64] = []
  }

  private var recipes: [Int64: RecipeValue] = [:]
  private var categories: Set<Int64> = []
  private var tags: Set<Int64> = []
  /// Steps by key, with their texts.
  private var steps: [Int64: String] = [:]
  /// Images by key, each with the recipe or the step that it belongs to.
  private var images: [Int64: (recipe: Int64?, step: Int64?)] = [:]
  private var ingredients: [Int64: Int64] = [:]
  private var versions: [String: Int64] = [:]
  private var touched: Set<String> = []
  private var made: Set<String> = []
  private static let uuid = StoreUUID([UInt8](repeating: 9, count: 16))

  /// Reads what is there to begin with.
  init(_ path: String) throws {
    func rows(_ sql: String) throws -> [[String]] {
      try Program.sqlite3(path, sql).split(separator: "\n").map { line in
        line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      }
    }
    func key(_ text: String) throws -> Int64 { try #require(Int64(text)) }
    for row in try rows("SELECT Z_PK, ZTITLE, ZCATEGORY, ZCOVER, ZVARIANTOF FROM ZRECIPE") {
      recipes[try key(row[0])] = RecipeValue(
        title: row[1], category: Int64(row[2]), cover: Int64(row[3]), variantOf: Int64(row[4]))
    }
    for row in try rows("SELECT Z_6RECIPES, Z_8TAGS FROM Z_6TAGS") {
      recipes[try key(row[0])]?.tags.insert(try key(row[1]))
    }
    for row in try rows("SELECT Z_PK, ZRECIPE, replace(ZTEXT, char(10), ' ') FROM ZSTEP ORDER BY ZRECIPE, Z_FOK_RECIPE")
    {
      steps[try key(row[0])] = row[2...].joined(separator: "|")
      if let recipe = Int64(row[1]) { recipes[recipe]?.steps.append(try key(row[0])) }
    }
    for row in try rows("SELECT Z_PK, ZRECIPE, ZSTEP FROM ZIMAGE") {
      images[try key(row[0])] = (Int64(row[1]), Int64(row[2]))
    }
    for row in try rows("SELECT Z_PK, ZRECIPE FROM ZINGREDIENT") { ingredients[try key(row[0])] = try key(row[1]) }
    categories = Set(try rows("SELECT Z_PK FROM ZCATEGORY").map { try key($0[0]) })
    tags = Set(try rows("SELECT Z_PK FROM ZTAG").map { try key($0[0]) })
    for table in ["RECIPE", "STEP", "IMAGE", "INGREDIENT", "CATEGORY", "TAG"] {
      for row in try rows("SELECT Z_PK, Z_OPT FROM Z\(table)") { versions["\(table) \(row[0])"] = try key(row[1]) }
    }
  }

  private mutating func touch(_ table: String, _ key: Int64?) {
    if let key { touched.insert("\(table) \(key)") }
  }

  private mutating func make(_ table: String, _ key: Int64) { made.insert("\(table) \(key)") }

  private mutating func forget(_ table: String, _ key: Int64) {
    touched.remove("\(table) \(key)")
    made.remove("\(table) \(key)")
    versions["\(table) \(key)"] = nil
  }

  /// Ends a block: what was there and was changed is one version further.
  mutating func commit() {
    for name in made { versions[name] = 1 }
    for name in touched where !made.contains(name) { versions[name, default: 0] += 1 }
    (touched, made) = ([], [])
  }

  // MARK: Steps

  private static func pick<Key>(_ keys: some Collection<Key>, _ random: inout SeededGenerator) -> Key?
  where Key: Comparable { keys.sorted().randomElement(using: &random) }

  /// Does one random thing to the store and to the model.
  mutating func step(_ block: WriteBlock, _ random: inout SeededGenerator) throws {
    let recipe = MemoryKitchen.pick(recipes.keys, &random)
    switch Int.random(in: 0..<17, using: &random) {
    case 0: try insertRecipe(block, &random)
    case 1:
      let key = try block.insert(Examples.Category.self) {
        ($0.name, $0.sortIndex, $0.uuid) = ("category", 1, MemoryKitchen.uuid)
      }.key
      categories.insert(key)
      make("CATEGORY", key)
    case 2:
      let key = try block.insert(Examples.Tag.self) { ($0.name, $0.color, $0.uuid) = ("tag", 1, MemoryKitchen.uuid) }
        .key
      tags.insert(key)
      make("TAG", key)
    case 3, 4: try insertStep(block, recipe, &random)
    case 5: try insertImage(block, recipe, &random)
    case 6:
      guard let recipe else { return }
      let title = "title \(UInt16.random(in: .min ... .max, using: &random))"
      try block.update(ObjectID<Recipe>(recipe)) { $0.title = title }
      if recipes[recipe]?.title != title { touch("RECIPE", recipe) }
      recipes[recipe]?.title = title
    case 7:
      guard let recipe else { return }
      let category = Bool.random(using: &random) ? MemoryKitchen.pick(categories, &random) : nil
      try block.update(ObjectID<Recipe>(recipe)) { $0.category = category.map { ObjectID($0) } }
      guard let old = recipes[recipe]?.category, old == category else {
        if recipes[recipe]?.category == nil, category == nil { return }
        touch("RECIPE", recipe)
        touch("CATEGORY", recipes[recipe]?.category)
        touch("CATEGORY", category)
        recipes[recipe]?.category = category
        return
      }
    case 8: try setCover(block, recipe, &random)
    case 9: try setVariant(block, recipe, &random)
    case 10, 11: try changeTags(block, recipe, &random)
    case 12: try orderSteps(block, recipe, &random)
    case 13:
      guard let recipe, recipes.count > 4 else { return }
      try block.delete(ObjectID<Recipe>(recipe))
      deleteRecipe(recipe)
    case 14: try deleteCategory(block, &random)
    case 15:
      guard let tag = MemoryKitchen.pick(tags, &random), tags.count > 2 else { return }
      try block.delete(ObjectID<Examples.Tag>(tag))
      for (key, value) in recipes where value.tags.contains(tag) {
        recipes[key]?.tags.remove(tag)
        touch("RECIPE", key)
      }
      tags.remove(tag)
      forget("TAG", tag)
    default:
      guard let step = MemoryKitchen.pick(steps.keys, &random) else { return }
      try block.delete(ObjectID<Examples.Step>(step))
      deleteStep(step)
    }
  }

  private mutating func insertRecipe(_ block: WriteBlock, _ random: inout SeededGenerator) throws {
    let (category, tag) = (MemoryKitchen.pick(categories, &random), MemoryKitchen.pick(tags, &random))
    let key = try block.insert(Recipe.self) {
      ($0.title, $0.uuid, $0.isFavorite) = ("new", MemoryKitchen.uuid, true)
      ($0.cookMinutes, $0.prepMinutes, $0.servings, $0.viewCount) = (1, 2, 3, 4)
      ($0.createdAt, $0.modifiedAt) = (StoreDate(1), StoreDate(2))
      $0.category = category.map { ObjectID($0) }
      if let tag { $0.tags = [ObjectID(tag)] }
    }.key
    recipes[key] = RecipeValue(title: "new", category: category, tags: Set([tag].compactMap(\.self)))
    make("RECIPE", key)
    touch("CATEGORY", category)
    touch("TAG", tag)
    let ingredient = try block.insert(Examples.Ingredient.self) {
      ($0.name, $0.isGarnish, $0.sortIndex, $0.uuid) = ("salt", false, 1, MemoryKitchen.uuid)
      $0.recipe = ObjectID(key)
    }.key
    ingredients[ingredient] = key
    make("INGREDIENT", ingredient)
  }

  private mutating func insertStep(_ block: WriteBlock, _ recipe: Int64?, _ random: inout SeededGenerator) throws {
    let key = try block.insert(Examples.Step.self) {
      ($0.text, $0.uuid) = ("step", MemoryKitchen.uuid)
      $0.recipe = recipe.map { ObjectID($0) }
    }.key
    steps[key] = "step"
    make("STEP", key)
    guard let recipe else { return }
    recipes[recipe]?.steps.append(key)
    touch("RECIPE", recipe)
  }

  private mutating func insertImage(_ block: WriteBlock, _ recipe: Int64?, _ random: inout SeededGenerator) throws {
    let step = MemoryKitchen.pick(steps.keys, &random)
    let ofStep = Bool.random(using: &random)
    let key: Int64
    if ofStep {
      key = try block.insert(Examples.StepImage.self) {
        ($0.byteCount, $0.height, $0.width, $0.mimeType, $0.uuid) = (1, 1, 1, "image/png", MemoryKitchen.uuid)
        $0.step = step.map { ObjectID($0) }
      }.key
      touch("STEP", step)
    } else {
      key = try block.insert(Examples.RecipeImage.self) {
        ($0.byteCount, $0.height, $0.width, $0.mimeType, $0.uuid) = (1, 1, 1, "image/png", MemoryKitchen.uuid)
        $0.recipe = recipe.map { ObjectID($0) }
      }.key
      touch("RECIPE", recipe)
    }
    images[key] = (ofStep ? nil : recipe, ofStep ? step : nil)
    make("IMAGE", key)
  }

  private mutating func setCover(_ block: WriteBlock, _ recipe: Int64?, _ random: inout SeededGenerator) throws {
    guard let recipe, let image = MemoryKitchen.pick(images.keys, &random) else { return }
    let cover = Int.random(in: 0..<4, using: &random) == 0 ? nil : image
    let old = recipes[recipe]?.cover
    // Either end can be set.
    if let cover, Bool.random(using: &random) {
      let one = block.objects("Image").filter { $0.id == ObjectID(cover) }
      try block.update(one) { $0["coverOf"] = .integer(recipe) }
    } else {
      try block.update(ObjectID<Recipe>(recipe)) { $0.cover = cover.map { ObjectID($0) } }
    }
    guard old != cover else { return }
    for (key, value) in recipes where cover != nil && value.cover == cover {
      recipes[key]?.cover = nil
      touch("RECIPE", key)
    }
    recipes[recipe]?.cover = cover
    touch("RECIPE", recipe)
    touch("IMAGE", old)
    touch("IMAGE", cover)
  }

  private mutating func setVariant(_ block: WriteBlock, _ recipe: Int64?, _ random: inout SeededGenerator) throws {
    guard let recipe, let other = MemoryKitchen.pick(recipes.keys, &random) else { return }
    let old = recipes[recipe]?.variantOf
    // From the other end: one more of many.
    if Bool.random(using: &random) {
      try block.update(ObjectID<Recipe>(other)) { $0.variants.append(ObjectID(recipe)) }
    } else {
      try block.update(ObjectID<Recipe>(recipe)) { $0.variantOf = ObjectID(other) }
    }
    guard old != other else { return }
    recipes[recipe]?.variantOf = other
    for key in [recipe, old, other] { touch("RECIPE", key) }
  }

  private mutating func changeTags(_ block: WriteBlock, _ recipe: Int64?, _ random: inout SeededGenerator) throws {
    guard let recipe, let tag = MemoryKitchen.pick(tags, &random) else { return }
    let old = recipes[recipe]?.tags ?? []
    var new = old
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      new.insert(tag)
      try block.update(ObjectID<Examples.Tag>(tag)) { $0.recipes.append(ObjectID(recipe)) }
    case 1:
      new.remove(tag)
      try block.update(ObjectID<Recipe>(recipe)) { $0.tags.remove(ObjectID(tag)) }
    default:
      new = Set(tags.sorted().filter { _ in Bool.random(using: &random) })
      try block.update(ObjectID<Recipe>(recipe)) { [new] in $0.tags = LinkedObjects(new.sorted().map { ObjectID($0) }) }
    }
    recipes[recipe]?.tags = new
    for changed in old.symmetricDifference(new) {
      touch("TAG", changed)
      touch("RECIPE", recipe)
    }
  }

  private mutating func orderSteps(_ block: WriteBlock, _ recipe: Int64?, _ random: inout SeededGenerator) throws {
    guard let recipe, let old = recipes[recipe]?.steps else { return }
    var new = old.shuffled(using: &random)
    // One may come from another recipe, or from none, and one may go.
    if let step = MemoryKitchen.pick(steps.keys, &random), !new.contains(step) { new.append(step) }
    if new.count > 1, Bool.random(using: &random) { new.removeLast() }
    try block.update(ObjectID<Recipe>(recipe)) { [new] in $0.steps = LinkedObjects(new.map { ObjectID($0) }) }
    guard new != old else { return }
    touch("RECIPE", recipe)
    for step in Set(new).union(old) where new.contains(step) != old.contains(step) {
      touch("STEP", step)
      guard new.contains(step) else { continue }
      for (key, value) in recipes where key != recipe && value.steps.contains(step) {
        recipes[key]?.steps.removeAll { $0 == step }
        touch("RECIPE", key)
      }
    }
    recipes[recipe]?.steps = new
    // Those whose places were numbered anew have changed rows: told by what the store did, which is no rule of a model.
    let kept = old.filter { new.contains($0) } + new.filter { !old.contains($0) }
    if kept != new { for step in new { touch("STEP", step) } }
  }

  private mutating func deleteRecipe(_ recipe: Int64) {
    guard let value = recipes.removeValue(forKey: recipe) else { return }
    for step in value.steps { deleteStep(step, of: recipe) }
    for (key, owner) in images where owner.recipe == recipe { deleteImage(key) }
    for (key, owner) in ingredients where owner == recipe {
      ingredients[key] = nil
      forget("INGREDIENT", key)
    }
    if let cover = value.cover, images[cover] != nil { touch("IMAGE", cover) }
    for tag in value.tags { touch("TAG", tag) }
    touch("CATEGORY", value.category)
    if let variantOf = value.variantOf, variantOf != recipe { touch("RECIPE", variantOf) }
    for (key, other) in recipes where other.variantOf == recipe {
      recipes[key]?.variantOf = nil
      touch("RECIPE", key)
    }
    forget("RECIPE", recipe)
  }

  private mutating func deleteStep(_ step: Int64, of deleted: Int64? = nil) {
    steps[step] = nil
    for (key, owner) in images where owner.step == step { deleteImage(key) }
    for (key, value) in recipes where value.steps.contains(step) {
      recipes[key]?.steps.removeAll { $0 == step }
      touch("RECIPE", key)
    }
    forget("STEP", step)
  }

  private mutating func deleteImage(_ image: Int64) {
    images[image] = nil
    for (key, value) in recipes where value.cover == image {
      recipes[key]?.cover = nil
      touch("RECIPE", key)
    }
    forget("IMAGE", image)
  }

  private mutating func deleteCategory(_ block: WriteBlock, _ random: inout SeededGenerator) throws {
    guard let category = MemoryKitchen.pick(categories, &random) else { return }
    let isUsed = recipes.values.contains { $0.category == category }
    do {
      try block.delete(ObjectID<Examples.Category>(category))
      #expect(!isUsed)
      categories.remove(category)
      forget("CATEGORY", category)
    } catch {
      #expect(isUsed && error.code == .constraintViolated)
    }
  }

  // MARK: Comparing

  /// What the store at `path` holds and the model does not, or the other way round.
  func differences(_ path: String) throws -> [String] {
    let sql = """
      SELECT 'recipe', Z_PK, ZTITLE, ifnull(ZCATEGORY, '-'), ifnull(ZCOVER, '-'), ifnull(ZVARIANTOF, '-'),
        ifnull((SELECT group_concat(Z_8TAGS) FROM (SELECT Z_8TAGS FROM Z_6TAGS WHERE Z_6RECIPES = r.Z_PK ORDER BY 1)), ''),
        ifnull((SELECT group_concat(Z_PK) FROM (SELECT Z_PK FROM ZSTEP WHERE ZRECIPE = r.Z_PK ORDER BY Z_FOK_RECIPE)), '')
        FROM ZRECIPE AS r;
      SELECT 'version', 'RECIPE ' || Z_PK, Z_OPT FROM ZRECIPE UNION ALL SELECT 'version', 'STEP ' || Z_PK, Z_OPT FROM ZSTEP
        UNION ALL SELECT 'version', 'IMAGE ' || Z_PK, Z_OPT FROM ZIMAGE
        UNION ALL SELECT 'version', 'INGREDIENT ' || Z_PK, Z_OPT FROM ZINGREDIENT
        UNION ALL SELECT 'version', 'CATEGORY ' || Z_PK, Z_OPT FROM ZCATEGORY
        UNION ALL SELECT 'version', 'TAG ' || Z_PK, Z_OPT FROM ZTAG;
      SELECT 'step', Z_PK, replace(ZTEXT, char(10), ' ') FROM ZSTEP;
      SELECT 'image', Z_PK, ifnull(ZRECIPE, '-'), ifnull(ZSTEP, '-') FROM ZIMAGE;
      SELECT 'ingredient', Z_PK, ZRECIPE FROM ZINGREDIENT
      """
    let there = Set(try Program.sqlite3(path, sql).split(separator: "\n").map(String.init))
    func text(_ key: Int64?) -> String { key.map(String.init) ?? "-" }
    var wanted: Set<String> = []
    for (key, recipe) in recipes {
      let tags = recipe.tags.sorted().map(String.init).joined(separator: ",")
      let steps = recipe.steps.map(String.init).joined(separator: ",")
      wanted.insert(
        "recipe|\(key)|\(recipe.title)|\(text(recipe.category))|\(text(recipe.cover))|\(text(recipe.variantOf))|\(tags)|\(steps)"
      )
    }
    for (name, version) in versions { wanted.insert("version|\(name)|\(version)") }
    for (key, step) in steps { wanted.insert("step|\(key)|\(step)") }
    for (key, image) in images { wanted.insert("image|\(key)|\(text(image.recipe))|\(text(image.step))") }
    for (key, recipe) in ingredients { wanted.insert("ingredient|\(key)|\(recipe)") }
    return Array(
      (there.subtracting(wanted).map { "store: " + $0 } + wanted.subtracting(there).map { "model: " + $0 })
        .sorted().prefix(12))
  }
}
