internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The changed columns of an update in persistent history: a bit for each property of the entity.
///
/// To-one relationships come first, then attributes, then to-many relationships, each sorted by name. Every property is
/// marked, because reading an unchanged property again does no harm.
struct ChangedColumns {
  let model: Model
  let numbers: [String: Int64]

  /// Returns the bits as SQL, by the entity of the row `o`.
  func sql(of relation: Relation) -> String {
    let cases = relation.entities.map { entity in
      "WHEN \(entity.code) THEN x'\(bits(of: entity.name).map(\.hex).joined())'"
    }
    guard let column = relation.entityColumn, !cases.isEmpty else { return "NULL" }
    return "CASE o.\(column.sqlName) \(cases.joined(separator: " ")) END"
  }

  /// Returns the bits for objects of `entity`, starting with the highest bit of the first byte.
  func bits(of entity: String) -> [UInt8] {
    let relationships = model.relationships(of: entity).sorted { $0.name < $1.name }
    let attributes = model.attributes(of: entity).sorted { $0.name < $1.name }
    let marks =
      relationships.filter { !$0.isToMany }.map { !$0.isTransient }
      + attributes.map { !$0.isTransient && !$0.isDerived }
      + relationships.filter(\.isToMany).map { !$0.isTransient }
    var bytes = [UInt8](repeating: 0, count: (marks.count + 7) / 8)
    for (index, isMarked) in marks.enumerated() where isMarked {
      bytes[index / 8] |= 0x80 >> UInt8(index % 8)
    }
    return bytes
  }
}
