import DecantPropertyList
import DecantSQLite

/// What settles in a store over the years beside the objects themselves.
enum SyncMetadata {
  /// The remains of the first iCloud, and an entry of the app's own that a copy must keep.
  static let metadata: [String: PropertyList] = [
    "com.apple.coredata.ubiquity.token": .data(Identifier.bytes("ubiquity token")),
    "com.apple.coredata.ubiquity.ubiquitized": .boolean(true),
    "com.apple.coredata.ubiquity.baseline.timestamp": .date(Moment(2013, 10, 22, 9, 30).seconds),
    "dev.example.kitchen.theme": .string("paprika"),
  ]

  /// The tables of persistent history: everything was inserted at once, one recipe was changed by
  /// the mirror, and one deleted.
  static func history(of graph: ObjectGraph) -> [SyncMetadataTable] {
    let schema = graph.schema
    let recipe = Binding.integer(schema.number(of: "Recipe"))
    let inserted = graph.objects.map { object -> [Binding] in
      let entity = Binding.integer(schema.number(of: object.reference.entity))
      return [.integer(0), entity, .integer(object.reference.key), .integer(1), .null, .null]
    }
    let deletedKey = graph.lastKeys["Recipe"] ?? 0
    let bitmap = changedColumns(["category", "modifiedAt", "rating", "title"], of: "Recipe", in: schema)
    let later: [[Binding]] = [
      [.integer(0), recipe, .integer(deletedKey), .integer(1), .null, .null],
      [.integer(1), recipe, .integer(1), .integer(2), .blob(bitmap), .null],
      [
        .integer(2), recipe, .integer(deletedKey), .integer(3), .null,
        .blob(Identifier.bytes("deleted recipe")),
      ],
    ]
    return [changes(inserted + later), transactions, strings]
  }

  /// Returns which columns an update changed, one bit for each property: to-one relationships,
  /// attributes, to-many relationships, each group sorted.
  private static func changedColumns(_ changed: Set<String>, of entity: String, in schema: Schema) -> [UInt8] {
    let relationships = schema.relationships(of: entity)
    let properties =
      relationships.filter { !$0.isToMany }.map(\.name).sorted()
      + schema.attributes(of: entity).map(\.name).sorted()
      + relationships.filter(\.isToMany).map(\.name).sorted()
    var bytes = [UInt8](repeating: 0, count: (properties.count + 7) / 8)
    for (position, property) in properties.enumerated() where changed.contains(property) {
      bytes[position / 8] |= 0x80 >> (position % 8)
    }
    return bytes
  }

  private static func changes(_ rows: [[Binding]]) -> SyncMetadataTable {
    SyncMetadataTable(
      name: "ACHANGE",
      number: 16001,
      entity: "CHANGE",
      columns: [
        "ZCHANGETYPE INTEGER", "ZENTITY INTEGER", "ZENTITYPK INTEGER", "ZTRANSACTIONID INTEGER",
        "ZCOLUMNS BLOB", "ZTOMBSTONE0 BLOB",
      ],
      indexes: ["CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)"],
      version: .null,
      rows: rows
    )
  }

  /// Three saves: by the app, by the mirror, by the app again.
  ///
  /// Names stand in a table of their own; 1 is the app's bundle, 2 its process, 3 and 4 the
  /// authors.
  private static var transactions: SyncMetadataTable {
    let rows = [
      (3, Moment(2022, 5, 1, 17, 20, 5.125)), (4, Moment(2022, 5, 2, 6, 0, 31.5)),
      (3, Moment(2023, 1, 14, 11, 45)),
    ].map { author, moment -> [Binding] in
      [
        .integer(Int64(author)), .integer(1), .null, .integer(2), .real(moment.seconds),
        .null, .null, .null, .null, .null,
      ]
    }
    let table = "ATRANSACTION"
    let links = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
    return SyncMetadataTable(
      name: table,
      number: 16002,
      entity: "TRANSACTION",
      columns: links.map { "\($0) INTEGER" } + [
        "ZTIMESTAMP FLOAT", "ZAUTHOR VARCHAR", "ZBUNDLEID VARCHAR", "ZCONTEXTNAME VARCHAR",
        "ZPROCESSID VARCHAR", "ZQUERYGEN BLOB",
      ],
      indexes: links.map { "CREATE INDEX \(table)_\($0)_INDEX ON \(table) (\($0))" } + [
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON \(table) "
          + "(ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON \(table) "
          + "(ZTIMESTAMP COLLATE BINARY ASC)",
      ],
      version: .null,
      rows: rows
    )
  }

  private static var strings: SyncMetadataTable {
    SyncMetadataTable(
      name: "ATRANSACTIONSTRING",
      number: 16003,
      entity: "TRANSACTIONSTRING",
      columns: ["ZNAME VARCHAR"],
      indexes: [
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING "
          + "(ZNAME COLLATE BINARY ASC)"
      ],
      version: .null,
      rows: [
        "dev.example.kitchen", "Kitchen", "app", "NSCloudKitMirroringDelegate.import",
      ].map { [.text($0)] }
    )
  }
}
