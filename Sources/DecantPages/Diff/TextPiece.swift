internal import DecantBase

/// A part of a text compared with another: either the other has it in this place, too, or it lacks it.
struct TextPiece {
  var text: Substring
  var isMarked: Bool

  /// The length up to which texts are compared by words; longer ones are compared by lines.
  private static let wordLimit = 1 << 16
  /// The maximum number of pairs that are compared; beyond it, all between the first and the last difference is marked.
  private static let pairLimit = 4_000_000

  /// Returns the pieces of two texts, marking all that the other lacks; nothing if they have little in common.
  static func pieces(of a: String, _ b: String) -> (a: [TextPiece], b: [TextPiece]) {
    let byWords = a.utf8.count <= wordLimit && b.utf8.count <= wordLimit
    let (left, right) = (parts(of: a, byWords: byWords), parts(of: b, byWords: byWords))
    // Compared as bytes: in Swift, texts are equal if they differ only in their normal form.
    var numbers: [[UInt8]: Int] = [:]
    func number(_ part: Substring) -> Int {
      let key = Array(part.utf8)
      if let known = numbers[key] { return known }
      numbers[key] = numbers.count
      return numbers.count - 1
    }
    let (x, y) = (left.map(number), right.map(number))
    var start = 0
    while start < x.count, start < y.count, x[start] == y[start] { start += 1 }
    var (xEnd, yEnd) = (x.count, y.count)
    while xEnd > start, yEnd > start, x[xEnd - 1] == y[yEnd - 1] { (xEnd, yEnd) = (xEnd - 1, yEnd - 1) }
    var marks = (a: x.indices.map { $0 >= start && $0 < xEnd }, b: y.indices.map { $0 >= start && $0 < yEnd })
    if (xEnd - start) * (yEnd - start) <= pairLimit {
      for (i, j) in common(Array(x[start..<xEnd]), Array(y[start..<yEnd])) {
        marks.a[start + i] = false
        marks.b[start + j] = false
      }
    }
    let whole = ([TextPiece(text: a[...], isMarked: false)], [TextPiece(text: b[...], isMarked: false)])
    let kept = zip(left, marks.a).reduce(0) { $0 + ($1.1 || $1.0.allSatisfy(\.isWhitespace) ? 0 : $1.0.utf8.count) }
    guard kept * 4 >= min(a.utf8.count, b.utf8.count) else { return whole }
    return (joined(left, marks.a), joined(right, marks.b))
  }

  /// Returns the longest common subsequence as pairs of indices.
  private static func common(_ x: [Int], _ y: [Int]) -> [(Int, Int)] {
    guard !x.isEmpty, !y.isEmpty else { return [] }
    let width = y.count + 1
    // The shorter one has at most 2,000 parts.
    var lengths = [UInt16](repeating: 0, count: (x.count + 1) * width)
    for i in x.indices.reversed() {
      for j in y.indices.reversed() {
        lengths[i * width + j] =
          x[i] == y[j]
          ? lengths[(i + 1) * width + j + 1] + 1
          : max(lengths[(i + 1) * width + j], lengths[i * width + j + 1])
      }
    }
    var pairs: [(Int, Int)] = []
    var (i, j) = (0, 0)
    while i < x.count, j < y.count {
      if x[i] == y[j] {
        pairs.append((i, j))
        (i, j) = (i + 1, j + 1)
      } else if lengths[(i + 1) * width + j] >= lengths[i * width + j + 1] {
        i += 1
      } else {
        j += 1
      }
    }
    return pairs
  }

  /// Returns a text as words and the text between them, or as lines.
  private static func parts(of text: String, byWords: Bool) -> [Substring] {
    let scalars = text.unicodeScalars
    var parts: [Substring] = []
    var start = scalars.startIndex
    var place = start
    while place < scalars.endIndex {
      let isWord = byWords && scalars[place].isInWord
      let next = scalars.index(after: place)
      let goesOn =
        byWords
        ? isWord && next < scalars.endIndex && scalars[next].isInWord
        : scalars[place] != "\n" && next < scalars.endIndex
      place = next
      guard !goesOn else { continue }
      parts.append(text[start..<place])
      start = place
    }
    return parts
  }

  private static func joined(_ parts: [Substring], _ marks: [Bool]) -> [TextPiece] {
    var marks = marks
    // A space between two marked words is marked, too.
    for place in marks.indices.dropFirst().dropLast()
    where !marks[place] && marks[place - 1] && marks[place + 1] && parts[place] == " " { marks[place] = true }
    var pieces: [TextPiece] = []
    for (part, isMarked) in zip(parts, marks) {
      if let last = pieces.last, last.isMarked == isMarked {
        pieces[pieces.count - 1].text = part.base[last.text.startIndex..<part.endIndex]
      } else {
        pieces.append(TextPiece(text: part, isMarked: isMarked))
      }
    }
    return pieces
  }
}

extension Unicode.Scalar {
  /// Whether the character is part of a word; each ideograph is a word by itself.
  fileprivate var isInWord: Bool {
    if isASCII { return ("0"..."9").contains(self) || ("A"..."Z").contains(self) || ("a"..."z").contains(self) }
    let kind = properties.generalCategory
    return !properties.isIdeographic
      && (properties.isAlphabetic || [.nonspacingMark, .spacingMark, .decimalNumber].contains(kind))
  }
}

// Pieces as HTML.
extension TextPiece {
  /// The length up to which texts are shown completely; longer ones are shown around their differences.
  private static let wholeLimit = 4_000
  /// The number of characters shown on each side of a difference, and of a long piece.
  private static let beside = 200
  private static let longest = 2_000

  /// Returns the pieces as HTML, the marked ones in elements `tag`.
  static func html(_ pieces: [TextPiece], tag: String) -> String {
    let isLong = pieces.reduce(0) { $0 + $1.text.unicodeScalars.count } > wholeLimit
    var html = ""
    for (place, piece) in pieces.enumerated() {
      let scalars = piece.text.unicodeScalars
      let isAlone = pieces.count == 1
      let (head, tail) =
        piece.isMarked || isAlone
        ? (longest, 0) : (place == 0 ? 0 : beside, place == pieces.count - 1 ? 0 : beside)
      let left = scalars.count - head - tail
      if !isLong || left <= beside {
        html += element(String(piece.text), piece.isMarked ? tag : nil)
        continue
      }
      html += element(String(scalars.prefix(head)), piece.isMarked ? tag : nil)
      let kind = piece.isMarked || isAlone ? "more " : "equal "
      html += "<span class=\"cut\">… \(Int64(left).grouped) \(kind)characters …</span>"
      html += element(String(scalars.suffix(tail)), piece.isMarked ? tag : nil)
    }
    return html
  }

  private static func element(_ text: String, _ tag: String?) -> String {
    guard !text.isEmpty else { return "" }
    guard let tag else { return HTMLText.visible(text) }
    return "<\(tag)>\(HTMLText.visible(text, marksLines: true))</\(tag)>"
  }
}
