internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The losses of a suggestion, with their kind and quantity.
struct SuggestedDrops {
  let source: MappingResolver.ModelSide
  let counts: [String: EntityProfile]

  /// Returns the lines for unused properties of a rule's source objects.
  func drops(of rule: SuggestedRule, _ lost: [MappingLosses.Loss], on connection: Connection)
    throws(SQLiteError) -> [SuggestedRule.Line]
  {
    var lines: [SuggestedRule.Line] = []
    for loss in lost
    where loss.silent.contains(where: { $0.entity == rule.entity && $0.source == rule.source }) {
      let comment = try comment(loss.property, rule, on: connection)
      lines.append(SuggestedRule.Line(name: loss.property.name, comment: comment))
    }
    return lines
  }

  private func comment(_ property: Property, _ rule: SuggestedRule, on connection: Connection)
    throws(SQLiteError) -> String
  {
    let profiles = counts[rule.source]?.profiles ?? [:]
    if let column = source.relation(of: rule.source)?.column(.attribute(property)) {
      let count = profiles[.attribute(property)]?.count ?? 0
      return "\((column.type ?? .undefined).name), \(count.counted("value"))"
    }
    guard let (_, relationship) = source.relationship(property.name, of: rule.source) else {
      return "a relationship"
    }
    let shape = "to \(relationship.isToMany ? "many" : "one") \(relationship.destination)"
    if let count = profiles[.target(property)]?.count {
      return "\(shape), \(count.counted("link"))"
    }
    if let link = source.layout.link(property), link.isTable {
      let rows = link.rows(in: CopySession.source, bothWays: false)
      let count = try connection.integer("SELECT count(*) FROM (\(rows))") ?? 0
      return "\(shape), \(count.counted("link"))"
    }
    guard let inverse = relationship.inverse else { return shape }
    // The other end holds the links: dropping them in one direction drops them in both.
    let holder = source.relationship(inverse, of: relationship.destination)?.0
    let count = counts.values.reduce(Int64(0)) { sum, entity in
      sum + (holder.flatMap { entity.profiles[.target($0)]?.count } ?? 0)
    }
    return "\(shape), \(count.counted("link")), the other end of "
      + "\(relationship.destination).\(inverse)"
  }
}
