package import DecantBase
internal import DecantPlan
package import DecantStore
package import DecantSQLite

extension CopySession {
  /// Registers the functions of the ID table on `connection`.
  package static func offer(_ ids: IDTable, on connection: Connection) throws(SQLiteError) {
    for (name, function) in [
      ("id", IDFunction(ids)), ("link", IDFunction(ids, keepsUnresolvedKeys: true)),
    ] {
      try connection.register(function, as: name, argumentCount: 2, [.deterministic, .directOnly])
      // The function counts its calls, so SQLite must neither skip a call nor reuse a result.
      try connection.register(function, as: name, argumentCount: 3, .directOnly)
    }
    try connection.register(KnownFunction(ids), as: "known", [.directOnly])
    try connection.register(OriginFunction(ids), as: "origin", .directOnly)
    try connection.register(UnknownEntity(), as: "no_entity", [.directOnly])
    try connection.register(CopyNumberFunction(ids), as: "copy_number", [.directOnly])
    try connection.register(CopyTitleFunction(ids), as: "copy_title", [.directOnly])
    try connection.register(AnotherFunction(), as: "another", [.directOnly, .deterministic])
    try connection.register(RowOutcomeFunction(ids), as: "row_outcome", [.directOnly])
    try connection.register(MixFunction(), as: "mix", [.directOnly, .deterministic])
    try connection.register(MixFunction(wantsAll: true), as: "mix_all", [.directOnly, .deterministic])
    try connection.register(MergedFunction(ids), as: "was_merged", [.directOnly])
    try connection.register(ListShiftFunction(ids), as: "list_shift", [.directOnly])
    try connection.register(NewFunction(ids), as: "is_new", [.directOnly])
    try connection.register(MatchedObjectFunction(ids), as: "is_there", [.directOnly])
    try connection.register(ClosedFunction(ids), as: "is_closed", [.directOnly])
    try connection.register(ClosureFunction(ids), as: "in_closure", [.directOnly])
    try connection.register(StubFunction(ids), as: "is_stub", [.directOnly])
    try connection.register(OutcomeFunction(ids), as: "merge_outcome", [.directOnly])
    try connection.register(RemovedLinkFunction(ids), as: "removed_link", [.directOnly])
    try connection.register(DecidedFunction(ids), as: "decided", [.directOnly])
    try connection.register(AwayFunction(ids), as: "is_away", [.directOnly])
    try connection.register(KeepsFunction(ids, .source), as: "keeps", [.directOnly])
    try connection.register(KeepsFunction(ids, .destination), as: "keeps_there", [.directOnly])
  }

  /// Registers the functions of the ID table, and sets the files of the destination.
  package func offer(_ ids: IDTable, files: (any ExternalStorage)? = nil) throws(DecantError) {
    self.files.destination = files
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try CopySession.offer(ids, on: connection)
    }
  }
}

/// The SQL function that fails for an object of an entity the model does not know.
final class UnknownEntity: ScalarFunction {
  override func call(_ arguments: borrowing FunctionArguments, _ result: borrowing FunctionResult) {
    let (root, key) = (arguments.text(at: 0), arguments.integer(at: 1))
    let code = arguments.type(at: 2) == .null ? "none" : arguments.text(at: 2)
    result.fail(
      "\(RejectCode.unknownEntity)\(root) p\(key) has entity number \(code), which does not belong in this table")
  }
}
