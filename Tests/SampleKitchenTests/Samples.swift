import Foundation
import TestSupport
import Testing

@testable import SampleKitchen

/// A folder with the sample stores, and questions to programs that share no code with decant.
struct Samples {
  /// The folder's path.
  let folder: String
  private let owner: TemporaryFolder?

  /// Writes the samples anew, into a folder that goes with this value.
  init() throws {
    let temporary = try TemporaryFolder()
    owner = temporary
    folder = temporary.url.path
    try SampleCommand.write(into: folder)
  }

  private init(folder: String) {
    self.folder = folder
    owner = nil
  }

  /// The samples that are part of the project.
  static var committed: Samples {
    Samples(folder: Fixtures.projectFolder.appendingPathComponent("samples").path)
  }

  func path(_ file: String) -> String { folder + "/" + file }

  func bytes(_ file: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(file)))
  }

  /// Asks the `sqlite3` program.
  func ask(_ file: String, _ sql: String) throws -> String {
    try Program.sqlite3(path(file), sql)
  }

  /// Runs `script` in python, with the paths of the store and of `others` in `sys.argv`, and
  /// returns what it prints.
  func python(_ file: String, _ script: String, others: [String] = []) throws -> String {
    let run = try Program.run(["python3", "-c", script, path(file)] + others)
    #expect(run.errors == "")
    return run.output.trimmingCharacters(in: .newlines)
  }
}
