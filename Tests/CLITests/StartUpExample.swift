import Decant
import DecantStores

/// Opens a recipe app's store: migrates it first where the new model asks for it, off the main thread.
func openStore(at path: String, model: String) async throws {
  // The app shows its start screen meanwhile; cancelling this task stops the work, and the store is as it was.
  for try await event in Migration([path], to: model).events {
    switch event {
    case .planned(let stages) where stages.isEmpty: break
    case .planned(let stages): print("\(stages.count) steps to go")
    case .copying(.planned(let work)): print("\(work.rowCount) rows to write")
    case .copying(.progress(let progress)):
      print("\(progress.rowCount) of \(progress.expectedRowCount)")
    case .finished(let report): print("\(report.store.place) is ready to be opened")
    case .began, .copying, .note: break
    }
  }
}
