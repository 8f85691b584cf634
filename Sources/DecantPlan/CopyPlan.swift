package import DecantBase
package import DecantStore
internal import CDecantXXHash
package import DecantSQLite

/// The plan of a copy, resolved before a row is read: printable, comparable, hashable.
package struct CopyPlan: Sendable, Hashable {
  package var steps: [CopyStep]
  /// The conditions of objects, by entity.
  package var filters: [EntityFilter]
  /// Relationships stored at both ends, for which the other end counts the links.
  package var secondEnds: Set<String>
  /// The scope of a partial copy; `nil` for everything.
  package var closure: ClosurePlan?
  /// Columns without a counterpart in the destination.
  package var unmatchedColumns: [UnmatchedColumn] = []
  /// Link tables that become columns of their targets, each of which can then have one owner.
  var singleOwners: [LinkRelation] = []
  /// Whether sync metadata is copied too.
  package var keepsMetadata = false
  /// The rules for merging with existing objects, if objects are merged.
  package var mergeRules: MergeRules?
  /// Whether objects are merged: with existing ones, or in a new store with each other.
  package var joinsObjects = false
  /// The rules for links without target.
  package var missing = MissingRules()
  /// The definitions of a mapping's relations, if there is a mapping.
  package var definitions: [String] = []
  /// The template of the new store, if it is not the source.
  package var template: String?

  /// A condition of the user's, ready to use on the source.
  package struct EntityFilter: Sendable, Hashable {
    package var entity: String
    package var root: String
    /// The concrete entities it applies to: the entity and its subentities.
    package var entities: [String]
    /// SQL on the entity's attribute names.
    package var expression: String
    /// Its origin in a mapping file.
    package var origin: CopyOptions.Filter.Origin?
    /// The option that gave it, if that option appeared among those of another one.
    package var option: DecantError.Option?

    package init(
      entity: String,
      root: String,
      entities: [String],
      expression: String,
      origin: CopyOptions.Filter.Origin? = nil,
      option: DecantError.Option? = nil
    ) {
      (self.entity, self.root, self.entities) = (entity, root, entities)
      (self.expression, self.origin, self.option) = (expression, origin, option)
    }
  }

  /// The plan's text, which describes its effect independent of time and place.
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

  /// A hash of the plan's text, by which an unfinished copy recognises its plan.
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
