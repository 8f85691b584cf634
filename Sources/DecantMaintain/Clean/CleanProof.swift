internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// Proves that a cleaning left everything else unchanged.
struct CleanProof {
  /// The store's place, as given by the user.
  let place: String
  /// The rows that must be the same before and after.
  let rows: KeptRows

  /// Computes the sums of the rows to keep; throws if the store is already damaged.
  func sums(on connection: Connection) throws(DecantError) -> [String: RowHash.Sum] {
    try explaining("cannot read “\(place)”") { () throws(SQLiteError) in
      try checkIntegrity(of: connection)
      return try rows.sums(on: connection)
    }
  }

  /// Throws unless the kept rows are undamaged and their sums equal `before`.
  func check(_ before: [String: RowHash.Sum], on connection: Connection) throws(DecantError) {
    let after: [String: RowHash.Sum]
    do throws(SQLiteError) {
      try checkIntegrity(of: connection)
      after = try rows.sums(on: connection)
    } catch {
      guard error.isCorrupt else { throw DecantError("cannot read the cleaned store", cause: error) }
      throw failure("it is damaged: \(error.message)")
    }
    let tables = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    guard let table = tables.min() else { return }
    throw failure("table \(table) differs")
  }

  /// Returns the error for a cleaned store that is not as it should be; the store itself is unchanged.
  func failure(_ what: String) -> DecantError {
    DecantError(
      .proofFailed,
      "the cleaned copy of “\(place)” failed its check: \(what)",
      place: "“\(place)” is unchanged",
      remedy: "this is a bug in decant or a disk failure: please report it"
    )
  }

  private func checkIntegrity(of connection: Connection) throws(SQLiteError) {
    let answer = try connection.longStep { () throws(SQLiteError) in
      try connection.text("PRAGMA main.integrity_check(1)")
    }
    guard answer == "ok" else {
      throw SQLiteError(code: SQLiteError.corruptCode, message: answer ?? "no answer")
    }
  }
}
