/// The recipes of a text that holds one after the other, each behind a line that says so.
struct TextRecords {
  /// The lines of one recipe, without those that part it from others.
  struct Record {
    let start: [UInt8]
    /// The number of the line of the start, from 1 on.
    let number: Int
    var lines: [[UInt8]] = []
    /// Whether the line was there that ends it.
    var isEnded = false
    /// The numbers of the lines that have a title.
    var titles: [Int] = []

    /// What is said of one whose last line is missing, or that has the title of another.
    var warnings: [String] {
      let end = "the end line of the recipe that begins on line \(number) is missing"
      return (isEnded ? [] : [end])
        + titles.dropFirst().map { "it contains the title of another recipe on line \($0)" }
    }

    /// All lines as they lie in the file.
    var bytes: [UInt8] { Array(lines.joined(separator: [0x0a])) }
  }

  private let lines: LineQueue
  private let isStart: (_ line: [UInt8], _ queue: LineQueue, _ offset: Int) throws -> Bool
  private let isEnd: (_ line: [UInt8], _ start: [UInt8]) -> Bool
  private let isTitle: (_ line: [UInt8]) -> Bool

  /// A recipe that has more bytes has lost its end.
  private static let byteLimit = 1 << 20

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - lines: The lines of the file.
  ///   - isStart: Whether a line begins a recipe, and which line ahead is the one behind it.
  ///   - isEnd: Whether a line ends the recipe that began with `start`; without it the next one ends it.
  ///   - isTitle: Whether a line has the title of a recipe, and stands in nothing else.
  init(
    _ lines: LineQueue,
    isStart: @escaping (_ line: [UInt8], _ queue: LineQueue, _ offset: Int) throws -> Bool,
    isEnd: @escaping (_ line: [UInt8], _ start: [UInt8]) -> Bool = { _, _ in false },
    isTitle: @escaping (_ line: [UInt8]) -> Bool
  ) {
    self.lines = lines
    self.isStart = isStart
    self.isEnd = isEnd
    self.isTitle = isTitle
  }

  /// Reads each recipe, and hands it out as soon as it is whole.
  ///
  /// - Parameters:
  ///   - read: Makes a recipe of a record, or throws a `RecipeFault`.
  ///   - take: Is given the recipe, or why there is none.
  /// - Throws: What the lines and `take` throw.
  func forEach(_ read: (Record) throws -> Recipe, _ take: (Result<Recipe, RecipeFault>) throws -> Void) throws {
    while let line = try lines.next() {
      guard try isStart(line, lines, 0) else {
        if isTitle(line) {
          let place = "the recipe with its title on line \(lines.number)"
          try take(.failure(RecipeFault("\(place) has no start line")))
        }
        continue
      }
      let (record, byteCount) = try record(from: line)
      let result: Result<Recipe, RecipeFault>
      do {
        guard byteCount <= Self.byteLimit else {
          throw RecipeFault(
            "the recipe that begins on line \(record.number) has \(byteCount) bytes: its end is missing"
          )
        }
        result = .success(try read(record))
      } catch let fault as RecipeFault {
        result = .failure(fault)
      }
      try take(result)
    }
  }

  /// Reads on to the end of the recipe that begins with `start`; of one that is too long not all lines are kept.
  private func record(from start: [UInt8]) throws -> (Record, byteCount: Int) {
    var record = Record(start: start, number: lines.number)
    var byteCount = 0
    while let next = try lines.peek() {
      if try isStart(next, lines, 1) { break }
      _ = try lines.next()
      if isEnd(next, start) {
        record.isEnded = true
        break
      }
      if isTitle(next) { record.titles.append(lines.number) }
      byteCount += next.count
      if byteCount <= Self.byteLimit { record.lines.append(next) }
    }
    return (record, byteCount)
  }
}

extension Recipe {
  /// Adds `parts` to the categories, each once.
  mutating func addCategories(_ parts: some Sequence<some StringProtocol>) {
    for part in parts {
      let category = part.trimmingBlanks
      guard !category.isEmpty, !categories.contains(category) else { continue }
      categories.append(category)
    }
  }
}
