package import DecantBase
package import DecantSQLite
internal import Synchronization

/// A type of a server whose values only the server itself can spell, such as an array, a range or an interval.
///
/// Its answers are kept in a temporary database, so that it is asked once for a text, and memory does not grow.
///
/// `@unchecked Sendable`: `answers` and `ask` are used only by the holder of `turn`.
package final class AskedType: @unchecked Sendable {
  /// How the server reads a text.
  package enum Reading: Sendable, Hashable {
    /// As a value, in its spelling.
    case value(String)
    /// As no value, with the reason as the end of a sentence.
    case fault(String)
  }

  /// The name with its limits, such as `numeric(5,2)[]`.
  package let name: String
  /// The number by which SQL names the type.
  let number: Int
  private let ask: (_ texts: [String]) throws(DecantError) -> [Reading]
  private var answers: Answers?
  private let turn = Mutex(())

  /// The types that are in use, by number.
  private static let known = Mutex(Known())

  private struct Known {
    var last = 0
    var types: [Int: Weak] = [:]
  }

  private struct Weak {
    weak var type: AskedType?
  }

  /// The number of texts and bytes that the server is asked for at a time.
  private static let (textLimit, byteLimit) = (1_000, 1 << 20)

  /// Describes the type called `name`; `ask` returns how the server reads some texts, in their order.
  package init(_ name: String, ask: @escaping (_ texts: [String]) throws(DecantError) -> [Reading]) {
    (self.name, self.ask) = (name, ask)
    number = AskedType.known.withLock { known in
      known.last += 1
      return known.last
    }
    AskedType.known.withLock { $0.types[number] = Weak(type: self) }
  }

  deinit { AskedType.known.withLock { [number] in $0.types[number] = nil } }

  /// Finds the type with a number, if it is in use.
  static func find(_ number: Int) -> AskedType? { known.withLock { $0.types[number]?.type } }

  /// Returns how the server reads a text.
  ///
  /// - Throws: `DecantError` if the server does not answer.
  package func reading(of text: String) throws(DecantError) -> Reading {
    // The server's texts end there.
    guard !text.utf8.contains(0) else { return .fault("contains a NUL character") }
    return try turn.withLock { _ throws(DecantError) -> Reading in
      let answers = try opened()
      if let known = try answers.find(text) { return known }
      let reading = try ask([text]).first ?? .fault("is not a value of the type \(name)")
      try answers.add(text, reading)
      return reading
    }
  }

  /// Returns how the server reads a text, or the digits of a number; `nil` for other values.
  ///
  /// - Throws: `DecantError` if the server does not answer.
  package func reading(of value: Binding) throws(DecantError) -> Reading? {
    switch value {
    case .integer(let number): try reading(of: String(number))
    case .real(let number): number.isFinite ? try reading(of: DecimalText.text(of: number)) : nil
    case .text(let text): try reading(of: text)
    case .null, .utf8, .blob: nil
    }
  }

  /// Asks for the texts that a query returns, many at a time, before they are needed.
  ///
  /// - Parameters:
  ///   - query: A query with one column; other values than texts are ignored.
  ///   - connection: Its connection.
  /// - Throws: `DecantError` if the query fails, or the server does not answer.
  package func learn(from query: String, on connection: Connection) throws(DecantError) {
    var (texts, byteCount): (Set<String>, Int) = ([], 0)
    let context = "cannot read the values of a column"
    let rows = try explaining(context) { () throws(SQLiteError) in try connection.prepare(query) }
    while try explaining(context, { () throws(SQLiteError) in try rows.step() }) {
      guard rows.type(at: 0) == .text, let text = rows.text(at: 0), !text.utf8.contains(0),
        text.utf8.count <= StrictType.largeText, texts.insert(text).inserted
      else { continue }
      byteCount += text.utf8.count
      guard texts.count >= AskedType.textLimit || byteCount >= AskedType.byteLimit else { continue }
      try learn(texts)
      (texts, byteCount) = ([], 0)
    }
    if !texts.isEmpty { try learn(texts) }
  }

  /// Asks for those of `texts` that are not known.
  private func learn(_ texts: Set<String>) throws(DecantError) {
    try turn.withLock { _ throws(DecantError) -> Void in
      let answers = try opened()
      var unknown: [String] = []
      for text in texts where try answers.find(text) == nil { unknown.append(text) }
      guard !unknown.isEmpty else { return }
      for (text, reading) in zip(unknown, try ask(unknown)) { try answers.add(text, reading) }
    }
  }

  private func opened() throws(DecantError) -> Answers {
    if let answers { return answers }
    let made = try Answers()
    answers = made
    return made
  }
}

extension AskedType: Hashable {
  package static func == (one: AskedType, other: AskedType) -> Bool { one === other }
  package func hash(into hasher: inout Hasher) { hasher.combine(number) }
}

/// The answers so far.
private final class Answers {
  private let folder: ScratchFolder
  private let finding: Statement
  private let adding: Statement

  init() throws(DecantError) {
    let folder = try ScratchFolder()
    self.folder = folder
    (finding, adding) = try explaining("cannot create a temporary database") {
      () throws(SQLiteError) -> (Statement, Statement) in
      let connection = try Connection("\(folder.path)/answers.db", mode: .create)
      for pragma in ["journal_mode = OFF", "synchronous = OFF", "cache_size = -16000"] {
        try connection.run("PRAGMA \(pragma)")
      }
      // A spelling is NULL if it is the text itself.
      try connection.run("CREATE TABLE answer (text TEXT PRIMARY KEY, spelling TEXT, fault TEXT) WITHOUT ROWID")
      // Nobody else reads it, so that nothing has to be committed.
      try connection.run("BEGIN")
      return (
        try connection.prepare("SELECT spelling, fault FROM answer WHERE text = ?1"),
        try connection.prepare("INSERT OR IGNORE INTO answer VALUES (?1, ?2, ?3)")
      )
    }
  }

  func find(_ text: String) throws(DecantError) -> AskedType.Reading? {
    try explaining("cannot read a temporary database") { () throws(SQLiteError) -> AskedType.Reading? in
      defer { finding.reset() }
      try finding.bind(.text(text), at: 1)
      guard try finding.step() else { return nil }
      if let reason = finding.text(at: 1) { return .fault(reason) }
      return .value(finding.text(at: 0) ?? text)
    }
  }

  func add(_ text: String, _ reading: AskedType.Reading) throws(DecantError) {
    try explaining("cannot write a temporary database") { () throws(SQLiteError) in
      switch reading {
      case .value(let spelling): try adding.run(.text(text), spelling == text ? .null : .text(spelling), .null)
      case .fault(let reason): try adding.run(.text(text), .null, .text(reason))
      }
    }
  }
}
