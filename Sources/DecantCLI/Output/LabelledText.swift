internal import DecantBase

/// Lines that begin with labels; long texts are wrapped and aligned.
struct LabelledText {
  private var entries: [(label: String, parts: [String])] = []
  private let indentation: Int
  private let columnCount: Int

  /// Creates an empty text, indented by `indentation` spaces, with lines of at most `columnCount` characters.
  init(indentation: Int = 0, columnCount: Int) {
    self.indentation = indentation
    self.columnCount = columnCount
  }

  /// Adds `text` under `label`.
  mutating func add(_ label: String, _ text: String) { entries.append((label, [text])) }

  /// Adds `parts` separated by commas, after which lines may break; adds nothing if there are no parts.
  mutating func add(_ label: String, list parts: [String]) {
    guard !parts.isEmpty else { return }
    let last = parts.count - 1
    entries.append((label, parts.enumerated().map { $0 < last ? $1 + "," : $1 }))
  }

  /// The lines, with all texts aligned in one column.
  var lines: [String] {
    let labelWidth = (entries.map(\.label.count).max() ?? 0) + 2
    return entries.flatMap { label, parts in
      let room = max(20, columnCount - indentation - labelWidth)
      return LabelledText.wrap(parts, to: room).enumerated().map { index, line in
        let head = index == 0 ? label : ""
        return String(repeating: " ", count: indentation) + head
          + String(repeating: " ", count: labelWidth - head.count) + line
      }
    }
  }

  private static func wrap(_ parts: [String], to width: Int) -> [String] {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + 1 + part.count <= width {
        lines[lines.count - 1] = last + " " + part
      } else {
        lines.append(part)
      }
    }
    return lines
  }
}

extension String {
  /// The text without terminal control characters, which names in a store may contain.
  var printable: String {
    var text = String.UnicodeScalarView()
    for scalar in unicodeScalars { text.append(scalar.isObeyed ? "\u{FFFD}" : scalar) }
    return String(text)
  }
}
