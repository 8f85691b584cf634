/// The recipes read from a page so far, with the details needed to recognize repetitions.
package struct SeenRecipes {
  /// The way in which a page contains a recipe.
  enum Way { case script, elements }

  /// An earlier recipe that another one repeats, as it was before.
  package struct Place {
    package let number: Int
    /// The number of its pictures.
    package let imageCount: Int
    /// Whether both have ingredients or steps, but none in common.
    package let isOtherwise: Bool
    /// Whether it had no ingredients and steps, but the repetition has.
    package let isBare: Bool

    /// Creates the place of the only recipe of a page, once the whole page has been read.
    package init(whole number: Int, imageCount: Int, isBare: Bool) {
      self.init(number: number, imageCount: imageCount, isOtherwise: false, isBare: isBare)
    }

    init(number: Int, imageCount: Int, isOtherwise: Bool, isBare: Bool) {
      self.number = number
      self.imageCount = imageCount
      self.isOtherwise = isOtherwise
      self.isBare = isBare
    }
  }

  private struct Seen {
    let way: Way
    let number: Int
    let nativeID: String?
    /// The hash values of its ingredients and steps.
    var lines: Set<Int>
    var files: Set<[String]>
    var imageCount: Int
    /// Whether the page also contains it in the other way.
    var isTwice = false
  }

  private var count = 0
  private var seen: [Seen] = []
  /// Places in `seen`, by title and by content.
  private var byTitle: [[UInt8]: [Int]] = [:]
  private var byContent: [String: [Int]] = [:]

  /// The maximum number of recipes with one title or content that are compared.
  private static let namesakeLimit = 100

  /// Whether no recipe has been read.
  var isEmpty: Bool { seen.isEmpty }

  /// Returns whether a recipe with this title has been read.
  func contains(title: String) -> Bool { byTitle[FoldedText.letters(of: title)] != nil }

  /// Counts an item that is not a recipe.
  mutating func skip() { count += 1 }

  /// Determines whether a recipe repeats an earlier one; a new one is counted.
  ///
  /// - Parameters:
  ///   - recipe: The recipe; from a repetition, pictures are removed that the first has under the same names.
  ///   - way: The way in which the page contains it.
  /// - Returns: The earlier recipe; `nil` for a new one.
  mutating func place(of recipe: inout Recipe, _ way: Way) -> Place? {
    let title = FoldedText.letters(of: recipe.title)
    var content = recipe
    content.title = ""
    let lines = Self.lines(of: recipe)
    let key = lines.isEmpty ? nil : FoldedText.fingerprint(of: content)
    if let place = place(of: recipe, title, key, lines, way) {
      recipe.images.removeAll { image in
        guard case .file(let names) = image.place else { return false }
        return !seen[place].files.insert(names).inserted
      }
      if seen[place].way != way { seen[place].isTwice = true }
      defer {
        seen[place].imageCount += recipe.images.count
        if seen[place].lines.isEmpty, !lines.isEmpty {
          seen[place].lines = lines
          note(place, content: key)
        }
      }
      let before = seen[place].lines
      return Place(
        number: seen[place].number,
        imageCount: seen[place].imageCount,
        isOtherwise: !lines.isEmpty && !before.isEmpty && lines.isDisjoint(with: before),
        isBare: before.isEmpty && !lines.isEmpty
      )
    }
    let files = recipe.images.compactMap {
      if case .file(let names) = $0.place { names } else { nil }
    }
    seen.append(
      Seen(
        way: way,
        number: count,
        nativeID: recipe.nativeID,
        lines: lines,
        files: Set(files),
        imageCount: recipe.images.count
      )
    )
    count += 1
    if !title.isEmpty, byTitle[title, default: []].count < Self.namesakeLimit {
      byTitle[title, default: []].append(seen.count - 1)
    }
    note(seen.count - 1, content: key)
    return nil
  }

  private mutating func note(_ place: Int, content: String?) {
    guard let content, byContent[content, default: []].count < Self.namesakeLimit else { return }
    byContent[content, default: []].append(place)
  }

  private func place(of recipe: Recipe, _ title: [UInt8], _ content: String?, _ lines: Set<Int>, _ way: Way) -> Int? {
    let equals = content.flatMap { byContent[$0] } ?? []
    let namesakes = byTitle[title] ?? []
    // Equal content in the other way is the same recipe; in the same way, the titles must be equal, too.
    let same = equals.first { place in
      guard seen[place].way == way else { return true }
      let ids = [seen[place].nativeID, recipe.nativeID].compactMap { $0 }
      return namesakes.contains(place) && (ids.count < 2 || ids[0] == ids[1])
    }
    if let same { return same }
    // With equal titles, if one has ingredients or steps and the other none, one describes the other.
    let half = namesakes.first { seen[$0].lines.isEmpty != lines.isEmpty }
    if let half { return half }
    // In the other way, a recipe may lack lines or word them differently: with equal titles it is the same if any line
    // is shared, or if only one recipe of that title is not in both ways yet.
    let others = namesakes.filter { seen[$0].way != way }
    let alike = others.first { lines.isEmpty || !lines.isDisjoint(with: seen[$0].lines) }
    return alike ?? (others.count == 1 && !seen[others[0]].isTwice ? others[0] : nil)
  }

  private static func lines(of recipe: Recipe) -> Set<Int> {
    let texts =
      recipe.ingredients.filter { !$0.isHeading }.map(\.text)
      + recipe.steps.filter { !$0.isHeading }.map(\.text.withoutStepNumber)
    return Set(texts.map { FoldedText.letters(of: $0) }.filter { !$0.isEmpty }.map(\.hashValue))
  }
}
