internal import DecantBase
internal import DecantStore

/// What a migration keeps in its folder.
extension WorkFolder {
  /// Where the store of the wanted version is made for the one at `file`.
  static func made(of file: String) -> String { made(by: .migration, of: file) }

  /// Where the one after the step of this number is made for the one at `file`, which only lies between.
  static func between(_ number: Int, of file: String) -> String {
    "\(path(of: file))/step-\(number).sqlite"
  }

  /// Where the store of the wanted version is made.
  var made: String { WorkFolder.made(of: store) }

  /// Where the store after the step of this number is made.
  func between(_ number: Int) -> String { WorkFolder.between(number, of: store) }

  /// The steps that are done.
  var finishedSteps: FinishedSteps { FinishedSteps(journal: journal) }

  /// Removes what an earlier run has left.
  ///
  /// - Parameters:
  ///   - begun: The store that was being made and is continued.
  ///   - finished: The store that it is made of, where that is of a step that is done.
  ///   - number: The number of that step.
  /// - Throws: `DecantError` where something cannot be removed.
  func clear(keepingBegun begun: String?, finished: String?, of number: Int) throws(DecantError) {
    var kept: Set<String> = []
    func keep(_ store: String, _ suffixes: [String]) {
      let name = Files.name(of: store)
      kept.formUnion(suffixes.map { name + $0 })
      kept.insert(".\(name.split(separator: ".").first ?? "")_SUPPORT")
    }
    // The journal of SQLite takes back what a kill has left half written.
    if let begun { keep(begun, [".decant-partial", ".decant-partial-journal"]) }
    if let finished {
      keep(finished, [""])
      kept.formUnion((0...number).map { Files.name(of: idTable($0)) })
    }
    try clear(keeping: kept, keepsSteps: finished != nil)
  }
}
