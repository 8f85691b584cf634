internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A count of the links in a link table.
struct LinkTableCounts {
  let links: LinkRelation
  let layout: Layout
  /// The model with the targets of relationships.
  let model: Model
  let schema: String

  /// Adds the rows to `census`, for the relationship and for its inverse.
  func count(on connection: Connection, into census: inout Census) throws(SQLiteError) {
    let (owner, target) = ("r.\(links.ownerColumn.sqlName)", "r.\(links.targetColumn.sqlName)")
    // Owners are the targets of the inverse, which may be only some of the entities that inherit the relationship.
    let owners = objects(of: links.inverse.flatMap(destination) ?? links.relationship.entity)
    let targets = objects(of: destination(of: links.relationship))
    let hasOwner = owners.contains(owner)
    let hasTarget = targets.contains(target)
    let select = SelectStatement(
      columns: [
        "\(hasOwner) AS has_owner", "\(hasTarget) AS has_target",
        "\(isSingle(owner, target)) AS is_single",
        "\(owners.containsMisplaced(owner) ?? "0") AS has_stray_owner",
        "\(targets.containsMisplaced(target) ?? "0") AS has_stray_target",
        "\(isMissing(links.positionColumn)) AS has_no_position",
        "\(isMissing(links.inversePositionColumn)) AS has_no_inverse_position",
      ],
      source: "\(table) AS r"
    )
    let row = try connection.prepare(
      """
      SELECT coalesce(sum(has_owner AND has_target), 0),
        coalesce(sum(has_owner AND has_target AND is_single), 0),
        coalesce(sum(NOT has_target), 0), coalesce(sum(NOT has_owner), 0),
        coalesce(sum(NOT (has_owner AND has_target)), 0),
        coalesce(sum(has_stray_target), 0), coalesce(sum(has_stray_owner), 0),
        coalesce(sum(has_no_position), 0), coalesce(sum(has_no_inverse_position), 0)
      FROM (\(select.sql))
      """
    )
    guard try row.step() else { return }
    let inverse = links.inverse ?? links.relationship
    census.add(row.integer(at: 5), .strayLink, of: links.relationship)
    census.add(row.integer(at: 6), .strayLink, of: inverse)
    census.add(row.integer(at: 7), .missingPosition, of: links.relationship)
    census.add(row.integer(at: 8), .missingPosition, of: inverse)
    if links.isReflexive {
      census.addLinks(
        row.integer(at: 0) + row.integer(at: 1),
        dangling: row.integer(at: 4),
        of: links.relationship,
        rows: row.integer(at: 0)
      )
      return
    }
    census.addLinks(row.integer(at: 0), dangling: row.integer(at: 2), of: links.relationship)
    if let inverse = links.inverse {
      census.addLinks(row.integer(at: 0), dangling: row.integer(at: 3), of: inverse)
    }
  }

  private var table: String { links.sqlTable(in: schema) }

  private func destination(of property: Property) -> String? {
    model.relationship(property)?.destination
  }

  private func objects(of entity: String?) -> ObjectTable {
    ObjectTable(of: entity, model, layout, schema)
  }

  /// Returns the condition that a row has no number in `column`; false without a column.
  private func isMissing(_ column: String?) -> String {
    column.map { "typeof(r.\($0.sqlName)) <> 'integer'" } ?? "0"
  }

  /// Returns the condition that a row is the only one of an undirected pair.
  ///
  /// Such a pair makes two links, one from each object, whether it is stored once, as by newer frameworks, or in both
  /// directions, as by older ones.
  private func isSingle(_ owner: String, _ target: String) -> String {
    guard links.isReflexive else { return "0" }
    let (ownerColumn, targetColumn) = (links.ownerColumn.sqlName, links.targetColumn.sqlName)
    return "(\(owner) <> \(target) AND NOT EXISTS (SELECT 1 FROM \(table) AS b WHERE "
      + "b.\(ownerColumn) = \(target) AND b.\(targetColumn) = \(owner)))"
  }
}
