internal import DecantBase
internal import DecantStore

/// The files of a migration in its work folder.
extension WorkFolder {
  /// Returns the place where the store of the requested version is made for the store at `file`.
  static func made(of file: String) -> String { made(by: .migration, of: file) }

  /// Returns the place of the intermediate store after this step, for the store at `file`.
  static func between(_ number: Int, of file: String) -> String {
    "\(path(of: file))/step-\(number).sqlite"
  }

  /// The place where the store of the requested version is made.
  var made: String { WorkFolder.made(of: store) }

  /// Returns the place of the intermediate store after this step.
  func between(_ number: Int) -> String { WorkFolder.between(number, of: store) }

  /// The record of finished steps.
  var finishedSteps: FinishedSteps { FinishedSteps(journal: journal) }

  /// Removes what an earlier run left, except what is resumed.
  ///
  /// - Parameters:
  ///   - begun: The unfinished store to continue.
  ///   - finished: The intermediate store from which it is made, if a step is finished.
  ///   - number: The number of that step.
  /// - Throws: `DecantError` if something cannot be removed.
  func clear(keepingBegun begun: String?, finished: String?, of number: Int) throws(DecantError) {
    var kept: Set<String> = []
    func keep(_ store: String, _ suffixes: [String]) {
      let name = Files.name(of: store)
      kept.formUnion(suffixes.map { name + $0 })
      kept.insert(".\(name.split(separator: ".").first ?? "")_SUPPORT")
    }
    // SQLite's journal rolls back what an interrupted run had half written.
    if let begun { keep(begun, [".decant-partial", ".decant-partial-journal"]) }
    if let finished {
      keep(finished, [""])
      kept.formUnion((0...number).map { Files.name(of: idTable($0)) })
    }
    try clear(keeping: kept, keepsSteps: finished != nil)
  }
}
