import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// A failure made on real files: what an app that uses the library learns, and what a script that runs the program.
struct ErrorSituation: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let code: DecantError.Code
  /// The program's exit code, as the manual has it for the family.
  let exitCode: Int32
  let remedies: @Sendable (ErrorScene) -> [DecantError.Remedy]
  let prepare: @Sendable (ErrorScene) throws -> Void
  /// What is tried with the library.
  let attempt: @Sendable (ErrorScene) throws -> Void
  /// The same as a command; `nil` for what happens while it works.
  let command: [String]?

  init(
    _ name: String,
    _ code: DecantError.Code,
    _ exitCode: Int32,
    _ remedies: @escaping @Sendable @autoclosure () -> [DecantError.Remedy],
    _ command: [String]?,
    prepare: @escaping @Sendable (ErrorScene) throws -> Void = { _ in },
    attempt: @escaping @Sendable (ErrorScene) throws -> Void
  ) {
    self.init(name, code, exitCode, { _ in remedies() }, command, prepare: prepare, attempt: attempt)
  }

  init(
    _ name: String,
    _ code: DecantError.Code,
    _ exitCode: Int32,
    _ remedies: @escaping @Sendable (ErrorScene) -> [DecantError.Remedy],
    _ command: [String]?,
    prepare: @escaping @Sendable (ErrorScene) throws -> Void = { _ in },
    attempt: @escaping @Sendable (ErrorScene) throws -> Void
  ) {
    (testDescription, self.code, self.exitCode) = (name, code, exitCode)
    (self.remedies, self.command) = (remedies, command)
    (self.prepare, self.attempt) = (prepare, attempt)
  }
}

/// The folder of one situation: the sample stores, and what has to stay while it lasts.
final class ErrorScene {
  let kitchens: Kitchens
  var holder: LockHolder?
  var disk: SmallDisk?
  /// A store of the first of two versions of a model.
  var versions: VersionScene?

  init() throws { kitchens = try Kitchens() }

  deinit { holder?.release() }

  func path(_ name: String) -> String { kitchens.folder.path(name) }

  func sql(_ store: String, _ statement: String) throws {
    _ = try Program.sqlite3(path(store), statement)
  }

  /// Copies from one of the folder's files to another.
  func copy(_ source: String, _ destination: String, _ configure: (inout CopyOptions) -> Void = { _ in }) throws {
    try kitchens.copy(path(source), to: path(destination), configure)
  }

  /// Copies in small batches, and does `body` after the third.
  func copy(
    _ source: String,
    _ destination: String,
    appends: Bool = false,
    afterThree body: (Cancellation) throws -> Void
  ) throws {
    var options = CopyOptions()
    options.filters = [.everything]
    options.batchSize = 5
    options.appends = appends
    let cancellation = Cancellation()
    var batches = 0
    var failure: (any Error)?
    defer { precondition(failure == nil, "\(String(describing: failure))") }
    try Copy(from: path(source), to: path(destination), options: options)
      .run(cancellation: cancellation) { event in
        guard case .working(.progress(let progress), _) = event, progress.phase == .copy else {
          return
        }
        batches += 1
        guard batches == 3 else { return }
        do { try body(cancellation) } catch { failure = error }
      }
  }
}
