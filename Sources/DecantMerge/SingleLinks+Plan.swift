package import DecantBase
package import DecantMatch
package import DecantPlan
package import DecantStore
internal import DecantSQLite

/// The expectations about one-to-one links before writing, and the notes on them afterwards.
extension SingleLinks {
  /// Makes the plan expect the results of `settle`.
  package static func expect(
    in plan: inout CopyPlan,
    _ ids: IDTable,
    _ model: Model,
    _ source: Layout,
    _ layout: Layout
  ) {
    for pair in SingleLinkPair.all(model, layout) {
      guard let index = plan.steps.firstIndex(where: { $0.isObjects(of: pair.relation.root) }),
        let here = source.relation(of: pair.relation.root),
        let link = here.column(.target(pair.property)),
        source.relation(of: pair.other.root) != nil
      else { continue }
      let (root, own) = (pair.other.root.sqlText, pair.relation.root.sqlText)
      let target = here.value(of: link, in: here.table.sqlName)
      let key = "id(\(own), \(here.table.sqlName).\(here.keyName))"
      let other = plan.steps.first { $0.isObjects(of: pair.other.root) }
      let isKept =
        plan.steps[index].kept[pair.column.name] != nil || other?.kept[pair.back.name] != nil
      let leadsBack = """
        EXISTS (SELECT 1 FROM \(CopyStep.written).\(pair.other.table.sqlName) AS b
        WHERE b.\(pair.other.keyName) = id(\(root), \(target)) AND b.\(pair.back.name.sqlName) = \(key))
        """
      // A kept object may take the partner of a new object, and so leave a link where the source has none.
      let stays = isKept ? leadsBack : "NOT was_merged(\(root), \(target)) OR \(leadsBack)"
      let mayGet = isKept || ids.hasJoined(anyOf: [pair.relation.root, pair.other.root])
      for column in [pair.column.name, pair.entity?.name].compactMap({ $0 }) {
        let position = plan.steps[index].assignments.firstIndex { $0.column == column }
        guard let position, let proof = plan.steps[index].assignments[position].proof else {
          continue
        }
        // A link that was set from the other end is correct if both ends agree.
        let got = """
          (SELECT o.\(column.sqlName) FROM \(CopyStep.written).\(pair.relation.table.sqlName) AS o
          JOIN \(CopyStep.written).\(pair.other.table.sqlName) AS b ON b.\(pair.other.keyName) = o.\(pair.column.name.sqlName)
          AND b.\(pair.back.name.sqlName) = o.\(pair.relation.keyName) WHERE o.\(pair.relation.keyName) = \(key))
          """
        plan.steps[index].assignments[position].proof?.expected =
          mayGet
          ? "CASE WHEN \(target) IS NOT NULL AND (\(stays)) THEN \(proof.expected) ELSE \(got) END"
          : "CASE WHEN \(stays) THEN \(proof.expected) END"
      }
    }
  }

  /// Adds existing objects whose links changed to `updated`, as SELECTs of keys `k` by root entity.
  static func addChanged(to updated: inout [String: String], on connection: Connection) throws(SQLiteError) {
    let isThere = "SELECT count(*) FROM temp.sqlite_schema WHERE name = 'changed ends'"
    guard try connection.integer(isThere) == 1 else { return }
    let roots = try connection.prepare("SELECT DISTINCT root FROM \(changed)")
    while try roots.step() {
      guard let root = roots.text(at: 0) else { continue }
      let keys = "SELECT key AS k FROM \(changed) WHERE root = \(root.sqlText)"
      updated[root] = updated[root].map { "\($0) UNION \(keys)" } ?? keys
    }
  }

  /// The results for ends that did not agree.
  package struct Outcome {
    /// The number of new objects whose link was cleared, by relationship.
    package var written: [String: Int64] = [:]
    /// The number of objects whose link back was set, by relationship.
    package var given: [String: Int64] = [:]
    /// The numbers of source links that were not made because the other end has a partner, or is kept without one.
    var takenCount: Int64 = 0
    var keptCount: Int64 = 0
    /// The numbers of existing objects that lost a partner to another object, or altogether.
    var lostCount: Int64 = 0
    var endedCount: Int64 = 0
    /// The number of existing objects that got a partner.
    var filledCount: Int64 = 0

    /// The notes on these results.
    package var notes: [ReportNote] {
      func was(_ count: Int64) -> String {
        "\(count.counted("object")) of the destination"
      }
      func stay(_ count: Int64) -> String {
        "\(count.counted("one-to-one link")) \(count == 1 ? "stays" : "stay") empty: the "
          + (count == 1 ? "target" : "targets")
      }
      var notes: [ReportNote] = []
      if takenCount > 0 {
        notes.append(
          ReportNote(
            .singleLinksEmpty, "\(stay(takenCount)) already \(takenCount == 1 ? "has" : "have") another partner"))
      }
      if keptCount > 0 {
        notes.append(
          ReportNote(.singleLinksEmpty, "\(stay(keptCount)) \(keptCount == 1 ? "is" : "are") kept without a partner"))
      }
      if filledCount > 0 {
        notes.append(ReportNote(.singleLinksGained, "\(was(filledCount)) got a partner through a one-to-one link"))
      }
      if lostCount > 0 {
        notes.append(
          ReportNote(
            .singleLinksLost,
            "\(was(lostCount)) lost a one-to-one link because the source links the partner to another object"))
      }
      if endedCount > 0 {
        notes.append(
          ReportNote(
            .singleLinksLost, "\(was(endedCount)) lost a one-to-one link because the updated partner has none now"))
      }
      return notes
    }
  }
}

extension CopyStep {
  /// Returns whether it copies the objects of `root`.
  func isObjects(of root: String) -> Bool {
    if case .objects(root) = kind { true } else { false }
  }
}
