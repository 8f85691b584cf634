import Foundation
import TestSupport
import Testing

/// Saved pages of recipe sites, as the program reads them, held against what other programs expect of them.
@Suite(.enabled(if: SitePages.archive != nil, "there are no saved pages: set DECANT_FIXTURES"))
struct SitePageTests {
  /// What share of the pages holds each measure at least, of the sample and of all; pages in quotes of JSON are refused yet.
  private static let floors = [
    "one recipe": 95.0, "title": 92, "ingredients": 83, "steps": 86, "total time": 90, "yield": 91, "prep time": 91,
    "cook time": 91, "no silent gap": 100,
  ]

  @Test func `most pages give one recipe, and all of it`() throws {
    let folder = try TemporaryFolder()
    let archive = try #require(SitePages.archive)
    let unpack = try Program.run(
      ["sh", "-c", "zstd -dc --long=27 '\(archive)' | tar -xf - -C '\(folder.url.path)'"])
    try #require(unpack.status == 0, "\(unpack.errors)")
    try judge(folder)
  }

  private func judge(_ folder: TemporaryFolder) throws {
    let script = Fixtures.projectFolder.appendingPathComponent("Tests/Benchmarks/pages.py").path
    let every = Effort.isThorough ? "1" : "8"
    let run = try Program.run(
      ["python3", "-B", script, folder.url.path, DecantProgram.path, "--every", every])
    #expect(run.status == 0, "\(run.errors)")
    var measures: Set<String> = []
    for line in run.output.split(separator: "\n") {
      let match = try #require(line.wholeMatch(of: /(.+?) +\d+\/\d+ ([\d.]+) %.*/), "\(line)")
      let measure = String(match.1)
      let share = try #require(Double(match.2))
      measures.insert(measure)
      #expect(share >= Self.floors[measure] ?? 0, "\(line)")
    }
    #expect(measures == Set(Self.floors.keys), "\(run.output)\(run.errors)")
  }
}

/// Where the saved pages are.
enum SitePages {
  static let archive: String? = {
    let path = Fixtures.folder?.appendingPathComponent("recipes/site-pages.tar.zst").path
    return path.flatMap { FileManager.default.fileExists(atPath: $0) ? $0 : nil }
  }()
}
