import Decant

/// Opens a recipe app's store: migrates it first where the new model asks for it, off the main thread.
func openStore(at path: String, model: String) async throws {
  // The app shows its start screen meanwhile; cancelling this task stops the work, and the store is as it was.
  for try await event in Migrate([path], to: model).operation {
    switch event {
    case .working(.stages(let stages), _) where !stages.isEmpty:
      print("\(stages.count) steps to go")
    case .working(_, let fraction): print("\(Int(fraction * 100)) %")
    case .finished(let report): print("\(report.store.place) is ready to be opened")
    }
  }
}
