package import DecantBase

/// The backups of a store: `NAME.backup-1`, `NAME.backup-2` and so on, beside it.
///
/// The latest has the highest number, even if earlier ones were removed.
package struct Backups {
  /// The store's path, which is the prefix of the backups' names.
  let store: String

  package init(of store: String) { self.store = store }

  /// The endings of files that SQLite treats as part of a database.
  package static let companions = ["-journal", "-wal", "-shm"]
  /// The ending of a backup that is not complete.
  static let partial = ".decant-partial"
  /// Higher numbers are not counters, but for instance dates that a user wrote.
  private static let highestNumber = 99_999

  /// Returns the path of the backup with the given number.
  package func name(_ number: Int) -> String { "\(store).backup-\(number)" }

  /// Returns the path of the latest backup, or `nil` if there is none.
  package func latestName() throws(SystemError) -> String? { try names().last }

  /// Returns the paths of existing backups, the latest last.
  func names() throws(SystemError) -> [String] {
    try numbers(endings: [""]).sorted().map(name)
  }

  /// Returns the path for a new backup: the number after all existing ones, without files beside it that SQLite would
  /// treat as part of it.
  func nextName() throws(DecantError) -> String {
    try checkLength()
    var number = 1
    do throws(SystemError) {
      let taken = try numbers(endings: ["", Files.exchangeEnding] + Backups.companions)
      number = min(taken.max() ?? 0, Backups.highestNumber - 1) + 1
    } catch {
      // A folder may be writable but not readable: then the first free number is used.
      guard error.isDenied else { throw DecantError(error) }
    }
    while ([""] + Backups.companions).contains(where: {
      FileStatus(unfollowed: name(number) + $0) != nil
    }) {
      number += 1
    }
    return name(number)
  }

  /// Throws if the store's name is so long that a backup, or what SQLite makes beside it, could not have a name.
  ///
  /// File names have at most 255 bytes (NAME_MAX of Linux, for all of its usual file systems).
  package func checkLength() throws(DecantError) {
    let (own, limit) = (Files.name(of: store).utf8.count, 255)
    let ending = Backups.partial.utf8.count + (Backups.companions.map(\.utf8.count).max() ?? 0)
    let longest = limit - ending - (Files.name(of: name(1)).utf8.count - own)
    guard own > longest else { return }
    throw DecantError(
      .invalidPlace,
      "the name of “\(store)” has \(own) bytes, so that the name of a backup beside it would have more than \(limit)",
      remedy: "rename it to at most \(longest) bytes"
    )
  }

  /// Returns whether `path` is the name of a backup of the store, existing or not, or of a file beside one.
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

  /// Returns the numbers that are used with one of `endings`.
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
