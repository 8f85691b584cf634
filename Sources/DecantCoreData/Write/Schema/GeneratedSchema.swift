internal import DecantStore
package import DecantBase

/// The statements that create a store of a model, as Core Data writes them.
///
/// - Source: the statements in real stores, compared with the models in them; Formats, “A store made after a model”.
package struct GeneratedSchema {
  /// Tables, indexes, R-trees and triggers, in the form in which they are read from a store.
  let template: StoreTemplate
  /// The number of each entity.
  package let numbers: [String: Int64]
  /// The columns of each table, in order.
  package let columns: [String: [String]]
  /// Many-to-many relationships whose table may have another name, as `Entity.relationship`.
  package let doubtfulLinks: [String]
  /// Properties and indexes that only Core Data can make, as `Entity.name`.
  package let notMade: [String]
  /// Indexes that are omitted, which at worst makes an app slower, as `Entity.name`.
  package let leftOut: [String]

  /// Generates the statements for `model`.
  ///
  /// - Parameters:
  ///   - model: The model; its entities are numbered in its order.
  ///   - frameworkVersion: The framework version to follow, or `nil` for the default of stores made by decant.
  package init(_ model: Model, frameworkVersion: Int64? = nil) {
    let era = frameworkVersion.map { SchemaEra(frameworkVersion: $0) } ?? .current
    let names = SchemaNames(model)
    let tables = model.roots.map { EntityTable(of: $0, names: names, era: era) }
    let links = LinkTables(names)
    var items = tables.map { Self.table($0.name, $0.sql) }
    items += links.tables.map { Self.table($0.name, $0.sql) }
    var leftOut: [String] = []
    for entity in model.entities {
      let made = EntityIndexes(of: entity, names: names, era: era)
      leftOut += made.leftOut
      items += made.indexes.map { Self.index($0.name, on: names.table(of: entity.name), $0.sql) }
    }
    items += links.tables.map { Self.index($0.indexName, on: $0.name, $0.indexSQL) }
    var notMade: [String] = []
    for entity in model.entities {
      for index in entity.fetchIndexes where index.elements.contains(where: \.isRange) {
        if let made = SearchTableStatements(index, of: entity, names: names) {
          items += [made.table] + made.triggers
        } else {
          notMade.append("\(entity.name).\(index.name)")
        }
      }
      for (path, attribute) in entity.storedAttributes {
        if attribute.isDerived, path == attribute.name,
          let made = DerivedTriggers(of: attribute, in: entity, names: names)
        {
          items += made.items
        } else if attribute.isDerived || attribute.type == .objectID {
          notMade.append("\(entity.name).\(path)")
        }
      }
    }
    let books = Self.books.filter { era.cachesModel || $0.name != "Z_MODELCACHE" }
    items += books.map { Self.table($0.name, $0.sql) }
    template = StoreTemplate(items)
    numbers = names.numbers
    columns = Dictionary(
      tables.map { ($0.name, $0.columns) } + links.tables.map { ($0.name, $0.columns) }
    ) { first, _ in first }
    doubtfulLinks = links.doubtful
    self.notMade = notMade
    self.leftOut = leftOut
  }

  /// Returns the statements of one type, `table`, `index` or `trigger`, by the name of the item.
  package func statements(_ type: String) -> [String: String] {
    Dictionary(template.items.filter { $0.type == type }.map { ($0.name, $0.sql) }) { first, _ in
      first
    }
  }

  /// The system tables of Core Data; the cached model stays empty, because decant cannot write one.
  private static let books: [(name: String, sql: String)] = [
    (
      "Z_PRIMARYKEY",
      "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, "
        + "Z_MAX INTEGER)"
    ),
    ("Z_METADATA", "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"),
    ("Z_MODELCACHE", "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"),
  ]

  private static func table(_ name: String, _ sql: String) -> StoreTemplate.Item {
    StoreTemplate.Item(type: "table", name: name, table: name, sql: sql)
  }

  private static func index(_ name: String, on table: String, _ sql: String) -> StoreTemplate.Item {
    StoreTemplate.Item(type: "index", name: name, table: table, sql: sql)
  }
}
