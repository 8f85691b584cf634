internal import DecantSQLite

/// The SQL function `edited_text(a, b)`: whether one text may be the other one after an edit.
///
/// Words were added to at least half of the text, and not numbers alone, or at most one word in ten was replaced. A title
/// in which one of few words differs, such as a month, may be another object's. With a third argument, numbers alone may
/// have been added to several words.
final class EditedTextFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text, arguments.type(at: 1) == .text else {
      return result.set(Int64(0))
    }
    let (one, other) = (Self.words(of: arguments.text(at: 0)), Self.words(of: arguments.text(at: 1)))
    let isEdited =
      one.count == other.count
      ? zip(one, other).count { $0 != $1 } * 10 <= one.count && one != other
      : Self.isExtended(
        one.count < other.count ? one : other, by: one.count < other.count ? other : one,
        acceptsNumbers: arguments.count > 2)
    result.set(Int64(isEdited ? 1 : 0))
  }

  /// Returns whether `long` has the words of `short` in their order, and others that are not all numbers, unless these are
  /// accepted.
  private static func isExtended(_ short: [String], by long: [String], acceptsNumbers: Bool) -> Bool {
    guard !short.isEmpty, short.count * 2 >= long.count else { return false }
    var (rest, added) = (short[...], [String]())
    for word in long {
      if rest.first == word { rest.removeFirst() } else { added.append(word) }
    }
    return rest.isEmpty && (acceptsNumbers && short.count > 1 || !added.allSatisfy { $0.allSatisfy(\.isNumber) })
  }

  /// Returns the words and numbers at the beginning of a text, in lower case.
  private static func words(of text: String) -> [String] {
    text.prefix(1_000).lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init)
  }
}
