import Foundation
import TestSupport
import Testing

/// A scenario that is run again and again, each time with another fault.
///
/// What must hold: the program ends by itself with an error and leaves everything as it was, or ends
/// well with the right result; and the same command without a fault does its work then and leaves
/// nothing else lying about.
final class FaultTrial {
  let scenario: Scenario
  private let root: TemporaryFolder
  var original: URL { root.url.appendingPathComponent("original") }
  var place: URL { root.url.appendingPathComponent("place") }
  var report: String { root.path("report") }

  /// The undisturbed run.
  private(set) var normal: Program?
  private(set) var counts: [Fault.Kind: Int] = [:]
  private var before = Contents()
  private(set) var after = Contents()

  /// What is in the folder: every file by its name, and the rows of the store that is written.
  struct Contents {
    var names: Set<String> = []
    var rows: String?
    /// The content of files beside the destination, whatever their names.
    var values: [Data] = []
  }

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    // In memory where that is possible: syncing to a disk takes most of the time else.
    root = try TemporaryFolder(inMemory: true)
    try FileManager.default.createDirectory(at: original, withIntermediateDirectories: false)
    try scenario.setUp(original)
    try FileManager.default.createDirectory(
      at: original.appendingPathComponent("temporary"),
      withIntermediateDirectories: false
    )
    try reset()
    before = try contents()
    let run = try run(scenario.command, Fault(kind: .open, number: 0, error: 0))
    normal = run
    counts = FaultReport(report).counts
    after = try contents()
  }

  /// Whether the undisturbed run went well, or found what differs; without that nothing is learned.
  var isSound: Bool {
    guard let normal else { return false }
    return scenario.destination == nil
      ? [0, 4].contains(normal.status) : normal.status == 0 && before.rows != after.rows
  }

  var normalErrors: String { normal?.errors ?? "" }

  /// A fault for every call, or of plentiful kinds for forty calls, spread evenly.
  ///
  /// Errors take turns, so that each is met at many a call; every third fault lasts.
  func faults() -> [Fault] {
    var faults: [Fault] = []
    for kind in Fault.Kind.single {
      let count = counts[kind] ?? 0
      let step = kind.isPlentiful ? max(1, count / 40) : 1
      for (turn, number) in stride(from: 1, through: count, by: step).enumerated() {
        var fault = Fault(kind: kind, number: number, error: kind.errors[turn % kind.errors.count])
        // A call that was only interrupted, or did half of its work, is tried again without end else.
        fault.lasts = turn % 3 == 0 && fault.error != EINTR && fault.error != 0
        faults.append(fault)
      }
    }
    return faults
  }

  /// Runs the scenario with `fault`; returns whether the fault was met.
  @discardableResult
  func expectAsItWasOrRight(_ fault: Fault) throws -> Bool {
    try reset()
    let run = try run(scenario.command, fault)
    let seen = FaultReport(report)
    let what = "\(scenario.testDescription): \(fault) (\(seen.call))\n\(run.status) \(run.errors)"
    guard seen.failureCount != 0 else { return false }
    // What cannot be removed now is in the way of the next run, which says so.
    let mayStandInTheWay = fault.kind == .unlink && fault.lasts
    try expectAsItWasOrRight(run, Comment(rawValue: what), mayStandInTheWay: mayStandInTheWay)
    return true
  }

  /// Looks at what `run` has left, and runs the scenario once more.
  func expectAsItWasOrRight(
    _ run: Program,
    _ what: Comment,
    mayStandInTheWay: Bool = false,
    beforeNext prepare: () throws -> Void = {}
  ) throws {
    #expect(!run.isCrash && run.status != 137, what)
    #expect(FaultTrial.codes.contains(run.status), what)
    if run.status != 0, run.status != normal?.status {
      #expect(run.errors.hasPrefix("decant: "), what)
      #expect(run.errors.split(separator: "\n").count > 1, "without remedy: \(what)")
    }
    try expectSourcesUntouched(what)
    guard scenario.destination != nil else { return expectRightAnswer(run, what) }
    let left = try contents()
    if run.status == 0 {
      #expect(left.rows == after.rows, what)
      #expect(left.values == after.values, what)
      #expect(left.names.symmetricDifference(after.names).subtracting(companions).isEmpty, what)
      return
    }
    if left.rows == after.rows {
      // A commit that cannot be confirmed: that it came about has to be said.
      // Or what failed came after it, such as naming the table of keys.
      let words = ["anyway", "is cleaned", "the copy is complete"]
      #expect(words.contains { run.errors.contains($0) }, what)
      #expect(left.values == after.values, what)
      return
    }
    #expect(left.rows == before.rows, what)
    try prepare()
    var second = try self.run(scenario.again, nil)
    // Nothing was left of it.
    if scenario.resumes, second.errors.contains("nothing to resume") {
      #expect(second.status == 64 && !run.errors.contains("--resume"), what)
      second = try self.run(scenario.command, nil)
    }
    if mayStandInTheWay, second.status == 64 { return }
    #expect(second.status == 0, "again: \(second.errors) after \(what)")
    let end = try contents()
    #expect(end.rows == after.rows, "again, after \(what)")
    #expect(end.values == after.values, "again, after \(what)")
    var litter = end.names.symmetricDifference(after.names).subtracting(harmless)
    // A backup stays where nobody can tell whether it is needed; the error names it.
    if run.errors.contains(".backup-1") {
      litter.remove((scenario.destination ?? "") + ".backup-2")
    }
    #expect(litter.isEmpty, "again: \(litter) after \(what)")
  }

  /// The exit codes that are documented for what fails.
  static let codes: Set<Int32> = [0, 1, 3, 4, 10, 11, 12, 13]

  /// What SQLite keeps beside a store, and clears away as soon as it is opened again.
  private var companions: Set<String> {
    Set(["-journal", "-wal", "-shm"].map { (scenario.destination ?? "") + $0 })
  }

  /// What stays until the store is opened in the same way again: it holds nothing.
  private var harmless: Set<String> { [(scenario.destination ?? "") + "-shm"] }

  /// What is read is never told wrong: never equal what differs, nor the other way round.
  private func expectRightAnswer(_ run: Program, _ what: Comment) {
    if run.status == normal?.status {
      // What is found damaged is told in the report of an inspection; how a store was read, in its notes.
      #expect(results(run) == normal.map(results) || run.output.contains("is damaged"), what)
    } else {
      #expect(run.status != 0 && run.status != 4, what)
    }
  }

  private func results(_ run: Program) -> [Substring] {
    run.output.split(separator: "\n").filter { !$0.hasPrefix("note: ") }
  }

  private func expectSourcesUntouched(_ what: Comment) throws {
    for name in before.names {
      if let destination = scenario.destination, name.hasPrefix(destination) { continue }
      let was = FileManager.default.contents(atPath: original.appendingPathComponent(name).path)
      let now = FileManager.default.contents(atPath: place.appendingPathComponent(name).path)
      #expect(was == now, "\(name) changed: \(what)")
    }
  }

  func reset() throws {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.copyItem(at: original, to: place)
  }

  func run(_ arguments: [String], _ fault: Fault?, _ more: [String: String] = [:]) throws -> Program {
    try? FileManager.default.removeItem(atPath: report)
    var fault = fault
    if scenario.hasPlainRenames {
      fault = fault ?? Fault(kind: .open, number: 0, error: 0)
      fault?.hasPlainRenames = true
    }
    var variables = fault?.environment(in: place, report: report) ?? [:]
    variables.merge(more) { $1 }
    return try Program.run(
      ["timeout", "-s", "KILL", "600", "env"] + variables.map { "\($0)=\($1)" }
        + [DecantProgram.path] + arguments,
      in: place,
      environment: ["TMPDIR": place.appendingPathComponent("temporary").path]
    )
  }

  /// Looks at a copy, so that looking changes nothing.
  func contents() throws -> Contents {
    var contents = Contents()
    let files = FileManager.default
    for case let name as String in files.enumerator(atPath: place.path) ?? .init() {
      var isFolder: ObjCBool = false
      let path = place.appendingPathComponent(name).path
      guard files.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue else {
        continue
      }
      contents.names.insert(name)
      if name.contains("_EXTERNAL_DATA") {
        contents.values.append(files.contents(atPath: path) ?? Data())
      }
    }
    contents.values.sort { ($0.count, $0.first ?? 0) < ($1.count, $1.first ?? 0) }
    guard let destination = scenario.destination, contents.names.contains(destination) else {
      return contents
    }
    let look = root.url.appendingPathComponent("look")
    try? files.removeItem(at: look)
    try files.createDirectory(at: look, withIntermediateDirectories: false)
    for suffix in ["", "-wal", "-journal"] where contents.names.contains(destination + suffix) {
      try files.copyItem(
        at: place.appendingPathComponent(destination + suffix),
        to: look.appendingPathComponent("store" + suffix)
      )
    }
    contents.rows = try StoreText.of(look.appendingPathComponent("store").path)
    return contents
  }
}
