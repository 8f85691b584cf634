internal import Decant
internal import Foundation
package import TestSupport

/// A store of a random model with random rows, and how many links were put into it.
package struct RandomStore {
  package let folder: TemporaryFolder
  package let path: String
  package let model: String
  /// Keys beside objects, and rows of link tables.
  package private(set) var keyCount = 0
  package private(set) var linkRowCount = 0

  private var generator: SeededGenerator
  private var keys: [String: [(key: Int64, entity: Relation.EntityCode)]] = [:]

  /// Draws the model from `seed`, and the rows too, unless they have a seed of their own.
  package init(seed: UInt64, rowSeed: UInt64? = nil) throws {
    folder = try TemporaryFolder()
    path = folder.path("random.sqlite")
    model = folder.path("Random.xcdatamodel")
    generator = SeededGenerator(seed: seed)
    let drawn = RandomModel(generator)
    if let rowSeed { generator = SeededGenerator(seed: rowSeed) }
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try Data(drawn.xml.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    try makeTables(drawn.model)
    var options = CopyOptions()
    options.model = model
    let layout = try StoreKinds.known.openSource(StoreKinds.location(path), options: options).layout
    let sql = rows(of: layout, in: drawn.model)
    let script = folder.path("rows.sql")
    try Data("BEGIN; \(sql.joined(separator: ";\n")); COMMIT".utf8)
      .write(to: URL(fileURLWithPath: script))
    _ = try Program.sqlite3(path, ".read '\(script)'")
  }

  private func makeTables(_ model: Model) throws {
    let schema = GeneratedSchema(model)
    let statements =
      Array(schema.statements("table").values) + Array(schema.statements("index").values)
    let entities = model.entities.map { entity in
      let parent = entity.superentity.flatMap { schema.numbers[$0] } ?? 0
      return
        "INSERT INTO Z_PRIMARYKEY VALUES (\(schema.numbers[entity.name] ?? 0), '\(entity.name)', \(parent), 0)"
    }
    let metadata = "INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000002', NULL)"
    _ = try Program.sqlite3(path, (statements + entities + [metadata]).joined(separator: ";\n"))
  }

  private mutating func rows(of layout: Layout, in model: Model) -> [String] {
    for relation in layout.relations where !relation.entities.isEmpty {
      var used: Set<Int64> = []
      for _ in 0..<Int.random(in: 0...12, using: &generator) {
        used.insert(Int64.random(in: 1...40, using: &generator))
      }
      keys[relation.root] = used.sorted().map { key in
        (key, relation.entities[Int.random(in: relation.entities.indices, using: &generator)])
      }
    }
    var sql: [String] = []
    for relation in layout.relations {
      for (key, entity) in keys[relation.root] ?? [] {
        sql.append(row(key, entity, of: relation, in: model))
      }
      sql.append(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT ifnull(max(Z_PK), 0) FROM \"\(relation.table)\") "
          + "WHERE Z_NAME = '\(relation.root)'"
      )
    }
    for links in layout.linkRelations { sql += rows(of: links, in: model) }
    return sql
  }

  /// Objects that `property` may lead to.
  private func targets(of entity: String, in model: Model) -> [(key: Int64, entity: Relation.EntityCode)] {
    let family = Set(model.family(of: entity).map(\.name))
    return (keys[model.root(of: entity)?.name ?? ""] ?? []).filter {
      family.contains($0.entity.name)
    }
  }

  private func relationship(_ property: Property, in model: Model) -> Relationship? {
    model[property.entity]?.relationships.first { $0.name == property.name }
  }

  private mutating func row(
    _ key: Int64,
    _ entity: Relation.EntityCode,
    of relation: Relation,
    in model: Model
  ) -> String {
    var cells = ["Z_PK": "\(key)", "Z_ENT": "\(entity.code)", "Z_OPT": "1"]
    for column in relation.columns where column.onlyIn?.contains(entity.code) ?? true {
      switch column.columnRole {
      case .attribute: cells[column.name] = value(column)
      case .target(let property), .owner(let property):
        guard let relationship = relationship(property, in: model) else { continue }
        // An owner is of the entity that declares the relationship, a target of its destination.
        var end = relationship.destination
        if case .owner = column.columnRole { end = property.entity }
        guard let target = targets(of: end, in: model).randomElement(using: &generator),
          Int.random(in: 0..<4, using: &generator) > 0
        else { continue }
        keyCount += 1
        cells[column.name] = "\(target.key)"
        for companion in relation.columns {
          switch companion.columnRole {
          case .targetEntity(property): cells[companion.name] = "\(target.entity.code)"
          case .position(property), .ownerPosition(property):
            cells[companion.name] = "\(Int.random(in: -5...5, using: &generator))"
          default: continue
          }
        }
      default: continue
      }
    }
    let columns = cells.keys.sorted()
    return
      "INSERT INTO \"\(relation.table)\" (\(columns.map { "\"\($0)\"" }.joined(separator: ", "))) "
      + "VALUES (\(columns.compactMap { cells[$0] }.joined(separator: ", ")))"
  }

  private mutating func value(_ column: RelationColumn) -> String {
    guard Bool.random(using: &generator) else { return "NULL" }
    let number = Int.random(in: -1000...1000, using: &generator)
    return switch column.type {
    case .boolean: "\(number & 1)"
    case .double, .float, .date, .decimal: "\(Double(number) / 8)"
    case .string, .uri: "'text \(number)'"
    case .binary where column.isExternal: "x'01\(String(format: "%06x", number & 0xffffff))'"
    case .uuid, .binary, .transformable: "x'\(String(format: "%08x", number & 0xffff))'"
    default: "\(number)"
    }
  }

  private mutating func rows(of links: LinkRelation, in model: Model) -> [String] {
    guard let inverse = links.inverse else { return [] }
    let owners = targets(of: links.relationship.entity, in: model)
    let ends = targets(of: inverse.entity, in: model)
    var sql: [String] = []
    for owner in owners {
      for end in ends where Int.random(in: 0..<3, using: &generator) == 0 {
        linkRowCount += 1
        var columns = [links.ownerColumn, links.targetColumn]
        var values = ["\(owner.key)", "\(end.key)"]
        for position in [links.positionColumn, links.inversePositionColumn].compactMap(\.self) {
          columns.append(position)
          values.append("\(Int.random(in: 0...9, using: &generator))")
        }
        sql.append(
          "INSERT INTO \"\(links.table)\" (\(columns.joined(separator: ", "))) "
            + "VALUES (\(values.joined(separator: ", ")))"
        )
      }
    }
    return sql
  }
}
