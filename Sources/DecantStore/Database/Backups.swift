package import DecantBase

/// The backups of a store: `NAME.backup-1`, `NAME.backup-2` and so on, beside it.
///
/// The latest has the highest number, whatever became of those before it.
package struct Backups {
  /// The store's path, as the backups are named after it.
  let store: String

  package init(of store: String) { self.store = store }

  /// What SQLite takes for a part of the database that has the rest of the name.
  package static let companions = ["-journal", "-wal", "-shm"]
  /// Numbers beyond that are no count: somebody wrote a date there.
  private static let highestNumber = 99_999

  /// The path of the backup with that number.
  package func name(_ number: Int) -> String { "\(store).backup-\(number)" }

  /// Returns the path of the latest backup, or `nil` where there is none.
  package func latestName() throws(SystemError) -> String? { try names().last }

  /// Returns the paths of the backups that are there, the latest one last.
  func names() throws(SystemError) -> [String] {
    try numbers(endings: [""]).sorted().map(name)
  }

  /// Returns the path for a new backup: the first number behind all that are there, with nothing beside it
  /// that SQLite would take for a part of it.
  func nextName() throws(DecantError) -> String {
    var number = 1
    do throws(SystemError) {
      let taken = try numbers(endings: ["", Files.exchangeEnding] + Backups.companions)
      number = min(taken.max() ?? 0, Backups.highestNumber - 1) + 1
    } catch {
      // What is in a folder that may be written and not read nobody knows: then the first free one.
      guard error.isDenied else { throw DecantError(error) }
    }
    while ([""] + Backups.companions).contains(where: {
      FileStatus(unfollowed: name(number) + $0) != nil
    }) {
      number += 1
    }
    return name(number)
  }

  /// Whether `path` is the name of a backup of the store, be it one that is not made yet, or of what may lie beside it.
  package func mayName(_ path: String) -> Bool {
    let (start, name) = (Files.name(of: store) + ".backup-", Files.name(of: path))
    guard name.hasPrefix(start), Files.isSamePlace(Files.folder(of: path), Files.folder(of: store))
    else { return false }
    let rest = name.dropFirst(start.count)
    return (["", Files.exchangeEnding] + Backups.companions).contains { ending in
      let digits = rest.dropLast(ending.count)
      return rest.hasSuffix(ending) && !digits.isEmpty
        && digits.allSatisfy { $0.isASCII && $0.isWholeNumber }
    }
  }

  /// The numbers of which there is something with one of `endings` behind it.
  private func numbers(endings: [String]) throws(SystemError) -> [Int] {
    let start = Files.name(of: store) + ".backup-"
    return try Files.names(in: Files.folder(of: store)).flatMap { name -> [Int] in
      guard name.hasPrefix(start) else { return [] }
      let rest = name.dropFirst(start.count)
      return endings.compactMap { ending in
        guard rest.hasSuffix(ending) || ending.isEmpty else { return nil }
        let digits = rest.dropLast(ending.count)
        guard let number = Int(digits), String(number) == digits else { return nil }
        return (1...Backups.highestNumber).contains(number) ? number : nil
      }
    }
  }
}
