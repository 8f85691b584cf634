import DecantSQLite

extension Dish {
  /// The recipe's own attributes.
  var values: [String: Binding] {
    [
      "author": author.map(Binding.text) ?? .null,
      "cookMinutes": .integer(cookMinutes),
      "createdAt": .real(created.seconds),
      "energy": food.map { .real($0.energy) } ?? .null,
      "isFavorite": .integer(isFavorite ? 1 : 0),
      "lastCookedAt": cooked.map { .real($0.seconds) } ?? .null,
      "modifiedAt": .real(created.after(changedAfter ?? 0).seconds),
      "nutrition": nutrition,
      "prepMinutes": .integer(prepMinutes),
      "price": price.map(Binding.real) ?? .null,
      // A float is stored as the double that equals it.
      "rating": rating.map { .real(Double($0)) } ?? .null,
      "servings": .integer(servings),
      "sourceURL": source.map(Binding.text) ?? .null,
      "subtitle": subtitle.map(Binding.text) ?? .null,
      "title": .text(title),
      "uuid": .blob(Identifier.bytes("recipe \(title)")),
      "viewCount": .integer(views),
    ]
  }

  /// What the value transformer makes of a dictionary of grams.
  private var nutrition: Binding {
    guard let food else { return .null }
    return .blob(
      KeyedArchiveWriter.bytes(of: [
        ("carbohydrate", food.carbohydrate), ("fat", food.fat), ("protein", food.protein),
      ])
    )
  }
}
