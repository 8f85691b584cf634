import Decant
import StoreTestSupport
import TestSupport
import Testing

/// How much of each real store is made word for word: tables, indexes and triggers.
///
/// These are bounds from below: what was reached once must not be lost.
private let reached: [(store: String, tables: Int, indexes: Int, triggers: Int)] = [
  ("apple-recipes", 7, 4, 0),
  ("cartkit-cartstorage-v1", 6, 3, 0),
  ("cdp-samplemodel-v1", 5, 4, 0),
  ("cdp-samplemodel2-v2", 7, 6, 5),
  ("cdp-samplemodel3-v1", 4, 0, 0),
  ("cyface-v1", 6, 2, 0),
  ("cyface-v10", 7, 3, 0),
  ("cyface-v11", 8, 4, 0),
  ("cyface-v3", 5, 1, 0),
  ("cyface-v6", 6, 2, 0),
  ("ddg-bookmarks-v1", 4, 2, 0),
  ("ddg-bookmarks-v2", 4, 6, 0),
  ("ddg-bookmarks-v4", 5, 6, 0),
  ("easylife-1.5.0", 5, 1, 0),
  ("easylife-first", 5, 0, 0),
  ("issue4-model1", 4, 1, 0),
  ("moody-1", 5, 7, 0),
  ("moody-2", 5, 7, 0),
  ("moody-3", 5, 8, 0),
  ("moody-4", 6, 8, 0),
  ("moody-5", 5, 5, 0),
  ("photos-10.15.1", 57, 249, 0),
  ("photos-10.15.1-pgcurationcache", 6, 3, 0),
  ("photos-13.0.0", 38, 298, 4),
  ("photos-13.5.1-compare-2", 67, 298, 4),
  ("photos-cloud-10.15.1-pgcurationcache", 6, 3, 0),
  ("photos-raw-10.15.1-pgcurationcache", 6, 3, 0),
  ("photos-shared-10.15.1-pgcurationcache", 6, 3, 0),
  ("plaso-datausage", 12, 8, 0),
  ("plaso-knowledgec-10.13", 14, 19, 0),
  ("practical-version1", 4, 0, 0),
  ("tavant", 4, 1, 0),
  ("wibosco-1", 4, 0, 0),
  ("wibosco-2", 4, 0, 0),
  ("wire-1-24", 14, 23, 0),
  ("wire-1-28", 20, 34, 0),
  ("wire-2-101-0", 20, 53, 0),
  ("wire-2-21-1", 19, 33, 0),
  ("wire-2-3", 20, 34, 0),
  ("wire-2-31-0", 21, 44, 0),
  ("wire-2-52-0", 20, 56, 0),
  ("wire-2-75-0", 23, 50, 0),
  ("wire-2-90-0", 20, 59, 0),
  ("xcserver-1.2.0", 29, 87, 0),
  ("xcserver-1.2.0-empty", 29, 87, 0),
]

/// Tables that are not made as a store has them, though no migration changed them, and why.
private let knownTables: [String: [String: String]] = {
  let positions = "places in lists stand in an order that no rule was found for"
  let selfLinks = "which end names the table of an entity's links to itself is not known"
  let search = "the model does not ask for the R-tree"
  var known: [String: [String: String]] = [
    "easylife-1.5.0": ["Z_2BLOCKEDBY": selfLinks, "Z_2BLOCKING": selfLinks],
    "photos-10.15.1": [
      "ZCLOUDSHAREDCOMMENT": positions, "ZGENERICASSET": positions,
      "Z_RT_GenericAsset_boundedByRect": search,
    ],
    "photos-13.0.0": ["Z_RT_Asset_boundedByRect": search],
    "photos-13.5.1-compare-2": ["Z_RT_Asset_boundedByRect": search],
  ]
  for (store, number) in [
    ("wire-1-28", 0), ("wire-2-3", 0), ("wire-2-21-1", 15), ("wire-2-31-0", 18),
    ("wire-2-52-0", 18), ("wire-2-75-0", 19), ("wire-2-90-0", 25), ("wire-2-101-0", 24),
  ] {
    known[store, default: [:]]["ZMESSAGE"] = positions
    for end in ["IGNOREDBYCLIENTS", "IGNOREDCLIENTS", "TRUSTEDBYCLIENTS", "TRUSTEDCLIENTS"] {
      known[store, default: [:]]["Z_\(number)\(end)"] = selfLinks
    }
  }
  return known
}()

/// The stores that do not hold their model, and where it is.
private let models = [
  "tavant": "tavant/Model.xcdatamodeld", "issue4-model1": "issue4/Model.xcdatamodeld#Model1",
]

