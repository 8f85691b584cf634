import Foundation
import TestSupport
import Testing

/// A scene that is played over and over: what was there before, what is there after an undisturbed copy,
/// and what a copy that was killed has left.
///
/// Stores are read with the `sqlite3` program, which opens them as any other program would.
final class KillStage {
  /// What a destination is.
  enum State: Equatable {
    case nothing, asBefore, part, whole
  }

  let scene: KillScene
  private let folder: TemporaryFolder
  private var template: URL { folder.url.appendingPathComponent("template") }
  /// Where the program runs.
  private(set) var stage: URL
  /// When each phase began in the undisturbed copy, and when it ended; the first is the start.
  private(set) var phases: [(name: String, length: Duration)] = []
  private let before: String?
  private var after = ""
  private var afterBeside = ""
  private var afterNames: Set<String> = []

  init(_ scene: KillScene) throws {
    self.scene = scene
    folder = try TemporaryFolder()
    stage = folder.url.appendingPathComponent("stage")
    let template = folder.url.appendingPathComponent("template")
    try FileManager.default.createDirectory(at: template, withIntermediateDirectories: true)
    try scene.prepare(template)
    before = try KillStage.content(of: scene.destination, in: template)
    try reset()
    let run = try KilledRun(scene.arguments, in: stage)
    run.finish()
    #expect(run.end == .exited(0), "\(run.errors)")
    phases = run.phases
    after = try KillStage.content(of: scene.destination, in: stage) ?? ""
    afterBeside = try KillStage.beside(scene.destination, in: stage)
    afterNames = try names(in: stage)
  }

  /// Puts everything there as it was before any copy.
  func reset() throws {
    let files = FileManager.default
    if files.fileExists(atPath: stage.path) { try files.removeItem(at: stage) }
    try files.copyItem(at: template, to: stage)
  }

  /// Expects that the destination is as it may be after a kill, and returns which.
  ///
  /// - Parameters:
  ///   - isOpened: Whether it is opened where it lies, which undoes or completes what was cut off; else
  ///     a copy of all files is.
  ///   - note: What repeats the trial.
  /// - Returns: What the destination is.
  /// - Throws: What keeps the files from being read.
  func look(isOpened: Bool, _ note: String) throws -> State {
    var place = stage
    if !isOpened {
      place = folder.url.appendingPathComponent("look")
      try? FileManager.default.removeItem(at: place)
      try FileManager.default.copyItem(at: stage, to: place)
    }
    let content = try KillStage.content(of: scene.destination, in: place)
    if content == after { return .whole }
    if content == before { return content == nil ? .nothing : .asBefore }
    Issue.record("\(note): the destination has a part, or is damaged")
    return .part
  }

  /// Runs the copy again, to its end, and expects what an undisturbed one leaves.
  ///
  /// - Parameters:
  ///   - arguments: The command; without one, nothing is left to be done.
  ///   - note: What repeats the trial.
  /// - Throws: What keeps the files from being read.
  func complete(_ arguments: [String]?, _ note: String) throws {
    if let arguments {
      var run = try KilledRun(arguments, in: stage)
      run.finish()
      // Killed before anything was written, or with all of it cleared, when the store is as before.
      if arguments != scene.arguments, run.end == .exited(64),
        run.errors.contains("nothing to resume")
      {
        run = try KilledRun(scene.arguments, in: stage)
        run.finish()
      }
      #expect(run.end == .exited(0), "\(note): \(run.errors)")
    }
    #expect(try KillStage.content(of: scene.destination, in: stage) == after, "\(note): rows")
    for suffix in ["", "-wal"] where !scene.arguments[1].isEmpty {
      let sources = [template, stage].map {
        $0.appendingPathComponent(scene.arguments[1] + suffix).path
      }
      #expect(
        FileManager.default.contents(atPath: sources[0])
          == FileManager.default.contents(atPath: sources[1]),
        "\(note): the source"
      )
    }
    // A copy that was complete when it was killed is not run again, so its table of keys may lack its
    // name, and its journal may lie there, emptied.
    guard arguments != nil else { return }
    #expect(try KillStage.beside(scene.destination, in: stage) == afterBeside, "\(note): beside it")
    // Every beginning makes a backup of its own.
    let left = try names(in: stage).subtracting(afterNames).filter { !$0.contains(".backup-") }
    #expect(left.isEmpty, "\(note): left behind")
    #expect(try names(in: stage).isSuperset(of: afterNames), "\(note): something is missing")
  }

  private func names(in place: URL) throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: place.path))
  }

  /// A digest of the schema and every row, and of what SQLite says of the file.
  ///
  /// Without the store's identifier, which is drawn, and the time at which a history was written.
  private static func content(of name: String, in place: URL) throws -> String? {
    guard FileManager.default.fileExists(atPath: place.appendingPathComponent(name).path) else {
      return nil
    }
    return try shell(
      """
      sqlite3 -batch "$1" 'PRAGMA integrity_check' .dump 2>&1 \\
        | grep -av -e '^INSERT INTO Z_METADATA' -e '^INSERT INTO ATRANSACTION' | LC_ALL=C sort | sha256sum
      """,
      name,
      in: place
    )
  }

  /// What belongs to a copy beside its rows: the journal's kind, files, and the table of keys.
  private static func beside(_ name: String, in place: URL) throws -> String {
    try shell(
      """
      sqlite3 -batch "$1" 'PRAGMA journal_mode'
      find . -path '*_EXTERNAL_DATA/*' -type f -exec sha256sum {} + | LC_ALL=C sort
      if [ -f ids.sqlite ]; then sqlite3 -batch ids.sqlite 'SELECT * FROM ids'; fi
      """,
      name,
      in: place
    )
  }

  private static func shell(_ script: String, _ argument: String, in place: URL) throws -> String {
    let run = try Program.run(["sh", "-c", script, "sh", argument], in: place)
    guard run.status == 0 else { throw Program.Failure(program: "sh", errors: run.errors) }
    return run.output
  }
}
