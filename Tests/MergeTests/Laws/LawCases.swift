import Foundation

/// The table of cases.
enum LawCases {
  static let all =
    defects + links + lineage + shapes + matrix + missing + policies + spoiled + duplicates + parts
    + continued + numbers + freeKeys + threeWay + typedLinks + trees + partialKeys + exchanges + rows + alike + again
    + stores + dataKeys + newRows + otherKeys + mergedBefore + ownTables + ownNewRows
    + renamedRows

  /// Those whose names hold the words of `DECANT_CASES`: all where it is not set.
  static var chosen: [LawCase] {
    guard let words = ProcessInfo.processInfo.environment["DECANT_CASES"] else { return all }
    return all.filter { $0.name.contains(words) }
  }
}
