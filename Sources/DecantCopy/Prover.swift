internal import DecantBase
internal import DecantMerge
internal import DecantPlan
internal import DecantProof
internal import DecantStore
internal import DecantSQLite

/// Runs the proof of a copy: once over the source, once over a fresh read of the result.
struct Prover {
  private let proof: CopyProof
  private let session: CopySession
  private let planning: Planning
  private let cancellation: Cancellation
  private let progress: ProofProgress
  /// The sums of tables before the copy in which copied rows cannot be told apart by a key.
  var before: ProofSums = [:]
  /// Whether the destination's triggers ran, which may add rows of their own.
  var triggersRan = false
  /// The rows written into an existing store; `nil` for a new one.
  var watch: ChangeWatch?

  init(
    _ proof: CopyProof,
    _ session: CopySession,
    _ planning: Planning,
    _ cancellation: Cancellation,
    _ onEvent: @escaping (WorkEvent) -> Void
  ) {
    self.proof = proof
    self.session = session
    self.planning = planning
    self.cancellation = cancellation
    progress = ProofProgress(planning.rowCounts, checksStructure: true, cancellation, onEvent)
  }

  /// Computes the sums of the source, in the copied state, unless a second thread did so in `ahead`.
  func expected(_ ahead: SourceSums?) throws(DecantError) -> ProofSums {
    if let sums = ahead?.take() {
      try stopIfAsked()
      progress.skipOneSide()
      return sums
    }
    let sums = try explaining("cannot read the source again") { () throws(SQLiteError) in
      try proof.expected(on: session.connection) { progress.begin($0) }
    }
    try stopIfAsked()
    return sums
  }

  /// Computes the sums of the result and compares them; records hashes and lengths in the report.
  ///
  /// There are no `expected` sums if the result is the file of the source itself. If `structure` has a connection of its
  /// own, a second thread checks the structure meanwhile.
  func prove(
    _ expected: ProofSums?,
    _ reader: (connection: Connection, schema: String),
    structure: (connection: Connection, schema: String)?,
    _ report: inout CopyReport
  ) throws(DecantError) {
    let connection = reader.connection
    let work = structure.flatMap { structure in
      structure.connection === connection ? nil : StructureWork(structure, depth, limit: 1, cancellation)
    }
    let actual = try explaining("cannot read the result again") { () throws(SQLiteError) in
      var actual = try proof.actual(on: connection, schema: reader.schema, scope()) {
        progress.begin($0)
      }
      if let expected { try settleAnonymous(&actual, expected) }
      return actual
    }
    try stopIfAsked()
    if let expected, let step = proof.differingSteps(expected, actual).first {
      throw try difference(in: step, expected, actual, reader)
    }
    if let structure {
      // If nothing was written, every index is unchanged, so a quick check is sufficient.
      let isUntouched = report.changesNothing && watch?.sawChange == false
      try check(structure, isUntouched ? .quick : depth, work, reader)
    }
    proof.enter(actual, into: &report)
    report.isVerified = true
  }

  /// The depth of the structure check: an index with an unknown collation cannot be searched.
  private var depth: StructureCheck.Depth { planning.hasUnknownOrder ? .quick : .thorough }

  /// Throws if the structure of the result is damaged; if `work` is already checking it, `reader` helps to finish.
  private func check(
    _ structure: (connection: Connection, schema: String),
    _ depth: StructureCheck.Depth,
    _ work: StructureWork?,
    _ reader: (connection: Connection, schema: String)
  ) throws(DecantError) {
    let damage = try explaining("cannot check the result") { () throws(SQLiteError) in
      if let work { return try work.findings(helpedBy: reader) { progress.checked($0) } }
      return try StructureCheck(of: structure.schema, on: structure.connection)
        .findings(depth, limit: 1) { progress.checked($0) }
    }
    guard damage.isEmpty else {
      throw DecantError(
        .proofFailed,
        "the copy is damaged: \(damage[0])",
        remedy: "nothing was written; check the disk"
      )
    }
  }

  private func scope() throws(SQLiteError) -> CopyProof.Scope {
    guard !triggersRan, try !planning.fillsGaps() else { return .images }
    return .above(planning.counters)
  }

  /// Reduces the sums of whole tables to the rows that the copy added.
  private func settleAnonymous(_ actual: inout ProofSums, _ expected: ProofSums) throws(SQLiteError) {
    for step in planning.plan.steps where step.isAnonymous && !planning.isNew {
      if triggersRan {
        // Some rows may come from triggers: it is enough that all copied rows are present.
        let isWhole = try finder().differences(in: step, limit: 1).allSatisfy { $0.kind == .added }
        if isWhole { actual[step.name] = expected[step.name] }
        continue
      }
      for (code, sum) in before[step.name] ?? [:] {
        actual[step.name, default: [:]][code, default: RowHash.Sum()] -= sum
      }
      actual[step.name] = actual[step.name]?.filter { $0.value != RowHash.Sum() }
    }
  }

  /// Returns a finder of differences in `schema`, the result on the session's connection.
  private func finder(in schema: String = "main") throws(SQLiteError) -> DifferenceFinder {
    DifferenceFinder(proof: proof, connection: session.connection, schema: schema, scope: try scope())
  }

  /// Returns an error with the first object that differs, if the session can find it.
  private func difference(
    in step: CopyStep,
    _ expected: ProofSums,
    _ actual: ProofSums,
    _ reader: (connection: Connection, schema: String)
  ) throws(DecantError) -> DecantError {
    let found = try explaining("cannot find the differences") { () throws(SQLiteError) in
      let schema = reader.connection === session.connection ? reader.schema : "main"
      // The session's cache has the pages as they were written; the difference may be on the disk.
      try session.connection.run("PRAGMA shrink_memory")
      return try finder(in: schema).differences(in: step, limit: 3)
    }
    let counts = [expected, actual].map { sums in
      (sums[step.name] ?? [:]).values.reduce(0) { $0 + $1.count }
    }
    let sums =
      counts[0] == counts[1]
      ? "\(step.name) has other values" : "\(step.name) should be \(counts[0]), but are \(counts[1])"
    let also = found.dropFirst().map(\.description)
    return DecantError(
      .proofFailed,
      "the copy differs from its source: \(found.first?.description ?? sums)",
      place: also.isEmpty ? nil : "also: \(also.joined(separator: "; "))",
      remedy: triggersRan
        ? "nothing was written; the column type may have rounded a number, or a trigger of the "
          + "destination changed a value: if so, use \(say: .noTriggers)"
        : "nothing was written; unless another program changed the rows meanwhile, this is a bug in decant or a disk "
          + "failure: please report it"
    )
  }

  private func stopIfAsked() throws(DecantError) {
    guard cancellation.isCancelled else { return }
    throw DecantError(.interrupted, "the verification was interrupted")
  }
}

extension CopyProof {
  /// Records the counted rows, their lengths and hashes in the report.
  func enter(_ sums: ProofSums, into report: inout CopyReport) {
    for step in plan.steps {
      switch step.kind {
      case .objects, .unkeyed: break
      case .links, .rows: continue
      }
      guard let codes = sums[step.name] else { continue }
      for (code, sum) in codes {
        report.prove(sum, of: entityName(code, in: step))
      }
    }
  }
}
