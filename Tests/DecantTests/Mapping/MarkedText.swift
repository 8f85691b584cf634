@testable import DecantBase
@testable import DecantMapping
@testable import DecantPlan

/// A text of a mapping in which `‸` shows where the mistake is.
struct MarkedText {
  /// The text without the sign.
  let text: String
  /// What the place of the error begins with: `map.yaml:LINE:COLUMN`.
  let place: String

  init(_ marked: String) {
    let parts = marked.split(separator: "‸", omittingEmptySubsequences: false)
    precondition(parts.count == 2, "one ‸ is wanted")
    text = parts.joined()
    let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
    place = "map.yaml:\(lines.count):\((lines.last?.unicodeScalars.count ?? 0) + 1)"
  }

  /// Returns the error of reading the text, or `nil` if it can be read.
  var error: DecantError? {
    do throws(DecantError) {
      _ = try Mapping(text: text, place: "map.yaml")
      return nil
    } catch {
      return error
    }
  }
}

extension Mapping {
  /// What the mapping says, whatever stands where.
  var withoutMarks: String {
    "\(self)".replacing(#/Mark\(line: \d+, column: \d+\)/#, with: "")
  }
}
