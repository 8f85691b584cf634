/// Separates the recipes of a text: each has a heading, which is followed by the headings of its ingredients and steps.
enum RecipeSections {
  /// A line that is a heading, of a part of a recipe or of anything else.
  struct Heading {
    let place: Int
    /// The level of its mark; the lowest level if it has none.
    let level: Int
    let part: PagePart?
    let text: String

    init(place: Int, level: Int?, part: PagePart?, text: String) {
      (self.place, self.level, self.part, self.text) = (place, level ?? 7, part, text)
    }
  }

  /// Returns the lines of each recipe, from its title on; empty if there are fewer than two.
  static func ranges(_ headings: [Heading], count: Int) -> [Range<Int>] {
    var titles: [Int] = []
    for index in headings.indices where headings[index].part == .ingredients {
      let above = headings[..<index].lastIndex { $0.level < headings[index].level && $0.part == nil }
      guard let above else { return [] }
      if !titles.contains(above) { titles.append(above) }
    }
    guard titles.count > 1, Set(titles.map { headings[$0].level }).count == 1 else { return [] }
    // The parts of one recipe may have separate lists: “For the crust”.
    if titles.contains(where: { headings[$0].text.beginsGroup }) { return [] }
    let ranges = titles.compactMap { title -> Range<Int>? in
      let below = headings[(title + 1)...].prefix { $0.level > headings[title].level }
      guard below.contains(where: { $0.part == .steps }) else { return nil }
      let end = below.endIndex < headings.count ? headings[below.endIndex].place : count
      return headings[title].place..<end
    }
    return ranges.count > 1 ? ranges : []
  }
}
