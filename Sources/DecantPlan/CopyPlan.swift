package import DecantBase
package import DecantStore
internal import CDecantXXHash
package import DecantSQLite

/// What a copy will do, resolved before a row is read: printable, comparable, hashed.
package struct CopyPlan: Sendable, Hashable {
  package var steps: [CopyStep]
  /// The conditions objects must meet, by entity.
  package var filters: [EntityFilter]
  /// Relationships stored at both ends, where the other end counts the links.
  package var secondEnds: Set<String>
  /// Where the copy begins and what it takes along, where that is not everything.
  package var closure: ClosurePlan?
  /// Columns that are in no step, as the destination lacks them.
  package var unmatchedColumns: [UnmatchedColumn] = []
  /// Tables of links that become columns of their targets, each of which may then have one owner.
  var singleOwners: [LinkRelation] = []
  /// Whether sync metadata travels too.
  package var keepsMetadata = false
  /// How objects are merged with those that are there, if they are.
  package var mergeRules: MergeRules?
  /// Whether objects are merged at all: with some that are there, or in a new store with each other.
  package var joinsObjects = false
  /// What becomes of links whose target is not there.
  package var missing = MissingRules()
  /// How a mapping makes the source's relations, where there is one.
  package var definitions: [String] = []
  /// What the new store is made after, where that is not the source.
  package var template: String?

  /// A condition of the user's, ready to be asked of the source.
  package struct EntityFilter: Sendable, Hashable {
    package var entity: String
    package var root: String
    /// The concrete entities it holds for: the entity and those below it.
    package var entities: [String]
    /// SQL over the entity's attribute names.
    package var expression: String
    /// Where a mapping file has it, and as what.
    package var origin: CopyOptions.Filter.Origin?

    package init(
      entity: String,
      root: String,
      entities: [String],
      expression: String,
      origin: CopyOptions.Filter.Origin? = nil
    ) {
      (self.entity, self.root, self.entities) = (entity, root, entities)
      (self.expression, self.origin) = (expression, origin)
    }
  }

  /// The plan's text: what it does and nothing about when or where.
  ///
  /// Equal plans have equal texts.
  var canonicalText: String {
    let filters = filters.map { "where \($0.entity): \($0.expression)" }.sorted()
    let steps = steps.map { "\($0.name)\n\($0.insertion(into: "main"))" }
    let metadata = keepsMetadata ? ["with sync metadata"] : []
    let template = template.map { ["after \($0)"] } ?? []
    let merge = mergeRules.map { ["merge \($0.canonicalText)"] } ?? []
    let closure = closure.map { [$0.canonicalText] } ?? []
    let parts = definitions + closure + filters + missing.canonicalText + metadata + template
    return (parts + merge + steps).joined(separator: "\n\n")
  }

  /// A short name of the plan's text, by which an unfinished copy knows its plan again.
  package var hash: String {
    var text = canonicalText
    let hash = text.withUTF8 { XXH3_128bits($0.baseAddress, $0.count) }
    return String(hash.high64, radix: 16) + "-" + String(hash.low64, radix: 16)
  }
}

extension CopyPlan {
  /// Throws if a column without counterpart holds values.
  package func checkUnmatchedColumns(on connection: Connection, place: String) throws(DecantError) {
    for unmatched in unmatchedColumns { try unmatched.check(on: connection, place: place) }
  }
}
