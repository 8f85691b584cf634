import Decant

/// Adds everything in one store to another, and says how it goes.
func add(_ guests: String, to kitchen: String) async throws -> CopyReport? {
  var copy = Copy(from: guests, to: kitchen)
  copy.appends = true
  // The copy starts here. Leaving the loop, or cancelling its task, stops it after the batch at hand.
  for try await event in copy.operation {
    switch event {
    case .working(.planned(let work), _): print("\(work.rowCount) rows to write")
    case .working(_, let fraction): print("\(Int(fraction * 100)) %")
    case .finished(let report): return report
    }
  }
  return nil
}
