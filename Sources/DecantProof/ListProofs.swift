internal import DecantBase
internal import DecantMatch
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The comparison of ordered lists by their order.
///
/// The numbers of positions are not content: one writer counts 1, 2, another 1024, 2048, and a deletion leaves a gap.
/// In each list, only the order of the members that both stores have in it counts; members with equal numbers share a
/// place. If the order of a list differs, its members with other numbers differ.
extension Comparison {
  /// Computes the hashes of both sides of `plan`, limited to corresponding objects.
  ///
  /// - Parameters:
  ///   - plan: The steps to compare.
  ///   - cancellation: Stops the comparison.
  ///   - tell: Receives progress.
  /// - Returns: The hashes, and the proof that they belong to, in which positions in lists of the same order are equal.
  /// - Throws: `DecantError` if a store cannot be read.
  func proven(
    _ plan: CopyPlan,
    _ cancellation: Cancellation,
    _ tell: (WorkEvent) -> Void
  ) throws(DecantError) -> (proof: CopyProof, expected: ProofSums, actual: ProofSums) {
    var proof = proof(plan)
    var (expected, actual) = try sums(proof, cancellation, tell)
    let differing = Set(proof.differingSteps(expected, actual).map(\.name))
    var again = proof
    again.plan.steps = []
    for (index, step) in plan.steps.enumerated() where differing.contains(step.name) {
      let ordered = try explaining("cannot compare the lists of \(step.title)") { () throws(SQLiteError) in
        try comparingOrder(of: step)
      }
      guard let ordered else { continue }
      proof.plan.steps[index] = ordered
      again.plan.steps.append(ordered)
    }
    guard !again.plan.steps.isEmpty else { return (proof, expected, actual) }
    let second = try sums(again, cancellation) { _ in }
    expected.merge(second.expected) { $1 }
    actual.merge(second.actual) { $1 }
    return (proof, expected, actual)
  }

  /// Returns a step that proves positions only in lists whose order differs; `nil` if all numbers are equal.
  private func comparingOrder(of step: CopyStep) throws(SQLiteError) -> CopyStep? {
    var ordered = step
    for place in places(in: step) {
      guard let there = place.lists.link(in: destination.layout),
        let proof = step.assignments[place.assignment].proof, let owner = step.assignments[place.owner].proof,
        let owners = try reordered(place.lists.link, there)
      else { continue }
      ordered.assignments[place.assignment].proof?.expected =
        "CASE WHEN (\(owner.expected)) IN \(owners) THEN (\(proof.expected)) END"
      ordered.assignments[place.assignment].proof?.actual =
        "CASE WHEN (\(owner.actual)) IN \(owners) THEN (\(proof.actual)) END"
    }
    return ordered == step ? nil : ordered
  }

  /// A value of a step that is a position in a list.
  private struct ListPlace {
    let lists: OrderedLists
    /// The index of the position's assignment, and of that of the list's owner.
    let assignment, owner: Int
  }

  private func places(in step: CopyStep) -> [ListPlace] {
    let all = OrderedLists.all(of: source.layout)
    func place(_ assignment: Int, _ owner: Int?, _ relationship: Property, _ isReversed: Bool) -> ListPlace? {
      let lists = all.first { $0.relationship == relationship && $0.isReversed == isReversed }
      guard let lists, let owner else { return nil }
      return ListPlace(lists: lists, assignment: assignment, owner: owner)
    }
    return step.assignments.indices.compactMap { index in
      switch step.kind {
      case .links(let links):
        guard case .place(inListOf: let end) = step.assignments[index].role else { return nil }
        return place(index, end, links.relationship, end == 1)
      case .objects(let root):
        guard let there = destination.layout.relation(of: root),
          let columnRole = there.column(of: step.assignments[index])?.columnRole, let link = columnRole.listLink
        else { return nil }
        let owner = there.column(link).flatMap(step.index)
        return switch link {
        case .target(let property): place(index, owner, property, true)
        case .owner(let property): place(index, owner, property, false)
        default: nil
        }
      case .unkeyed, .rows: return nil
      }
    }
  }

  /// Returns the keys, in the second store, of the owners of lists whose common members have another order there; `nil`
  /// if no position has another number.
  ///
  /// SQLite sorts the members on disk, so that a long list takes no memory.
  private func reordered(_ here: Link, _ there: Link) throws(SQLiteError) -> TemporaryTable? {
    let members = """
      SELECT s.owner AS list, d.owner AS owner, s.position AS here, d.position AS there
      FROM (\(here.rows(in: CopySession.source, bothWays: false))) AS s
      CROSS JOIN (\(there.rows(in: CopySession.destination, bothWays: false))) AS d
      ON d.owner = id(\(here.holder.sqlText), s.owner) AND d.target = id(\(here.target.sqlText), s.target)
      """
    guard try connection.integer("SELECT 1 FROM (\(members)) WHERE here IS NOT there LIMIT 1") != nil else {
      return nil
    }
    let owners = try TemporaryTable("(owner INTEGER PRIMARY KEY)", on: connection)
    // Neighbors in one store's order must have equal positions in both stores, or ascending ones in both.
    try connection.run(
      """
      INSERT INTO \(owners) SELECT DISTINCT owner FROM (
        SELECT owner, here, there, row_number() OVER list AS number, lag(here) OVER list AS here_before,
          lag(there) OVER list AS there_before
        FROM (\(members)) WINDOW list AS (PARTITION BY list ORDER BY here, there)
      ) WHERE here IS NOT there AND (typeof(here) <> 'integer' OR typeof(there) <> 'integer')
        OR number > 1 AND ((here_before IS here) <> (there_before IS there) OR there_before > there)
      """
    )
    orderTables.append(owners)
    return owners
  }
}
