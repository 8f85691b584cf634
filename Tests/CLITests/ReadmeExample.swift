import Decant
import DecantStores

/// Adds everything in one store to another, and says how it goes.
func pour(_ guests: String, into kitchen: String) async throws -> CopyReport? {
  var options = CopyOptions()
  options.appends = true
  let copy = Copy(from: guests, to: kitchen, options: options)
  // The copy starts here. Leaving the loop, or cancelling its task, stops it after the batch at hand.
  for try await event in copy.events {
    switch event {
    case .planned(let work): print("\(work.rowCount) rows to write")
    case .progress(let progress): print("\(progress.rowCount) of \(progress.expectedRowCount)")
    case .finished(let report): return report
    case .began, .note, .conflict: break
    }
  }
  return nil
}
