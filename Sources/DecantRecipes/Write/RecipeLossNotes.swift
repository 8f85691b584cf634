package import DecantBase

/// The losses of recipes in a format, counted and put into words.
package struct RecipeLossNotes {
  /// The number of recipes with each loss, by its description.
  private var counts: [String: Int64] = [:]
  /// The number of recipes with each field that only another format has, by its name there.
  private var foreign: [String: Int64] = [:]
  /// The titles of recipes in which something could not be read, up to three for each kind of value.
  private var unread: [String: [String]] = [:]
  private var unreadCounts: [String: Int64] = [:]

  package init() {
  }

  /// Adds the losses of one recipe.
  ///
  /// - Parameters:
  ///   - losses: The names of the losses, as `RecipeLosses` returns them.
  ///   - names: Values in the store that no format can hold, in words.
  ///   - title: The title of the recipe.
  package mutating func add(_ losses: [String], unread names: [String], of title: String) {
    for words in Set(losses.compactMap(Self.words)) { counts[words, default: 0] += 1 }
    for name in Set(losses.compactMap(Self.foreignName)) { foreign[name, default: 0] += 1 }
    for name in names {
      unreadCounts[name, default: 0] += 1
      if unread[name, default: []].count < 3 {
        unread[name, default: []].append("“\(title.shownTitle)”")
      }
    }
  }

  /// Returns the notes, the most serious losses first; the fields that only other formats have share one note.
  package func notes(_ format: String) -> [ReportNote] {
    let sorted = counts.sorted { (Self.rank($0.key), $0.key) < (Self.rank($1.key), $1.key) }
    var notes = sorted.map { words, count in
      ReportNote(.fieldsLost, "\(format) cannot hold: \(words) (\(count.counted("recipe")))")
    }
    let fields = foreign.sorted { $0.key < $1.key }.map { name, count in "\(name) (\(count))" }
    if !fields.isEmpty {
      notes.append(
        ReportNote(.fieldsLost, "\(format) cannot hold: fields of other formats: \(fields.joined(separator: ", "))"))
    }
    for (name, count) in unreadCounts.sorted(by: { $0.key < $1.key }) {
      let titles = unread[name] ?? []
      let more = count - Int64(titles.count)
      notes.append(
        ReportNote(
          .notWritten,
          "not written: \(name), of \(titles.joined(separator: ", "))"
            + (more > 0 ? " and \(more) more" : "")))
    }
    return notes
  }

  // MARK: Words

  /// The descriptions of losses, the most serious first: the cook's own text, then facts about the recipe, and finally
  /// data that only programs need.
  private static let order: [(words: String, names: [String])] = [
    ("title", ["title"]), ("ingredients", ["ingredients"]), ("steps", ["steps"]), ("pictures", ["images"]),
    (otherPictures, [otherPictures]), (furtherPictures, [furtherPictures]), ("notes", ["notes"]),
    ("description", ["summary"]), ("yield", ["yield"]), ("preparation time", ["prepTime"]),
    ("cooking time", ["cookTime"]), ("total time", ["totalTime"]), ("rating", ["rating"]),
    ("categories", ["categories"]), ("tags", ["tags"]), ("tags, which are written as categories", ["tags.categories"]),
    ("nutrition", ["nutrition"]), ("author", ["author"]),
    ("author, who is written as the source", ["author.source"]), ("source", ["source"]), ("web address", ["url"]),
    ("difficulty", ["difficulty"]), ("favorites", ["isFavorite"]), ("names of steps", ["steps.title"]),
    ("optional ingredients as such", ["ingredients.isOptional"]), (stepOfPicture, [stepOfPicture]),
    (captions, [captions]), (longTitles, [longTitles]), ("language", ["language"]),
    ("date of creation", ["created"]), ("date of the last change", ["modified"]),
    ("servings as a number", ["servings"]),
    (
      "amount, unit, name and note of an ingredient apart from its line",
      ["amount", "amountTo", "unit", "name", "note"].map { "ingredients.\($0)" }
    ),
    ("minutes of a time in addition to its text", ["prepTime.minutes", "cookTime.minutes", "totalTime.minutes"]),
    ("line ends and repeated blanks within a line", ["ingredients.blanks", "steps.blanks"]),
    ("IDs of other apps", ["nativeID"]),
  ]

  // Losses that the writers describe themselves
  package static let otherPictures = "all pictures except the first"
  package static let furtherPictures = "further pictures of the dish, or of a step"
  package static let stepOfPicture = "the step of a picture"
  package static let captions = "captions of pictures"
  package static let longTitles = "titles longer than 60 characters, which Meal-Master truncates"

  private static let wordsByName = Dictionary(
    uniqueKeysWithValues: order.flatMap { entry in entry.names.map { ($0, entry.words) } })
  private static let ranks = Dictionary(uniqueKeysWithValues: order.enumerated().map { ($1.words, $0) })

  /// Returns the description of a loss; `nil` for a field of another format.
  private static func words(_ name: String) -> String? {
    foreignName(name) == nil ? wordsByName[name] ?? name : nil
  }

  private static func rank(_ words: String) -> Int { ranks[words] ?? order.count }

  /// Returns the name that another format gives a field: `hash` for `extra.hash`, and `ingredients` for
  /// `ingredients.extra`; `nil` for a field of the recipe model.
  private static func foreignName(_ name: String) -> String? {
    if name.hasPrefix("extra.") { return String(name.dropFirst("extra.".count)) }
    return name.hasSuffix(".extra") ? "of \(name.dropLast(".extra".count))" : nil
  }
}
