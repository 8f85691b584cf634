internal import DecantBase
internal import DecantRecipeFormats

/// Splits steps that are numbered within one text.
enum NumberedSteps {
  /// Returns the steps contained in `step`, or `step` itself if it is a single one.
  static func split(_ step: RecipeStep) -> [RecipeStep] {
    let parts = split(step.text)
    return parts.count > 1 ? parts.map { RecipeStep($0) } : [step]
  }

  /// Returns the steps of a text that begins with “1.” and continues with “2.” and so on, without their numbers;
  /// otherwise the text alone.
  static func split(_ text: String) -> [String] {
    let scalars = Array(text.unicodeScalars)
    var starts: [(number: Int, text: Int)] = []
    var place = 0
    while let end = marker(starts.count + 1, in: scalars, from: &place) { starts.append((place, end)) }
    guard starts.count > 1, starts[0].number == 0 else { return [text] }
    return starts.indices.map { index in
      let end = index + 1 < starts.count ? starts[index + 1].number : scalars.count
      var step = ""
      step.unicodeScalars.append(contentsOf: scalars[starts[index].text..<end])
      return step.trimmed
    }.filter { !$0.isEmpty }
  }

  /// Finds `number` with a full stop or a parenthesis after it, at the beginning or after the end of a sentence.
  ///
  /// - Returns: Where the text after it begins; `place` is then the place of the number itself.
  private static func marker(_ number: Int, in scalars: [Unicode.Scalar], from place: inout Int) -> Int? {
    let digits = Array("\(number)".unicodeScalars)
    var start = place + (number == 1 ? 0 : 1)
    while start + digits.count < scalars.count {
      defer { start += 1 }
      guard scalars[start] == digits[0], scalars[start..<(start + digits.count)].elementsEqual(digits) else { continue }
      if number == 1, start > 0 { return nil }
      let end = start + digits.count
      guard ".)、．".unicodeScalars.contains(scalars[end]), end + 1 < scalars.count else { continue }
      // “1.5 cups” is an amount.
      guard scalars[end + 1].properties.numericType == nil else { continue }
      if start > 0 {
        let before = scalars[..<start].last { !$0.properties.isWhitespace }
        let isApart = scalars[start - 1].properties.isWhitespace && scalars[end + 1].properties.isWhitespace == false
        guard before.map({ ".!?;:)。！”\"".unicodeScalars.contains($0) }) ?? true || isApart && !scalars[end + 1].isASCII
        else { continue }
      }
      place = start
      return end + 1
    }
    return nil
  }
}
