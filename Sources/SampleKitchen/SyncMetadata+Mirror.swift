import DecantSQLite

extension SyncMetadata {
  /// The bookkeeping of a mirror in CloudKit: which record stands for which object.
  ///
  /// The tables and the columns that point at objects have the names that apps know them by. No
  /// store with a real mirror is public, so their numbers from 17001 on are a guess.
  static func mirror(of graph: ObjectGraph) -> [SyncMetadataTable] {
    [database, event, entry, records(of: graph), zone]
  }

  private static func records(of graph: ObjectGraph) -> SyncMetadataTable {
    let rows = graph.objects.filter { ["Recipe", "Tag"].contains($0.reference.entity) }
      .map { object -> [Binding] in
        let (entity, key) = (object.reference.entity, object.reference.key)
        return [
          .integer(graph.schema.number(of: entity)), .integer(key),
          .integer(object.version > 1 ? 1 : 0), .integer(1),
          .text(Identifier.text("record \(entity) \(key)")),
        ]
      }
    return SyncMetadataTable(
      name: "ANSCKRECORDMETADATA",
      number: 17004,
      entity: "NSCKRecordMetadata",
      columns: [
        "ZENTITYID INTEGER", "ZENTITYPK INTEGER", "ZNEEDSUPLOAD INTEGER", "ZRECORDZONE INTEGER",
        "ZCKRECORDNAME VARCHAR",
      ],
      indexes: [
        "CREATE UNIQUE INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK "
          + "ON ANSCKRECORDMETADATA (ZENTITYID COLLATE BINARY ASC, ZENTITYPK COLLATE BINARY ASC)"
      ],
      version: .integer(1),
      rows: rows,
      deleted: 1
    )
  }

  private static var database: SyncMetadataTable {
    SyncMetadataTable(
      name: "ANSCKDATABASEMETADATA",
      number: 17001,
      entity: "NSCKDatabaseMetadata",
      columns: ["ZDATABASENAME VARCHAR", "ZCURRENTCHANGETOKEN BLOB"],
      version: .integer(2),
      rows: [[.text("Private"), .blob(Identifier.bytes("change token"))]]
    )
  }

  private static var event: SyncMetadataTable {
    let start = Moment(2022, 5, 2, 6, 0, 30)
    return SyncMetadataTable(
      name: "ANSCKEVENT",
      number: 17002,
      entity: "NSCKEvent",
      columns: [
        "ZCLOUDKITEVENTTYPE INTEGER", "ZSUCCEEDED INTEGER", "ZENDEDAT TIMESTAMP",
        "ZSTARTEDAT TIMESTAMP",
      ],
      version: .integer(2),
      rows: [
        [.integer(1), .integer(1), .real(start.after(2.5).seconds), .real(start.seconds)]
      ]
    )
  }

  private static var entry: SyncMetadataTable {
    SyncMetadataTable(
      name: "ANSCKMETADATAENTRY",
      number: 17003,
      entity: "NSCKMetadataEntry",
      columns: ["ZKEY VARCHAR", "ZSTRINGVALUE VARCHAR"],
      version: .integer(1),
      rows: [[.text("sample.identity"), .text(Identifier.text("account"))]]
    )
  }

  private static var zone: SyncMetadataTable {
    SyncMetadataTable(
      name: "ANSCKRECORDZONEMETADATA",
      number: 17005,
      entity: "NSCKRecordZoneMetadata",
      columns: ["ZDATABASE INTEGER", "ZCKOWNERNAME VARCHAR", "ZCKRECORDZONENAME VARCHAR"],
      version: .integer(1),
      rows: [
        [.integer(1), .text("__defaultOwner__"), .text("com.apple.coredata.cloudkit.zone")]
      ]
    )
  }
}
