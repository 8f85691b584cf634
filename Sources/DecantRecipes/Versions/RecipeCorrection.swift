internal import DecantRecipeFormats
internal import DecantSQLite

/// The differences between two versions of a recipe, in words.
struct RecipeCorrection: Sendable {
  let title: String
  /// The differences.
  private(set) var changes: [Change] = []
  /// Whether both seem to be versions of one recipe: at least half of the lines of the shorter one are the same.
  private(set) var isLikely = false
  /// Whether most lines of the old version are still present; if not, the new file may be damaged or incomplete.
  private(set) var isWhole = true
  /// Whether each list has at least half as many lines as before, whatever they are.
  private(set) var isAsLong = true
  /// The lists whose lines differ, or are in another order.
  private var changedLists: Set<String> = []
  /// Whether the new version has fewer lines in one of the lists.
  private(set) var isShorter = false

  /// One difference.
  struct Change: Sendable {
    /// The attribute, or the kind of part.
    let field: String
    /// The old and the new value, if they can be shown as text.
    var before, after: String?
    /// The difference in words, such as “sugar: 2 → 3 teaspoons”.
    let text: String
  }

  /// A line of ingredients or steps.
  private struct Line {
    let text: String
    let amount, amountTo: Double?
    let unit, name: String?

    var amounts: String? {
      guard let amount else { return nil }
      return AmountText.text(amount) + (amountTo.map { "–" + AmountText.text($0) } ?? "")
    }

    var nameLetters: String? {
      name.map { String(decoding: FoldedText.letters(of: $0), as: UTF8.self) }.flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  /// Compares two versions, whose JSON is read on `connection`.
  init(_ title: String, from old: RecipeVersion, to new: RecipeVersion, on connection: Connection) throws(SQLiteError) {
    self.title = title
    try compareValues(old, new, connection)
    var (common, count, kept, oldCount) = (0, 0, 0, 0)
    for table in [RecipeTable.ingredient, .step] {
      let (before, after) = (try Self.lines(old, table.name, connection), try Self.lines(new, table.name, connection))
      let oldKeys = try VersionList(old, table, on: connection).lines
      let newKeys = try VersionList(new, table, on: connection).lines
      if before.map(\.text) != after.map(\.text) { changedLists.insert(table.name) }
      let known = Set(oldKeys.map(\.keys[0]))
      kept += oldKeys.count { old in
        newKeys.contains { new in old.keys.contains { $0 != nil && new.keys.contains($0) } }
      }
      oldCount += before.count
      if !before.isEmpty, after.isEmpty { isWhole = false }
      if after.count < before.count { isShorter = true }
      if after.count * 2 < before.count { isAsLong = false }
      common += newKeys.count { known.contains($0.keys[0]) }
      count += min(before.count, after.count)
      let partners = ListAlignment(of: newKeys, after: oldKeys).unmovedPartners
      compare(before, after, partners, table.name == RecipeTable.step.name ? "step" : "ingredient")
    }
    isLikely = common * 2 >= count
    if kept * 2 < oldCount { isWhole = false }
    hasLines = oldCount > 0
    try compareRest(old, new, connection)
  }

  /// The differences of the recipe in one line.
  var text: String {
    let shown = changes.prefix(8).map(\.text).joined(separator: "; ")
    return changes.count > 8 ? "\(shown); and \(changes.count - 8) more" : shown
  }

  /// Keeps only the changes that are also in `rest`, the ones still to be made; returns whether there are none.
  mutating func leaveOut(whatIsNotIn rest: RecipeCorrection) -> Bool {
    changes.removeAll { change in
      !rest.changes.contains { other in
        other.field == change.field && other.after == change.after
          && (change.after != nil || other.before == change.before)
      }
    }
    return changes.isEmpty && changedLists.isDisjoint(with: rest.changedLists)
  }

  /// Whether both versions have the same ingredients and steps.
  var hasSameLines: Bool { changedLists.isEmpty }
  /// Whether the old version has any.
  private(set) var hasLines = false

  // MARK: Values

  /// The values whose changes are shown; others are only reported as different.
  private static let short = [
    "title", "yield", "servings", "prepTime", "cookTime", "totalTime", "rating", "difficulty", "author", "url",
  ]
  private static let labels = [
    "prepTime": "preparation", "cookTime": "cooking", "totalTime": "total time", "url": "web address",
    "summary": "description",
  ]
  /// Values that are derived from others, or do not concern the cook.
  private static let silent: Set<String> = [
    "prepMinutes", "cookMinutes", "totalMinutes", "format", "page", "fingerprint", "created", "modified",
  ]

  private mutating func compareValues(_ old: RecipeVersion, _ new: RecipeVersion, _ connection: Connection)
    throws(SQLiteError)
  {
    let statement = try connection.prepare(
      """
      SELECT n.key, o.value, n.value FROM json_each(?2, '$.Recipe') AS n
      LEFT JOIN json_each(?1, '$.Recipe') AS o ON o.key = n.key WHERE o.value IS NOT n.value
      """
    )
    try statement.bind([.text(old.content), .text(new.content)])
    // The yield precedes the servings that are derived from it.
    var hasYield = false
    while try statement.step() {
      let name = statement.text(at: 0) ?? ""
      if name == "yield" { hasYield = true }
      guard !Self.silent.contains(name), name != "servings" || !hasYield else { continue }
      let label = name == "extra" ? "other fields" : Self.labels[name] ?? name
      if name == "extra", try Self.isSame(statement.text(at: 1), statement.text(at: 2), connection) { continue }
      // A file without these does not remove them.
      guard !["notes", "rating"].contains(name) || statement.text(at: 2) != nil else { continue }
      func value(_ column: Int) -> String? {
        statement.text(at: column).map {
          name == "rating" || name == "servings" ? Double($0).map(AmountText.text) ?? $0 : $0
        }
      }
      let verb = value(1) == nil ? "added" : value(2) == nil ? "removed" : "changed"
      let text = Self.short.contains(name) ? Self.change(label, value(1), value(2)) : "\(label) \(verb)"
      changes.append(Change(field: name, before: value(1), after: value(2), text: text))
    }
  }

  /// Whether the texts of other fields are the same, ignoring values derived from the rest, such as Paprika's hash.
  private static func isSame(_ old: String?, _ new: String?, _ connection: Connection) throws(SQLiteError) -> Bool {
    let rest = ["?1", "?2"].map { "nullif(iif(json_valid(\($0)), json_remove(\($0), '$.hash'), \($0)), '{}')" }
    return try connection.integer("SELECT \(rest[0]) IS \(rest[1])", .optional(old), .optional(new)) == 1
  }

  private static func change(_ label: String, _ old: String?, _ new: String?) -> String {
    guard let old else { return "\(label): \(shortened(new ?? ""))" }
    guard let new else { return "\(label) removed" }
    return "\(label): \(shortened(old)) → \(shortened(new))"
  }

  /// Shortens a long text for the report; the store keeps all of it.
  private static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 60 ? "\(line.prefix(57))…" : line
  }

