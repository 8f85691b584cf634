internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// The table in which the objects of an entity lie, as a place to look keys up in.
struct ObjectTable {
  private let name: String?
  private let key: String
  private let entityCode: String?
  /// The codes of objects in the table that are not of the entity.
  private let misplaced: [Int64]

  /// Finds the table of `entity`; without one no key leads to an object.
  init(of entity: String?, _ model: Model, _ layout: Layout, _ schema: String) {
    let relation = entity.flatMap { model.root(of: $0) }.flatMap { layout.relation(of: $0.name) }
    let family = Set(entity.map { model.family(of: $0).map(\.name) } ?? [])
    name = relation.map { $0.sqlTable(in: schema) }
    key = relation?.keyName ?? ""
    entityCode = relation?.entityCode(in: "t")
    misplaced = (relation?.entities ?? []).filter { !family.contains($0.name) }.map(\.code)
  }

  /// The condition that there is an object whose key is the expression `value`.
  func contains(_ value: String) -> String {
    guard let name else { return "0" }
    return "EXISTS (SELECT 1 FROM \(name) AS t WHERE t.\(key) = \(value))"
  }

  /// The condition that the object with the key `value` is not of the entity; `nil` if all are.
  ///
  /// An object of no entity at all is a problem of its own, and not counted here.
  func containsMisplaced(_ value: String) -> String? {
    guard let name, let entityCode, !misplaced.isEmpty else { return nil }
    return "EXISTS (SELECT 1 FROM \(name) AS t WHERE t.\(key) = \(value) "
      + "AND \(entityCode) IN (\(misplaced.list)))"
  }

  /// The code of the object with the key `value`, NULL without one; `nil` where the table has none.
  func entity(of value: String) -> String? {
    guard let name, let entityCode else { return nil }
    return "(SELECT \(entityCode) FROM \(name) AS t WHERE t.\(key) = \(value))"
  }
}
