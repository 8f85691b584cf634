import Foundation
import TestSupport
import Testing

@Suite struct PeakMemoryTests {
  private static let copy = ["copy", "Kitchen.sqlite", "out.sqlite", "--json"]

  @Test(.disabled(if: Sanitizer.isActive, "a sanitizer needs memory of its own"))
  func `memory is counted from the program's own start, whoever started it`() throws {
    let place = try CommandFolder()
    // Resident in this process while it starts the program.
    let ballast = [UInt8](repeating: 1, count: 200_000_000)
    let run = try place.run(Self.copy)
    #expect(ballast.last == 1)
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    let peak = try #require(report["peakMemoryBytes"] as? Int)

    try FileManager.default.removeItem(atPath: place.folder.path("out.sqlite"))
    let counted = try PeakMemory.of(Self.copy, in: place.url)
    // Two runs: of twenty the peaks, counted either way, lay within 4 % of one another.
    #expect(abs(peak - counted) < counted / 10, "\(peak) bytes, and \(counted) were counted")
  }
}
