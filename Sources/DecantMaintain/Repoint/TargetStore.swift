internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// The store whose objects references lead to, ready to be asked for single ones.
final class TargetStore {
  let store: any SourceStore
  /// The schema under which it is attached.
  let schema: String
  private let connection: Connection
  /// The attribute that tells the objects of an entity apart, where the user said it.
  private let declared: [String: String]
  private var objects: [String: Statement] = [:]
  private var identities: [String: TargetIdentity?] = [:]
  private var values: Statement?

  static let schema = "target"

  /// Makes `store` readable on `connection`; it is `main` there where both are the same file.
  init(
    _ store: any SourceStore,
    declared: [String: String],
    isMain: Bool,
    on connection: Connection
  ) throws(DecantError) {
    self.store = store
    self.connection = connection
    self.declared = declared
    schema = isMain ? "main" : TargetStore.schema
    if let gap = store.modelGap { throw gap }
    for (entity, attribute) in declared { try TargetStore.check(entity, attribute, store) }
    if !isMain { try store.meet(on: connection, as: schema) }
    try explaining("cannot register functions") { () throws(SQLiteError) in
      try ValueFunctions.register(on: connection)
    }
  }

  private static func check(_ entity: String, _ attribute: String, _ store: any SourceStore) throws(DecantError) {
    let option: DecantError.Text = "\(option: .identity, "\(entity): \(attribute)")"
    guard store.model[entity] != nil else {
      throw DecantError(
        .unknownName,
        "“\(store.identity.place)” has no entity \(entity)",
        place: option,
        remedy: "\(entity.remedy(among: store.model.entities.map(\.name)))",
        remedies: [.correctName(entity, among: store.model.entities.map(\.name))]
      )
    }
    let names = store.model.attributes(of: entity).map(\.name)
    guard TargetIdentity.column(attribute, of: entity, store) == nil else { return }
    throw DecantError(
      .unknownName,
      "\(entity) of “\(store.identity.place)” has no attribute \(attribute)",
      place: option,
      remedy: attribute.nearest(in: names).map { "did you mean \($0)?" }
        ?? "it has \(names.joined(separator: ", "))",
      remedies: [.correctName(attribute, among: names)]
    )
  }

  /// The root of `entity` among those that have a place in the store.
  func root(of entity: String) -> String? {
    guard let root = store.model.root(of: entity)?.name, store.layout.relation(of: root) != nil
    else { return nil }
    return root
  }

  /// Returns the concrete entity of the object of `root` that has `key`; `nil` where none has.
  func entity(of key: Int64, in root: String) throws(SQLiteError) -> String? {
    guard let relation = store.layout.relation(of: root), relation.keyColumn != nil else {
      return nil
    }
    let statement: Statement
    if let known = objects[root] {
      statement = known
    } else {
      statement = try connection.prepare(
        """
        SELECT \(relation.entityCode() ?? "NULL") FROM \(relation.sqlTable(in: schema))
        WHERE \(relation.keyName) = ?1
        """
      )
      objects[root] = statement
    }
    defer { statement.reset() }
    statement.bind(integer: key, at: 1)
    guard try statement.step() else { return nil }
    guard let code = statement.integerOrNil(at: 0) else { return root }
    return relation.entities.first { $0.code == code }?.name ?? root
  }

  /// Returns what tells the objects of the concrete entity `name` apart; `nil` where nothing does.
  func identity(of name: String) throws(DecantError) -> TargetIdentity? {
    if let known = identities[name] { return known }
    let found = try TargetIdentity(of: name, declared, self, on: connection)
    identities[name] = found
    return found
  }

  /// Nothing tells the objects of `entity` apart by one value.
  func noIdentity(of entity: String) -> DecantError {
    let likely = store.model.attributes(of: entity).filter(\.mayBeKey).map(\.name)
    return DecantError(
      .missingOption,
      "no single attribute identifies the objects of \(entity)",
      place: "the model of “\(store.identity.place)” declares no single attribute as unique",
      remedy: "choose the attribute: \(say: .identity, "\(entity): \(likely.first ?? "attribute")")"
    )
  }

  /// Whether some object has the identity that is written `text`.
  func hasIdentity(_ text: String) throws(DecantError) -> Bool {
    let statement = try lookup()
    return try explaining("cannot look up identities") { () throws(SQLiteError) in
      defer { statement.reset() }
      try statement.bind(.text(text), at: 1)
      return try statement.step()
    }
  }

  /// The look-up of identities as texts; the table for it is filled when it is first needed.
  private func lookup() throws(DecantError) -> Statement {
    if let values { return values }
    var found: [TargetIdentity] = []
    for entity in store.model.entities where !entity.isAbstract {
      if let identity = try identity(of: entity.name) { found.append(identity) }
    }
    let statement = try explaining("cannot read the identities of “\(store.identity.place)”") {
      () throws(SQLiteError) in
      try connection.run("CREATE TEMP TABLE decant_identities (value TEXT PRIMARY KEY) WITHOUT ROWID")
      for identity in found {
        try connection.run("INSERT OR IGNORE INTO temp.decant_identities \(identity.textsOfObjects)")
      }
      return try connection.prepare("SELECT 1 FROM temp.decant_identities WHERE value = ?1")
    }
    values = statement
    return statement
  }
}
