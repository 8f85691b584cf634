import Foundation
import TestSupport
import Testing

@Suite struct PeakMemoryTests {
  private static let copy = ["copy", "Kitchen.sqlite", "out.sqlite", "--json"]

  /// Runs a program and prints the most memory that was resident of it, as the system counted it.
  private static let measure = """
    import resource, subprocess, sys
    subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
    print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024)
    """

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
    // A small program: what it has resident itself is less than what it measures.
    let measured = try Program.run(
      ["python3", "-c", Self.measure, DecantProgram.path] + Self.copy,
      in: place.url
    )
    let counted = try #require(
      Int(measured.output.trimmingCharacters(in: .newlines)),
      "\(measured.errors)"
    )
    // Two runs: of twenty the peaks, counted either way, lay within 4 % of one another.
    #expect(abs(peak - counted) < counted / 10, "\(peak) bytes, and \(counted) were counted")
  }
}
