import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A store that is damaged in many ways, and what the program makes of it each time.
///
/// It must end with exit code 13 and leave nothing, or with 0 and a right copy: every row as the
/// `sqlite3` program reads it from the damaged file, and none fewer than the undamaged file has.
final class DamageTrial {
  /// What is asked of the program.
  enum Verb: CaseIterable {
    case inspect, copyPages, copyRows, copyToResume, append, verify, query
  }

  /// The program fails with the undamaged store: nothing can be learned from damaged ones then.
  struct UndamagedFailure: Error {
    let verb: Verb
    let errors: String
  }

  let folder: TemporaryFolder
  private let entity: String
  private let whole: (main: [UInt8], log: [UInt8])
  /// What the undamaged store says of its model.
  private var wholeBooks: DamagedBooks?
  /// The rows of every table of the undamaged store.
  private(set) var counts: [String: Int] = [:]
  /// What the program makes of the undamaged store, by verb; of a store without its model it makes
  /// nothing with some of them.
  private(set) var normal: [Verb: Outcome] = [:]

  private var store: String { folder.path("store.sqlite") }
  /// The damaged files once more, for readers that may change them.
  var reference: String { folder.path("reference.sqlite") }
  /// A copy of the undamaged store.
  var good: String { folder.path("good.sqlite") }
  /// A copy of it, with other values where there may be none twice.
  private var unequal: String { folder.path("unequal.sqlite") }
  var place: String { folder.path("copy.sqlite") }
  /// A store that a copy is added to.
  var target: String { folder.path("target.sqlite") }

  /// Reads the undamaged store at `path`, which has objects of `entity`.
  init(_ path: String, entity: String) throws {
    folder = try TemporaryFolder()
    self.entity = entity
    let bytes = { (path: String) throws -> [UInt8] in
      let url = URL(fileURLWithPath: path)
      return FileManager.default.fileExists(atPath: path) ? [UInt8](try Data(contentsOf: url)) : []
    }
    whole = (try bytes(path), try bytes(path + "-wal"))
    try FileManager.default.createDirectory(atPath: folder.path("temporary"), withIntermediateDirectories: false)
    try put(whole, at: reference)
    wholeBooks = try DamagedBooks(of: reference)
    counts = try tableCounts(of: reference)
    let hasModel =
      try Program.sqlite3(reference, "SELECT count(*) FROM sqlite_schema WHERE name = 'Z_MODELCACHE'") == "1"
      && Program.sqlite3(reference, "SELECT count(Z_CONTENT) FROM Z_MODELCACHE") == "1"
    for verb in Verb.allCases where hasModel || ![.copyRows, .append].contains(verb) {
      try put(whole, at: store)
      try put(whole, at: reference)
      let (run, keys) = try run(verb)
      guard run.status == 0 else {
        throw UndamagedFailure(verb: verb, errors: run.errors)
      }
      normal[verb] = try outcome(of: verb, run, after: keys)
      if verb == .copyPages {
        try FileManager.default.copyItem(atPath: place, toPath: good)
        try FileManager.default.copyItem(atPath: place, toPath: unequal)
        try UnequalStore.makeUnequal(unequal)
      }
      try clear()
    }
  }

  /// Draws damages of the store.
  func damages(seed: UInt64, cuts: Int, flips: Int) -> [Damage] {
    Damage.draw(seed: seed, main: whole.main, log: whole.log, cuts: cuts, flips: flips)
  }

  /// Damages the store and runs the program on it, once for each of `verbs`.
  func expectErrorOrRightCopy(_ damage: Damage, _ verbs: [Verb]) throws {
    let files = damage.applied(main: whole.main, log: whole.log)
    try put(files, at: reference)
    let books = try DamagedBooks(of: reference)
    for verb in verbs {
      guard let usual = normal[verb] else { continue }
      let what: Comment = "\(damage), \(verb)"
      try put(files, at: store)
      try put(files, at: reference)
      let (run, keys) = try run(verb)
      #expect(!run.isCrash, "\(what): signal \(run.status)")
      let isModelLost = run.status == 12 && books.explainModelMismatch(whole: wholeBooks)
      let differs = run.status == 4 && verb == .verify
      let isUnknown =
        run.status == 64 && books.isEmpty && [.copyRows, .query].contains(verb)
        && run.errors.contains("has no entities")
      #expect([0, 13].contains(run.status) || isModelLost || differs || isUnknown, "\(what): \(run.errors)")
      if run.status == 13 {
        #expect(run.errors.split(separator: "\n").count >= 2, "\(what): \(run.errors)")
      }
      try expectUntouched(files, what)
      try expectNothingLeft(isCopied: run.status == 0, what)
      if run.status == 0 {
        // What cannot be judged is a finding of this damage; the next ones are tried all the same.
        do {
          try expectRight(outcome(of: verb, run, after: keys), usual, verb, what)
        } catch {
          Issue.record(error, what)
        }
      }
      try clear()
    }
  }

  private func expectUntouched(_ files: (main: [UInt8], log: [UInt8]), _ what: Comment) throws {
    #expect(FileManager.default.contents(atPath: store) == Data(files.main), what)
    let log = FileManager.default.contents(atPath: store + "-wal") ?? Data()
    #expect(log == Data(files.log), what)
  }

  private func expectNothingLeft(isCopied: Bool, _ what: Comment) throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
    #expect(!left.contains { $0.contains("decant-partial") || $0.hasSuffix("-journal") }, what)
    #expect(isCopied || !left.contains("copy.sqlite"), what)
    let temporary = folder.path("temporary")
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [], what)
  }

  /// Runs `verb`; also returns the highest keys that the store had to which it adds.
  private func run(_ verb: Verb) throws -> (program: Program, keys: [String: Int]) {
    var arguments: [String]
    var keys: [String: Int] = [:]
    switch verb {
    case .inspect: arguments = ["inspect", store, "--json"]
    case .copyPages: arguments = ["copy", store, place, "--json"]
    case .copyRows: arguments = ["copy", store, place, "--where", "\(entity): 1", "--json"]
    case .copyToResume: arguments = ["copy", store, place, "--resume", "--json"]
    case .append:
      try FileManager.default.copyItem(atPath: unequal, toPath: target)
      keys = try AppendedRows.highestKeys(in: target)
      arguments = ["copy", store, target, "--append", "--json"]
    case .verify: arguments = ["verify", store, good, "--json"]
    case .query: arguments = ["query", store, "SELECT * FROM \"\(entity)\"", "--json"]
    }
    arguments.insert(DecantProgram.path, at: 0)
    let program = try Program.run(arguments, in: folder.url, environment: ["TMPDIR": folder.path("temporary")])
    return (program, keys)
  }

  private func put(_ files: (main: [UInt8], log: [UInt8]), at path: String) throws {
    try remove(path)
    try Data(files.main).write(to: URL(fileURLWithPath: path))
    guard !files.log.isEmpty else { return }
    try Data(files.log).write(to: URL(fileURLWithPath: path + "-wal"))
  }

  /// Removes what a verb made.
  private func clear() throws {
    for path in [place, target] { try remove(path) }
  }

  private func remove(_ path: String) throws {
    for suffix in ["", "-wal", "-shm", "-journal"]
    where FileManager.default.fileExists(atPath: path + suffix) {
      try FileManager.default.removeItem(atPath: path + suffix)
    }
  }
}
