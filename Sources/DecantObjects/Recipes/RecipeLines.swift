internal import DecantBase
internal import DecantRecipes

/// The ingredients or the steps of a recipe, for replacement by others.
struct RecipeLines {
  private let table: String
  private let recipe: Int64
  private let block: WriteBlock
  /// The relationship from a line to its recipe.
  private let owner: String
  /// Whether a column of the rows holds their places, as opposed to the order of the links.
  private let hasPositions: Bool

  /// Reads the lines of `recipe` in `table`.
  init(_ table: String, of recipe: Int64, in block: WriteBlock) throws(DecantError) {
    (self.table, self.recipe, self.block) = (table, recipe, block)
    let model = block.origin.store.model
    guard let owner = model.relationships(of: table).first(where: { $0.destination == "Recipe" && !$0.isToMany }) else {
      throw DecantError(.modelsDiffer, "\(table) has no link to Recipe")
    }
    self.owner = owner.name
    hasPositions = model.attributes(of: table).contains { $0.name == RecipeLines.position }
  }

  private static let position = "recipe_position"

  /// Replaces the lines, and returns the keys of the new ones, in order.
  ///
  /// A line with the same text keeps its row. If equal numbers of other lines are removed and added, each new one takes
  /// the row of the line that it replaces, so a picture stays with a step whose text is corrected.
  func replace(by lines: [RecipeEdit.Line]) throws -> [ObjectID<StoreRecord>] {
    var old = try rows()
    var keys = [ObjectID<StoreRecord>?](repeating: nil, count: lines.count)
    for (index, line) in lines.enumerated() {
      let found = old.firstIndex { row in
        row["text"] == .text(line.text) && row["isHeading"].flatMap { Bool($0) } == line.isHeading
      }
      guard let found else { continue }
      keys[index] = old.remove(at: found).id
    }
    let others = keys.indices.filter { keys[$0] == nil }
    let isMended = others.count == old.count
    for (index, row) in zip(others, old) where isMended {
      guard let key = row.id else { continue }
      _ = try block.update(block.objects(table).filter { $0.id == key }) { set(lines[index], in: &$0) }
      keys[index] = key
    }
    for row in old where !isMended {
      guard let key = row.id else { continue }
      _ = try block.delete(block.objects(table).filter { $0.id == key })
    }
    for index in others where keys[index] == nil {
      keys[index] = try block.insert(table) { draft in
        set(lines[index], in: &draft)
        draft[owner] = .integer(recipe)
      }
    }
    let settled = keys.compactMap(\.self)
    guard hasPositions else { return settled }
    for (index, key) in settled.enumerated() {
      _ = try block.update(block.objects(table).filter { $0.id == key }) { draft in
        draft[RecipeLines.position] = .integer(Int64(index + 1) * 1024)
      }
    }
    return settled
  }

  /// Returns the rows in order, if a column defines it.
  private func rows() throws -> [StoreRecord] {
    let rows = try block.objects(table).filter { $0[owner] == .integer(recipe) }.array()
    func place(_ row: StoreRecord) -> Int64 {
      guard case .integer(let place)? = row[RecipeLines.position] else { return 0 }
      return place
    }
    return rows.sorted { (place($0), $0.id?.key ?? 0) < (place($1), $1.id?.key ?? 0) }
  }

  private func set(_ line: RecipeEdit.Line, in draft: inout ObjectDraft<StoreRecord>) {
    for (column, value) in line.values { draft[column] = value }
  }
}
