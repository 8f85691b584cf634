internal import DecantSQLite

/// The SQL function `share_word(a, b)`: whether two texts share a word of three or more letters, as "salt" and "sea
/// salt" do.
final class ShareWordFunction: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    guard arguments.type(at: 0) == .text, arguments.type(at: 1) == .text else {
      return result.set(Int64(0))
    }
    let words = Self.words(of: arguments.text(at: 0))
    result.set(Self.words(of: arguments.text(at: 1)).isDisjoint(with: words) ? Int64(0) : 1)
  }

  /// Returns the words at the beginning of a text, in lower case.
  private static func words(of text: String) -> Set<String> {
    let words = text.prefix(1_000).lowercased().split { !$0.isLetter }
    return Set(words.filter { $0.count > 2 }.map(String.init))
  }
}
