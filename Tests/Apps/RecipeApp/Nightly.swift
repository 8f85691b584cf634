import Decant
import Foundation

/// A server's nightly run: the stores of a folder are merged into one, each alone; one that is broken stops no other.
///
/// `FOLDER STORE`: every `.sqlite` file of the folder, by name.
func mergeNightly(_ arguments: [String]) async throws {
  let names = try FileManager.default.contentsOfDirectory(atPath: arguments[0])
  var failed = 0
  for name in names.filter({ $0.hasSuffix(".sqlite") }).sorted() {
    var merge = Merge(["\(arguments[0])/\(name)"], into: arguments[1], rules: MergeRules(.newest))
    merge.writing.keepsBackup = true
    do {
      let outcome = try await merge.operation.report()
      if let failure = outcome.failure { throw failure }
      print("\(name): \(outcome.reports.reduce(0) { $0 + $1.copiedCount }) objects came")
    } catch let error as DecantError {
      failed += 1
      print("\(name): \(error.code.rawValue), \(error.message)")
    }
  }
  let store = try await Store(StoreLocation(place: arguments[1]))
  print("\(try await store.objects("Recipe").count()) recipes, \(failed) stores failed")
}