  // MARK: Lines

  private mutating func compare(_ old: [Line], _ new: [Line], _ partners: [Int?], _ noun: String) {
    var gone = Set(old.indices)
    for (index, line) in new.enumerated() {
      let number = noun == "step" ? "step \(index + 1)" : nil
      guard let partner = partners[index] else {
        let text = "new \(number ?? noun): \(Self.shortened(line.text))"
        changes.append(Change(field: noun, after: line.text, text: text))
        continue
      }
      gone.remove(partner)
      guard old[partner].text != line.text else { continue }
      let text = Self.change(number, old[partner], line)
      changes.append(Change(field: noun, before: old[partner].text, after: line.text, text: text))
    }
    for line in gone.sorted().map({ old[$0] }) {
      let text = "\(noun) removed: \(Self.shortened(line.text))"
      changes.append(Change(field: noun, before: line.text, text: text))
    }
  }

  /// Returns “sugar: 2 → 3 teaspoons” if name and unit are the same.
  private static func change(_ number: String?, _ old: Line, _ new: Line) -> String {
    guard number == nil, let before = old.amounts, let after = new.amounts, before != after || old.unit != new.unit,
      old.nameLetters != nil, old.nameLetters == new.nameLetters
    else { return "\(number.map { "\($0): " } ?? "")\(shortened(old.text)) → \(shortened(new.text))" }
    func words(_ amount: String, _ unit: String?) -> String { unit.map { "\(amount) \($0)" } ?? amount }
    let first = old.unit == new.unit ? before : words(before, old.unit)
    return "\(new.name ?? ""): \(first) → \(words(after, new.unit))"
  }

  /// Compares the parts that are only reported as different: pictures, nutrition, categories and tags.
  private mutating func compareRest(_ old: RecipeVersion, _ new: RecipeVersion, _ connection: Connection)
    throws(SQLiteError)
  {
    for (name, label, value) in [
      ("Image", "pictures", "NULL"),
      ("Nutrition", "nutrition", "json_extract(value, '$.name') || ': ' || json_extract(value, '$.value')"),
      ("Category", "categories", "value"), ("Tag", "tags", "value"), ("Source", "source", "value"),
    ] {
      let texts = ["?1", "?2"].map { content in
        "(SELECT group_concat(\(value), ', ') FROM json_each(\(content), '$.\(name)'))"
      }
      let statement = try connection.prepare(
        "SELECT \(texts.joined(separator: ", ")) WHERE json_extract(?1, '$.\(name)') IS NOT json_extract(?2, '$.\(name)')"
      )
      try statement.bind([.text(old.content), .text(new.content)])
      guard try statement.step() else { continue }
      changes.append(
        Change(field: label, before: statement.text(at: 0), after: statement.text(at: 1), text: "\(label) changed"))
    }
  }

  // MARK: Reading JSON

  private static func lines(_ version: RecipeVersion, _ table: String, _ connection: Connection)
    throws(SQLiteError) -> [Line]
  {
    let members = ["text", "amount", "amountTo", "unit", "name"].map { "json_extract(value, '$.\($0)')" }
    let statement = try connection.prepare(
      "SELECT \(members.joined(separator: ", ")) FROM json_each(?1, '$.\(table)') ORDER BY key"
    )
    try statement.bind([.text(version.content)])
    var lines: [Line] = []
    while try statement.step() {
      lines.append(
        Line(
          text: statement.text(at: 0) ?? "",
          amount: statement.text(at: 1).flatMap(Double.init),
          amountTo: statement.text(at: 2).flatMap(Double.init),
          unit: statement.text(at: 3),
          name: statement.text(at: 4)
        )
      )
    }
    return lines
  }
}
