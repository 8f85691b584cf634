import Decant
import Foundation
import Synchronization
import TestSupport
import Testing

/// Conflicts that are decided while the events of a merge are read.
@Suite struct ConflictQuestionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let rows = 12

  /// Three databases of one table: both sides have changed every title.
  private func merge() throws -> (copy: Copy, mine: String) {
    func database(_ name: String, _ title: String) throws -> String {
      let path = folder.path(name)
      _ = try Program.sqlite3(
        path,
        """
        CREATE TABLE book (id INTEGER PRIMARY KEY, isbn TEXT UNIQUE, title TEXT);
        WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(Self.rows))
        INSERT INTO book SELECT i, 'i' || i, '\(title)' || i FROM n
        """
      )
      return path
    }
    let mine = try database("mine.db", "m")
    var rules = MergeRules(.threeWay)
    rules.base = StoreLocation(place: try database("base.db", "b"))
    rules.asksAboutConflicts = true
    var options = CopyOptions()
    options.merge = rules
    return (Copy(from: try database("theirs.db", "t"), to: mine, options: options), mine)
  }

  @Test
  func `each conflict is decided by its own answer, and is asked about again if that does not fit`() async throws {
    let (copy, mine) = try merge()
    var expected: [String: String] = [:]
    var problems = 0
    for try await event in copy.operation {
      guard case .working(.conflict(let question), _) = event else { continue }
      let conflict = question.conflict
      let before = try #require(conflict.differences.first?.mine.text)
      if question.problem != nil {
        problems += 1
        question.decide(.value("\"x\""))
        // Only the first decision counts.
        question.decide(.mine)
        expected[before] = "x"
        continue
      }
      switch expected.count % 4 {
      case 0:
        question.decide(.mine)
        expected[before] = before
      case 1:
        question.decide(.theirs)
        expected[before] = conflict.differences.first?.theirs.text
      case 2: question.decide(.value("{"))
      // Released without an answer: it stays as it is.
      default: expected[before] = before
      }
    }
    #expect(expected.count == Self.rows)
    #expect(problems == 3)
    let found = try Program.sqlite3(mine, "SELECT 'm' || id, title FROM book")
    let lines = expected.map { "\($0)|\($1)" }.sorted()
    #expect(found.split(separator: "\n").map(String.init).sorted() == lines)
  }

  @Test func `a task that is cancelled while a question waits leaves the store as it was`() async throws {
    let (copy, mine) = try merge()
    let iteration = Task {
      for try await event in copy.operation {
        guard case .working(.conflict, _) = event else { continue }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let error = await #expect(throws: DecantError.self) { try await iteration.value }
    #expect(error?.family == .interrupted)
    #expect(try Program.sqlite3(mine, "SELECT count(*) FROM book WHERE title LIKE 'm%'") == "\(Self.rows)")
  }

  /// What an app does whose sheet shows the question while its task is cancelled.
  @Test(.timeLimit(.minutes(1))) func `a merge ends when it is cancelled while somebody keeps its question`()
    async throws
  {
    let (copy, mine) = try merge()
    let kept = Mutex<[ConflictQuestion]>([])
    let iteration = Task {
      for try await event in copy.operation {
        guard case .working(.conflict(let question), _) = event else { continue }
        kept.withLock { $0.append(question) }
        withUnsafeCurrentTask { $0?.cancel() }
      }
    }
    let error = await #expect(throws: DecantError.self) { try await iteration.value }
    #expect(error?.family == .interrupted)
    #expect(kept.withLock { $0.count } == 1)
    #expect(try Program.sqlite3(mine, "SELECT count(*) FROM book WHERE title LIKE 'm%'") == "\(Self.rows)")
  }
}
