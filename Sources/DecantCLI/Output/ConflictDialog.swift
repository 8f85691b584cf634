internal import DecantBase
internal import DecantSystem
internal import DecantJSON

/// A dialog in the terminal about the conflicts of a merge, one after the other.
final class ConflictDialog {
  private var number = 0
  private let width: Int
  /// The stores' names as given by the user.
  private let mine, theirs: String

  /// Prepares a dialog.
  ///
  /// - Parameters:
  ///   - mine: The destination as given by the user.
  ///   - theirs: The source as given by the user.
  init(mine: String, theirs: String) {
    (self.mine, self.theirs) = (mine, theirs)
    width = max(40, StandardError.columnCount)
  }

  /// Shows a conflict and reads the decision.
  ///
  /// - Parameters:
  ///   - conflict: The conflict to decide.
  ///   - problem: Why the last answer was invalid; `nil` for the first question.
  /// - Returns: The decision; `stop` at the end of standard input, and after Ctrl-C.
  func decide(_ conflict: MergeConflict, _ problem: String?) -> MergeDecision {
    if let problem {
      StandardError.write("  \(problem)\n")
    } else {
      number += 1
      show(conflict)
    }
    while true {
      StandardError.write("\(question(conflict)) ")
      guard let line = StandardInput.line() else {
        StandardError.write("\n")
        return .stop
      }
      switch line.filter({ !$0.isWhitespace }).lowercased() {
      case "m", "mine": return .mine
      case "t", "theirs": return .theirs
      case "b", "both": if conflict.kind == .pair { return .both }
      case "s", "skip": return .undecided
      case "q", "quit": return .stop
      case "e", "edit":
        guard takesValue(conflict) else { break }
        let values = conflict.differences.flatMap { [$0.mine.json, $0.theirs.json] }
        // If the current value is a text, entered texts need no quotes.
        let isText = values.contains { $0.hasPrefix("\"") }
        let isDate = values.contains { $0.wholeMatch(of: /"\d+-\d\d-\d\dT.*Z"/) != nil }
        StandardError.write(
          isDate
            ? "date in UTC like 2026-01-31T08:15:00Z, or null: "
            : isText ? "text, or null: " : "number, true, false, or null: "
        )
        guard let value = StandardInput.line() else { return .stop }
        if value.isEmpty {
          StandardError.write("  nothing was entered; for an empty text enter \"\"\n")
          continue
        }
        guard isText, value != "null", !value.hasPrefix("\"") else { return .value(value) }
        return .value(JSONValue.string(value).text)
      default: break
      }
      StandardError.write("  " + help(conflict) + "\n")
    }
  }

  /// Returns whether a value other than the two can be entered: not for a link, and not for bytes.
  private func takesValue(_ conflict: MergeConflict) -> Bool {
    conflict.kind == .value
      && !conflict.differences.contains { difference in
        [difference.mine, difference.theirs].contains { $0.json.hasPrefix("{") }
      }
  }

  private func question(_ conflict: MergeConflict) -> String {
    let choices =
      switch conflict.kind {
      case .value: takesValue(conflict) ? "[t]heirs, [e]dit" : "[t]heirs"
      case .deleted, .order: "[t]heirs"
      case .pair: "[t]heirs, keep [b]oth"
      }
    return "take [m]ine, \(choices), [s]kip, [q]uit, [?] help:"
  }

  private func help(_ conflict: MergeConflict) -> String {
    var lines = ["m: take the version in “\(mine)”", "t: take the version in “\(theirs)”"]
    switch conflict.kind {
    case .value: if takesValue(conflict) { lines.append("e: enter another value") }
    case .order: break
    case .deleted:
      let (keeps, removes) = conflict.isRemovedByTheirs ? ("m", "t") : ("t", "m")
      lines = ["\(keeps): keep or restore the object", "\(removes): delete it"]
    case .pair: lines.append("b: these are two objects")
    }
    return (lines + ["s: skip, leave it undecided", "q: quit, change nothing"]).joined(separator: "; ")
  }

  // MARK: Output

  private func show(_ conflict: MergeConflict) {
    let key = conflict.mineKey == "null" ? conflict.theirsKey : conflict.mineKey
    let title = conflict.title.map { " “\($0.onOneLine)”" } ?? ""
    var heading = "\n\(number). \(conflict.entity) \(key)\(title)"
    switch conflict.kind {
    case .value: heading += ", \(conflict.attribute ?? "")"
    case .order: heading += ", the order of \(conflict.attribute ?? "")"
    case .deleted:
      heading +=
        conflict.isRemovedByTheirs
        ? ": changed in “\(mine)”, removed in “\(theirs)”"
        : ": removed in “\(mine)”, changed in “\(theirs)”"
    case .pair: heading += ": differs from \(conflict.entity) \(conflict.theirsKey) of “\(theirs)”"
    }
    StandardError.write(heading + "\n")
    if let base = conflict.base { StandardError.write("  base: \(base.text.onOneLine)\n") }
    guard !conflict.differences.isEmpty else { return }
    let names = conflict.kind == .pair ? conflict.differences.map { $0.attribute } : [""]
    let first = names.map(\.displayWidth).max() ?? 0
    let column = (width - first - 6) / 2
    func write(_ name: String, _ left: String, _ right: String) {
      let rows = (Columns.lines(left, column), Columns.lines(right, column))
      for place in 0..<max(rows.0.count, rows.1.count) {
        let left = place < rows.0.count ? rows.0[place] : ""
        let right = place < rows.1.count ? rows.1[place] : ""
        StandardError.write(
          "  \((place == 0 ? name : "").padded(to: first))\(first > 0 ? "  " : "")\(left.padded(to: column))  \(right)\n"
        )
      }
    }
    write("", "mine", "theirs")
    for (name, difference) in zip(names, conflict.differences) {
      write(name, difference.mine.text, difference.theirs.text)
    }
  }
}

/// Arranges text in columns.
enum Columns {
  /// Returns the lines of `text`, at most `width` wide except for single words that must not be broken.
  static func lines(_ text: String, _ width: Int, breaksWords: Bool = true) -> [String] {
    var lines: [String] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var (current, used) = ("", 0)
      for word in line.split(separator: " ", omittingEmptySubsequences: false) {
        let word = String(word).onOneLine
        if used > 0, used + 1 + word.displayWidth > width {
          lines.append(current)
          (current, used) = ("", 0)
        }
        if used > 0 { (current, used) = (current + " ", used + 1) }
        for character in word {
          if breaksWords, used + character.displayWidth > width {
            lines.append(current)
            (current, used) = ("", 0)
          }
          current.append(character)
          used += character.displayWidth
        }
      }
      lines.append(current)
    }
    return lines
  }
}

extension String {
  /// Returns the text with trailing spaces, so that it takes `width` columns.
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - displayWidth))
  }
}
