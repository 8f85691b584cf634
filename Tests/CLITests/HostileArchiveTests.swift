import Foundation
import TestSupport
import Testing

/// Imports of what strangers may send; the files are described in `Tests/HostileArchives`.
@Suite struct HostileArchiveTests {
  private static let kitchen = Fixtures.projectFolder.appendingPathComponent("samples/Kitchen.sqlite")

  @Test(arguments: ["lines", "counts", "values", "shared", "templates", "packed"])
  func `a file that lies, swells or leads elsewhere is refused, and changes nothing`(subject: String) throws {
    let files = try HostileArchives(subject)
    #expect(!files.cases.isEmpty)
    let before = ["store.sqlite": try Data(contentsOf: Self.kitchen)]
    for (number, file) in files.cases.enumerated() {
      let path = files.folder.path(file.file)
      let made = try HostileArchives.importing(path, file.arguments)
      made.expectHarmless(file.name)
      if let status = file.status {
        #expect(made.run.status == status, "\(file.name): \(made.run.errors)")
      }
      guard file.status == 13 else { continue }
      #expect(made.run.errors.contains(file.file), "\(file.name): \(made.run.errors)")
      #expect(file.message.isEmpty || made.run.errors.contains(file.message), "\(file.name): \(made.run.errors)")
      // What, where, and how to mend it.
      #expect(made.run.errors.split(separator: "\n").count >= 2, "\(file.name): \(made.run.errors)")
      // Into a store that is there, with DECANT_SLOW=1 each of them. What swells takes its time, and is met before a store is.
      guard subject != "packed", Effort.isThorough || number % 10 == 0 else { continue }
      let added = try HostileArchives.importing(path, file.arguments, over: before)
      added.expectHarmless(file.name, over: before)
      #expect(added.run.status == 13, "\(file.name): \(added.run.errors)")
    }
  }
}
