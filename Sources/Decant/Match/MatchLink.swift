internal import SQLite

/// The links of one relationship, as both stores keep them: beside an object, or in a table.
struct MatchLink {
  /// What it is called in hashes, so that two relationships are not mistaken for each other.
  let name: String
  /// The root entities at its ends; of a link beside an object, `holder` is that object's.
  let holder: String
  let target: String
  /// Whether it stands beside the object; else in a table of links.
  let isColumn: Bool
  /// Whether its ends cannot be told apart.
  let isReflexive: Bool
  let ends: Sided<End>

  /// Where one of the stores keeps it: SQL over the rows of `table`.
  struct End {
    let table: String
    let holder: String
    let target: String
    /// The places in ordered lists.
    let positions: [String]
    /// The keys of all objects it may lead to, as a SELECT in parentheses.
    let targets: String
  }

  /// Finds all links that both layouts know.
  static func all(_ source: Layout, _ destination: Layout) -> [MatchLink] {
    source.relations.flatMap { relation in
      destination.relation(of: relation.root).map {
        columns(of: relation, $0, Sided(source, destination))
      } ?? []
    } + source.linkRelations.compactMap { table(of: $0, Sided(source, destination)) }
  }

  private static func columns(
    of relation: Relation,
    _ there: Relation,
    _ layouts: Sided<Layout>
  ) -> [MatchLink] {
    // What no integer names cannot be found again as the end of a link.
    guard relation.keyColumn != nil, there.keyColumn != nil else { return [] }
    return relation.columns.compactMap { column -> MatchLink? in
      let (property, position): (Property, Meaning)
      switch column.meaning {
      case .target(let link): (property, position) = (link, .position(link))
      case .owner(let link): (property, position) = (link, .ownerPosition(link))
      // A key that is a link as well: what it leads to is the same object, seen in another table.
      case .key(let link): (property, position) = (link, .position(link))
      default: return nil
      }
      guard let image = there.column(column.meaning), let target = column.targetRoot else {
        return nil
      }
      let places = [relation.column(position), there.column(position)].compactMap(\.self)
      return MatchLink(
        name: "\(property)",
        holder: relation.root,
        target: target,
        isColumn: true,
        isReflexive: false,
        ends: Sided { side in
          let (own, link) = side == .source ? (relation, column) : (there, image)
          let place = side == .source ? places.first : places.last
          return End(
            table: own.sqlTable(in: side.schema),
            holder: own.keyName,
            target: own.value(of: link),
            positions: places.count == 2 ? [place.map { own.value(of: $0) } ?? "NULL"] : [],
            targets: keys(of: target, layouts[side], side)
          )
        }
      )
    }
  }

  private static func keys(of root: String, _ layout: Layout, _ side: MatchSide) -> String {
    guard let relation = layout.relation(of: root) else { return "(SELECT NULL WHERE 0)" }
    return "(SELECT \(relation.keyName) FROM \(relation.sqlTable(in: side.schema)))"
  }

  private static func table(of links: LinkRelation, _ layouts: Sided<Layout>) -> MatchLink? {
    let candidates = layouts.destination.linkRelations.flatMap {
      [$0] + ($0.reversed.map { [$0] } ?? [])
    }
    guard let image = candidates.first(where: { $0.relationship == links.relationship }) else {
      return nil
    }
    let pairs = [
      (links.positionColumn, image.positionColumn),
      (links.inversePositionColumn, image.inversePositionColumn),
    ]
    return MatchLink(
      name: "\(links.relationship)",
      holder: links.ownerRoot,
      target: links.targetRoot,
      isColumn: false,
      isReflexive: links.isReflexive,
      ends: Sided { side in
        let own = side == .source ? links : image
        var positions: [String] = []
        for case (let here?, let there?) in pairs {
          positions.append((side == .source ? here : there).sqlName)
        }
        return End(
          table: own.sqlTable(in: side.schema),
          holder: own.ownerColumn.sqlName,
          target: own.targetColumn.sqlName,
          positions: positions,
          targets: keys(of: links.targetRoot, layouts[side], side)
        )
      }
    )
  }
}
