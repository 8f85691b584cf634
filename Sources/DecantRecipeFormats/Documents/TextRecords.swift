internal import DecantBase

/// The recipes of a text that holds several, each introduced by a start line.
struct TextRecords {
  /// The lines of one recipe, without its start and end lines.
  struct Record {
    let start: [UInt8]
    /// The number of the line of the start, from 1 on.
    let number: Int
    var lines: [[UInt8]] = []
    /// Whether the end line of the recipe was found.
    var isEnded = false
    /// The numbers of the lines that hold a title.
    var titles: [Int] = []

    /// Warnings about a missing end line and about the title of another recipe.
    var warnings: [String] {
      let end = "the end line of the recipe that begins on line \(number) is missing"
      return (isEnded ? [] : [end])
        + titles.dropFirst().map { "it contains the title of another recipe on line \($0)" }
    }

    /// All lines as in the file.
    var bytes: [UInt8] { Array(lines.joined(separator: [0x0a])) }
  }

  private let lines: LineQueue
  private let isStart: (_ line: [UInt8], _ queue: LineQueue, _ offset: Int) throws -> Bool
  private let isEnd: (_ line: [UInt8], _ start: [UInt8]) -> Bool
  private let isTitle: (_ line: [UInt8]) -> Bool

  /// A recipe with more bytes than this has lost its end.
  private static let byteLimit = 1 << 20

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - lines: The lines of the file.
  ///   - isStart: Whether a line begins a recipe, and the offset in the queue of the line after it.
  ///   - isEnd: Whether a line ends the recipe that began with `start`; by default only the next start line ends it.
  ///   - isTitle: Whether a line holds the title of a recipe, and cannot be anything else.
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

  /// Reads each recipe, and passes it to `take` as soon as it is complete.
  ///
  /// - Parameters:
  ///   - read: Makes a recipe from a record, or throws a `RecipeFault`.
  ///   - take: Receives the recipe, or the reason it cannot be read.
  /// - Throws: Errors from the lines and from `take`.
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

  /// Reads to the end of the recipe that begins with `start`; lines beyond the limit are counted but not kept.
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
  /// Adds `parts` to the categories, without duplicates.
  mutating func addCategories(_ parts: some Sequence<some StringProtocol>) {
    categories.appendNew(parts.lazy.map(\.trimmed).filter { !$0.isEmpty })
  }
}