@Suite(.enabled(if: Fixtures.areAvailable)) struct SchemaFixtureTests {
  @Test func `every real store is looked at`() {
    #expect(Set(reached.map(\.store)) == Set(ExpectedStore.all.keys))
  }

  @Test(arguments: reached)
  func `what is made after a model is what real stores have, word for word`(
    _ reached: (store: String, tables: Int, indexes: Int, triggers: Int)
  ) throws {
    let real = try RealSchema(reached.store, model: models[reached.store])
    let made = GeneratedSchema(real.model, frameworkVersion: real.frameworkVersion)
    let comparison = try SchemaComparison(made, real)
    #expect(comparison.equalTables.count >= reached.tables)
    #expect(comparison.equalIndexes.count >= reached.indexes)
    #expect(comparison.equalTriggers.count >= reached.triggers)
    // What is not equal has a reason, or something is made wrongly.
    let known = knownTables[reached.store] ?? [:]
    for name in comparison.sameTables + comparison.differentTables where known[name] == nil {
      #expect(real.isMigrated(name) && comparison.sameTables.contains(name), "\(name)")
    }
    for name in comparison.differentIndexes + comparison.missingIndexes {
      #expect(real.reason(forIndex: name, known: Set(known.keys)) != nil, "\(name)")
    }
    for name in comparison.extraIndexes {
      let table = known.keys.first { name.hasPrefix($0 + "_") }
      #expect(table != nil || name == "ZGENERICASSET_Z_ENT_INDEX", "\(name)")
    }
    // Photos has counters and an R-tree that its model does not speak of.
    for name in comparison.differentTriggers {
      #expect(["ZT_", "Z_RT_"].contains { name.hasPrefix($0) }, "\(name)")
    }
    #expect(made.notMade.isEmpty)
    #expect(made.leftOut.isEmpty)
  }

  @Test(arguments: [
    ("ddg-bookmarks-v4", "ddg/BookmarksModel.xcdatamodeld#BookmarksModel 4"),
    ("moody-3", "moody/Moody.xcdatamodeld#Moody 3"),
    ("wire-2-75-0", "wire/zmessaging.xcdatamodeld#2.75.0"),
    ("cdp-samplemodel-v1", "coredataplus/SampleModel.momd#SampleModel"),
  ])
  func `a model beside the store asks for the same indexes`(_ pair: (store: String, model: String)) throws {
    let real = try RealSchema(pair.store)
    let beside = try RealSchema(pair.store, model: pair.model)
    // A cache has the index of a single attribute twice, as a fetch index and as a mark.
    let names = [real, beside].map { schema in
      GeneratedSchema(schema.model, frameworkVersion: schema.frameworkVersion).statements("index")
    }
    let marks = names[0].filter { names[1][$0.key] == nil }.keys
    #expect(marks.allSatisfy { $0 == "Z_BookmarkEntity_isPendingDeletion" }, "\(marks)")
    #expect(names[1].allSatisfy { names[0][$0.key] == $0.value })
    #expect(!names[1].isEmpty)
  }
}

extension RealSchema {
  /// Whether an in-place migration changed a table: it appends columns, or renames the table.
  fileprivate func isMigrated(_ table: String) -> Bool {
    let sql = statements["table"]?[table] ?? ""
    return sql.hasPrefix("CREATE TABLE \"") || sql.contains(" , ")
  }

  /// Why an index of the store is not made as it is, or `nil` if there is no reason.
  fileprivate func reason(forIndex name: String, known tables: Set<String>) -> String? {
    let sql = statements["index"]?[name] ?? ""
    if name.hasPrefix("RADAR_") { return "made by the app itself" }
    if name == "ZADDRESSBOOKENTRY_ZLOCALIDENTIFIER_INDEX" { return "left from an older framework" }
    if sql.contains("WHERE  ") { return "the framework of its time wrote two blanks" }
    if tables.contains(where: { name.hasPrefix($0 + "_") }) { return "on a table that is known" }
    if isMigratedIndex(name, sql) { return "named, or its table quoted, by a migration" }
    if isFlag(name) { return "an indexed attribute's, which fetch indexes have replaced" }
    return nil
  }

  /// Whether an index of a link table has a name of other numbers than its table and columns.
  private func isMigratedIndex(_ name: String, _ sql: String) -> Bool {
    if sql.contains(" ON \"Z_") { return true }
    guard let match = sql.firstMatch(of: /^CREATE INDEX (\S+) ON (Z_\S+) \((\S+), \S+\)$/) else {
      return false
    }
    return match.1 == name && name != "\(match.2)_\(match.3)_INDEX"
  }

  /// Whether an index is `Z_<Entity>_<attribute>` for an attribute that is marked as indexed.
  private func isFlag(_ name: String) -> Bool {
    model.entities.contains { entity in
      entity.attributes.contains { $0.isIndexed && name == "Z_\(entity.name)_\($0.name)" }
    }
  }
}
