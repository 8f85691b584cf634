import DecantContainers
import DecantSQLite

extension ObjectGraph {
  /// Makes the objects of a menu, with keys in the order in which a cook would have typed it.
  init(_ menu: Menu) throws(ContainerError) {
    self.init(Schema.kitchen)
    var categories: [String: ObjectReference] = [:]
    for (position, category) in menu.categories.enumerated() {
      categories[category.name] = add(
        "Category",
        [
          "name": .text(category.name),
          "sortIndex": .integer(Int64(position)),
          "symbol": category.symbol.map(Binding.text) ?? .null,
          "uuid": .blob(Identifier.bytes("\(menu.name) category \(category.name)")),
        ]
      )
    }
    var tags: [String: ObjectReference] = [:]
    for tag in menu.tags {
      tags[tag.name] = add(
        "Tag",
        [
          "name": .text(tag.name),
          "color": .integer(tag.color),
          "uuid": .blob(Identifier.bytes("\(menu.name) tag \(tag.name)")),
        ]
      )
    }
    var recipes: [String: ObjectReference] = [:]
    for dish in menu.dishes {
      skipKeys(dish.gap, of: "Recipe")
      let recipe = add("Recipe", version: dish.changedAfter == nil ? 1 : 3, dish.values)
      recipes[dish.title] = recipe
      if let category = dish.category.flatMap({ categories[$0] }) {
        link(recipe, "category", to: category)
      }
      if let original = dish.variantOf.flatMap({ recipes[$0] }) {
        link(recipe, "variantOf", to: original)
      }
      for tag in dish.tags.compactMap({ tags[$0] }) { join(recipe, "tags", tag) }
      addIngredients(of: dish, to: recipe)
      let steps = addSteps(of: dish, to: recipe)
      try addPictures(of: dish, to: recipe, steps: steps)
    }
  }

  private mutating func addIngredients(of dish: Dish, to recipe: ObjectReference) {
    for (position, part) in dish.ingredients.enumerated() {
      let ingredient = add(
        "Ingredient",
        [
          "amount": part.amount.map(Binding.real) ?? .null,
          "unit": part.unit.map(Binding.text) ?? .null,
          "name": .text(part.name),
          "note": part.note.map(Binding.text) ?? .null,
          "isGarnish": .integer(part.isGarnish ? 1 : 0),
          "sortIndex": .integer(Int64(position)),
          "uuid": .blob(Identifier.bytes("\(dish.title) ingredient \(position)")),
        ]
      )
      link(ingredient, "recipe", to: recipe)
    }
  }

  /// Adds the steps, and returns them in the order of the list.
  private mutating func addSteps(of dish: Dish, to recipe: ObjectReference) -> [ObjectReference] {
    var steps: [Int: ObjectReference] = [:]
    let timely = dish.steps.indices.filter { $0 != dish.lateStep }
    for position in timely + [dish.lateStep].compactMap(\.self) {
      let move = dish.steps[position]
      let step = add(
        "Step",
        [
          "text": .text(move.text),
          "duration": move.seconds.map(Binding.real) ?? .null,
          "uuid": .blob(Identifier.bytes("\(dish.title) step \(position)")),
        ]
      )
      steps[position] = step
      // A late step is put half way between the two that were neighbours before.
      let place =
        position == dish.lateStep ? ObjectGraph.place(at: Int64(position)) - 512 : nil
      link(step, "recipe", to: recipe, place: place)
    }
    return dish.steps.indices.compactMap { steps[$0] }
  }

  private mutating func addPictures(
    of dish: Dish,
    to recipe: ObjectReference,
    steps: [ObjectReference]
  ) throws(ContainerError) {
    var cover: ObjectReference?
    if let picture = dish.picture {
      let values = try image(picture, size: 96, dish.caption, "\(dish.title) image")
      let image = add("RecipeImage", values)
      link(image, "recipe", to: recipe)
      cover = dish.isCoveredByStep ? nil : image
    }
    for (move, step) in zip(dish.steps, steps) {
      guard let picture = move.picture else { continue }
      let name = "\(dish.title) step image \(step.key)"
      let image = add("StepImage", try image(picture, size: 64, move.caption, name))
      link(image, "step", to: step)
      cover = cover ?? (dish.isCoveredByStep ? image : nil)
    }
    if let cover { link(recipe, "cover", to: cover) }
  }

  private func image(
    _ picture: Picture,
    size: Int,
    _ caption: String?,
    _ name: String
  ) throws(ContainerError) -> [String: Binding] {
    let png = try picture.png(size: size)
    return [
      "byteCount": .integer(Int64(png.count)),
      "caption": caption.map(Binding.text) ?? .null,
      // The attribute may be stored outside, so a byte tells that this value is not.
      "data": .blob([0x01] + png),
      "width": .integer(Int64(size)),
      "height": .integer(Int64(size)),
      "mimeType": .text("image/png"),
      "uuid": .blob(Identifier.bytes(name)),
    ]
  }
}
