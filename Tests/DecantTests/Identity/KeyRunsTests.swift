import TestSupport
import Testing

@testable import DecantMatch

/// Random runs of keys against the list of all pairs that they stand for.
@Suite struct KeyRunsTests {
  @Test(arguments: SeededGenerator.seeds(40))
  func `runs give the answers of the list of their pairs`(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var runs: [KeyRuns.Run] = []
    var (pairs, next): ([Int64: Int64], Int64) = ([:], -20)
    var skipped: Set<Int64> = []
    for _ in 0..<Int.random(in: 0...12, using: &generator) {
      // Runs of the source part; those of the destination may lie in each other where objects became one.
      let run = KeyRuns.Run(
        first: next + Int64.random(in: 0...3, using: &generator),
        target: Int64.random(in: -30...30, using: &generator),
        count: Int64.random(in: 1...9, using: &generator),
        isSkipped: Bool.random(using: &generator)
      )
      runs.append(run)
      for offset in 0..<run.count {
        pairs[run.first + offset] = run.target + offset
        if run.isSkipped { skipped.insert(run.first + offset) }
      }
      next = run.first + run.count
    }
    let map = KeyRuns(runs.shuffled(using: &generator))
    #expect(map.count == runs.count && map.highestDestination == pairs.values.max())
    for key in Int64(-40)...Int64(160) {
      #expect(map.destination(of: key) == pairs[key], "\(key)")
      let sources = pairs.filter { $0.value == key }.keys
        .sorted { (skipped.contains($0) ? 1 : 0, $0) < (skipped.contains($1) ? 1 : 0, $1) }
      #expect(map.sources(of: key) == sources, "\(key)")
    }
  }
}
