internal import DecantBase
internal import DecantPlan
internal import DecantStore

/// A place of references, located in the store that holds them.
struct ReferenceSite {
  /// The number of the site in work tables.
  let number: Int
  let place: ReferencePlace
  /// The entity whose objects are searched, including its sub-entities.
  let entity: String
  let relation: Relation
  let column: RelationColumn
  /// The column that names the entity of a bare key.
  let entityColumn: RelationColumn?
  /// The codes of the objects' entities; `nil` for all objects of the table.
  let codes: [Int64]?
  let form: Form

  /// The form in which the attribute holds an identity.
  enum Form {
    /// As text; a UUID in its text form.
    case text
    /// Only as an integer.
    case integer
    /// Only as the bytes of a UUID.
    case uuid
    /// As the bytes of the text.
    case bytes
    /// As text, bytes or an integer, like the reference it replaces.
    case likeReference
  }

  /// The store's table, as SQL names it.
  var table: String { relation.sqlTable(in: "main") }

  /// Returns the condition that the row `row` is an object of the entity; `nil` if all rows are.
  func condition(on row: String) -> String? {
    guard let codes, let code = relation.entityCode(in: row) else { return nil }
    // The plus keeps SQLite from using an index other than the rowid.
    return "+\(code) IN (\(codes.list))"
  }

  /// Returns the name of an object of the site in reports.
  func object(_ key: Int64) -> String { "\(entity) p\(key)" }
}

/// Locates the places given by the user, and rejects those that cannot hold references.
struct ReferenceSites {
  let store: any EditableStore

  /// Locates all of `places`.
  func sites(at places: [ReferencePlace]) throws(DecantError) -> [ReferenceSite] {
    var sites: [ReferenceSite] = []
    for place in places {
      let site = try self.site(at: place, number: sites.count)
      let same = sites.first {
        $0.relation.table == site.relation.table && $0.column.name == site.column.name
      }
      if let same {
        throw DecantError(
          .conflictingOptions,
          "\(same.place.property) and \(place.property) are the same attribute",
          place: "\(option: .at)",
          remedy: "give it once"
        )
      }
      sites.append(site)
    }
    return sites
  }

  private func site(at place: ReferencePlace, number: Int) throws(DecantError) -> ReferenceSite {
    let option: DecantError.Text = "\(option: .at) '\(place)'"
    let (entity, relation, column) = try find(place.property, option)
    var entityColumn: RelationColumn?
    if case .attribute(let name) = place.target {
      entityColumn = try find(Property(entity, name), option).column
    }
    guard relation.keyColumn != nil else {
      throw refusal(
        "the rows of \(entity) have no integer key",
        option,
        remedy: "give the table an integer key, or create it with rowids"
      )
    }
    guard !column.isGenerated, !column.isExternal, column.encoding == .asIs else {
      throw refusal(
        "\(place.property) is \(column.isExternal ? "kept in files" : "computed") and cannot be changed",
        option,
        remedy: "use an attribute that holds the references themselves"
      )
    }
    let form = try form(of: column, place, option)
    let family = Set(store.model.family(of: entity).map(\.name))
    let codes = relation.entities.filter { family.contains($0.name) }.map(\.code)
    return ReferenceSite(
      number: number,
      place: place,
      entity: entity,
      relation: relation,
      column: column,
      entityColumn: entityColumn,
      codes: codes.count == relation.entities.count ? nil : codes,
      form: form
    )
  }

  /// Finds an attribute; if the model comes from tables, names are compared as SQLite does.
  func find(_ property: Property, _ option: DecantError.Text) throws(DecantError) -> (
    entity: String, relation: Relation, column: RelationColumn
  ) {
    let names = store.model.entities.map(\.name)
    let isLoose = store.model.isFromTables
    guard let entity = names.first(where: { isSame($0, property.entity, isLoose) }),
      let root = store.model.root(of: entity), let relation = store.layout.relation(of: root.name)
    else {
      throw refusal(
        "“\(store.identity.place)” has no entity \(property.entity)",
        option,
        remedy: "\(property.entity.remedy(among: names))",
        code: .unknownName,
        remedies: [.correctName(property.entity, among: names)]
      )
    }
    let lineage = Set(store.model.lineage(of: entity).map(\.name))
    let columns = relation.columns.filter { column in
      guard let own = column.columnRole.property else { return false }
      return lineage.contains(own.entity)
    }
    guard
      let column = columns.first(where: {
        isSame($0.columnRole.property?.name ?? "", property.name, isLoose)
      })
    else {
      let all = columns.compactMap(\.columnRole.property?.name)
      throw refusal(
        "\(entity) has no attribute \(property.name)",
        option,
        remedy: property.name.nearest(in: all).map { "did you mean \($0)?" }
          ?? "it has \(all.joined(separator: ", "))",
        code: .unknownName,
        remedies: [.correctName(property.name, among: all)]
      )
    }
    switch column.columnRole {
    case .attribute: return (entity, relation, column)
    case .key:
      throw refusal(
        "\(property) is the key of \(entity) itself",
        option,
        remedy: "an object that holds references must have its own key"
      )
    default:
      throw refusal(
        "\(property) is a relationship: it points to objects of “\(store.identity.place)” itself",
        option,
        remedy: "use an attribute that holds references to another store"
      )
    }
  }

  private func form(of column: RelationColumn, _ place: ReferencePlace, _ option: DecantError.Text)
    throws(DecantError) -> ReferenceSite.Form
  {
    if store.model.isFromTables { return .likeReference }
    switch column.type {
    case .string, .uri: return .text
    case .binary: return .bytes
    case .uuid: return .uuid
    case .integer16, .integer32, .integer64:
      guard place.target != nil else {
        throw refusal(
          "\(place.property) holds numbers, but the entity of these keys is unknown",
          option,
          remedy:
            "give the entity: \(say: .at) '\(place.property) -> Recipe', or the attribute of the same "
            + "object that names it: \(say: .at) '\(place.property) -> .entityName'"
        )
      }
      return .integer
    default:
      throw refusal(
        "\(place.property) is of type \(column.type?.name ?? "unknown"), which holds no references",
        option,
        remedy: "a reference is text, a URI, its bytes, or a key"
      )
    }
  }

  private func isSame(_ one: String, _ other: String, _ isLoose: Bool) -> Bool {
    one == other || isLoose && one.lowercased() == other.lowercased()
  }

  private func refusal(
    _ message: DecantError.Text,
    _ option: DecantError.Text,
    remedy: DecantError.Text,
    code: DecantError.Code = .unsuitableOption,
    remedies: [DecantError.Remedy]? = nil
  ) -> DecantError {
    DecantError(code, message, place: option, remedy: remedy, remedies: remedies)
  }
}
