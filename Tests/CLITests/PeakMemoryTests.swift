import Foundation
import TestSupport
import Testing

@Suite struct PeakMemoryTests {
  @Test func `memory is counted from the program's own start, whoever started it`() throws {
    let place = try CommandFolder()
    // Resident in this process while it starts the program.
    let ballast = [UInt8](repeating: 1, count: 200_000_000)
    let run = try place.run(["copy", "Kitchen.sqlite", "out.sqlite", "--json"])
    let document = try JSONSerialization.jsonObject(with: Data(run.output.utf8))
    let report = try #require(document as? [String: Any])
    let peak = try #require(report["peakMemoryBytes"] as? Int)
    #expect((1_000_000..<150_000_000).contains(peak))
    #expect(ballast.last == 1)
  }
}
