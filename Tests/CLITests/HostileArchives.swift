import Foundation
import TestSupport
import Testing

/// Files that Python made to do harm, and what becomes of an import of each.
struct HostileArchives {
  /// A file, and what has to become of it.
  struct Case: Decodable {
    let name: String
    let file: String
    /// The exit code; `nil` where the import may take it or refuse it, and only harm counts.
    let status: Int32?
    /// What the message has to say.
    let message: String
    let arguments: [String]
  }

  let folder: TemporaryFolder
  let cases: [Case]

  /// Has `Tests/HostileArchives/make.py` write the files of a subject.
  init(_ subject: String) throws {
    folder = try TemporaryFolder()
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/HostileArchives/make.py")
    let run = try Program.run(["python3", script.path, folder.url.path, subject])
    guard run.status == 0 else { throw Program.Failure(program: "make.py", errors: run.errors) }
    let manifest = try Data(contentsOf: folder.url.appendingPathComponent("manifest.json"))
    cases = try JSONDecoder().decode([Case].self, from: manifest)
  }

  /// What one import came to.
  struct Outcome {
    let run: MeasuredProgram
    /// What lay in the store's folder, and in the one for temporary files, when it had ended.
    let content: [String: Data]
    let leftovers: [String]
  }

  /// Imports the file at `path` into `store.sqlite` of a folder that has `before` in it.
  static func importing(
    _ path: String,
    _ arguments: [String] = [],
    over before: [String: Data] = [:]
  ) throws -> Outcome {
    let place = try TemporaryFolder()
    for name in ["store", "temporary", "current"] {
      try FileManager.default.createDirectory(atPath: place.path(name), withIntermediateDirectories: true)
    }
    let store = place.url.appendingPathComponent("store")
    for (name, data) in before { try data.write(to: store.appendingPathComponent(name)) }
    let run = try MeasuredProgram(
      ["import", path, "\(store.path)/store.sqlite"] + arguments,
      in: place.url.appendingPathComponent("current"),
      environment: ["TMPDIR": place.path("temporary")]
    )
    var content: [String: Data] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
      content[name] = try Data(contentsOf: store.appendingPathComponent(name))
    }
    let leftovers = try ["temporary", "current"].flatMap { name in
      try FileManager.default.contentsOfDirectory(atPath: place.path(name))
    }
    return Outcome(run: run, content: content, leftovers: leftovers)
  }
}

extension HostileArchives.Outcome {
  /// Expects that nothing but a store came of it: no file elsewhere, no crash, bounded memory and time.
  func expectHarmless(_ name: String, over before: [String: Data] = [:], location: SourceLocation = #_sourceLocation) {
    // What the exit codes of an import are: done, partly done, refused for the model, damaged.
    #expect([0, 3, 12, 13].contains(run.status), "\(name): \(run.status) \(run.errors)", sourceLocation: location)
    #expect(leftovers.isEmpty, "\(name)", sourceLocation: location)
    // What swells would go on for hours.
    #expect(run.seconds < 300, "\(name)", sourceLocation: location)
    if !Sanitizer.isActive {
      #expect(run.peakByteCount <= 64 << 20, "\(name): \(run.peakByteCount)", sourceLocation: location)
    }
    if [12, 13].contains(run.status) {
      #expect(content == before, "\(name): \(content.keys.sorted())", sourceLocation: location)
    }
  }
}
