import Foundation
import TestSupport
import Testing

/// Another store takes the source's place at some moment of a copy: what is made is all of the one or all of the other,
/// and the report tells of that one.
@Suite(.enabled(if: FaultShim.isAvailable)) struct ChangedSourceTests {
  private let root: TemporaryFolder
  private var place: URL { root.url.appendingPathComponent("place") }
  private static let (source, other, out) = ("Kitchen.sqlite", "Other.sqlite", "out.sqlite")

  init() throws { root = try TemporaryFolder(inMemory: true) }

  private func reset() throws {
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(
      at: place.appendingPathComponent("temporary"),
      withIntermediateDirectories: true
    )
    let sample = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")
    for name in [Self.source, Self.other] {
      try FileManager.default.copyItem(at: sample, to: place.appendingPathComponent(name))
    }
    _ = try Program.sqlite3(
      place.appendingPathComponent(Self.other).path,
      "UPDATE ZTAG SET ZNAME = 'other'; DELETE FROM ZTAG WHERE Z_PK = 6"
    )
  }

  /// Copies while the other store takes the place before the `number`th opening of a file.
  private func run(_ options: [String], _ number: Int) throws -> Program {
    var variables = Fault(kind: .open, number: number, error: 0)
      .environment(in: place, report: root.path("report"))
    let real = Fault.realPath(place.path)
    (variables["FAULT_REMOVE"], variables["FAULT_PUT"]) = ("\(real)/\(Self.source)", "\(real)/\(Self.other)")
    variables["TMPDIR"] = place.appendingPathComponent("temporary").path
    return try Program.run(
      [DecantProgram.path, "copy", Self.source, Self.out, "--json"] + options,
      in: place,
      environment: variables
    )
  }

  /// How many tags a report counts.
  private struct Report: Decodable {
    struct Entity: Decodable { let copied: Int }
    let entities: [String: Entity]
  }

  @Test(arguments: [[], ["--no-verify"], ["--where", "Recipe: 1", "--no-verify"]])
  func `a source that is replaced is copied whole, before or after`(options: [String]) throws {
    try reset()
    #expect(try run(options, 0).status == 0)
    let count = FaultReport(root.path("report")).counts[.open] ?? 0
    #expect(count > 10)
    var met: Set<String> = []
    for number in 1...count {
      try reset()
      let run = try run(options, number)
      let note: Comment =
        "opening \(number) of \(count), \(FaultReport(root.path("report")).call): \(run.errors)"
      #expect(run.status == 0, note)
      guard run.status == 0 else { continue }
      let names = "SELECT count(*), sum(ZNAME = 'other') FROM ZTAG"
      let found = try Program.sqlite3(place.appendingPathComponent(Self.out).path, names)
      let told = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8)).entities["Tag"]?
        .copied
      #expect(found == (told == 6 ? "6|0" : "5|5"), note)
      met.insert(found)
    }
    #expect(met == ["6|0", "5|5"])
  }
}
