import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Every entity of every real store is written to: what was sound stays so.
@Suite(.enabled(if: Fixtures.areAvailable, "the folder of fixtures is not there"))
struct FixtureWritingTests {
  /// What a store may rightly refuse.
  private static let refusals: Set<DecantError.Code> = [
    .constraintViolated, .unsupportedContent, .objectNotFound, .unsupportedModel,
  ]

  @Test(arguments: GroundTruth.names(from: 2))
  func `inserting, updating and deleting leaves a real store sound`(_ name: String) throws {
    let truth = try GroundTruth(of: name)
    let folder = try TemporaryFolder()
    let path = try Fixtures.copyStore(truth.file, into: folder.url).path
    func inspected() throws -> Inspection {
      var inspect = Inspect(path)
      inspect.model = truth.model
      return try inspect.run()
    }
    let before = try inspected()
    let store = try Store(StoreKinds.location(path), model: truth.model)
    var policy = WritePolicy()
    policy.writesMirroredStores = true
    var (deleted, refused) = (0, 0)
    for entity in store.model.entities where !entity.isAbstract {
      func trying(_ body: (WriteBlock) throws -> Bool) throws -> Bool {
        do {
          return try store.write(policy, body)
        } catch let error as DecantError where Self.refusals.contains(error.code) {
          refused += 1
          return false
        }
      }
      _ = try trying { block in
        let values = try Self.values(for: entity.name, store.model, block)
        guard let values else { return false }
        try block.insert(entity.name) { draft in for (name, value) in values { draft[name] = value } }
        return true
      }
      _ = try trying { block in
        let texts = store.model.attributes(of: entity.name).filter {
          $0.type == .string && !$0.isDerived && !$0.isTransient
        }
        guard let text = texts.first, let first = try block.objects(entity.name).first()?.id else { return false }
        return try block.update(block.objects(entity.name).filter { $0.id == ObjectID(first.key) }) {
          $0[text.name] = .text("changed \(first.key)")
        } == 1
      }
      let isDeleted = try trying { block in
        guard let first = try block.objects(entity.name).first()?.id else { return false }
        return try block.delete(block.objects(entity.name).filter { $0.id == ObjectID(first.key) }) == 1
      }
      if isDeleted { deleted += 1 }
    }
    #expect(try Program.sqlite3(path, "PRAGMA integrity_check") == "ok")
    let after = try inspected()
    #expect(Set(after.problems.map(\.kind.rawValue)).subtracting(before.problems.map(\.kind.rawValue)) == [])
    #expect(after.danglingCount <= before.danglingCount)
    if before.objectCount > 0 { #expect(deleted + refused > 0) }
  }

  /// Values for what the model requires; `nil` where a required link has nothing to lead to.
  static func values(for entity: String, _ model: DataModel, _ block: WriteBlock) throws -> [String:
    StoreValue]?
  {
    var values: [String: StoreValue] = [:]
    for attribute in model.attributes(of: entity)
    where !attribute.isOptional && !attribute.isTransient && !attribute.isDerived && attribute.defaultValue == nil {
      let least = attribute.rules.minimum
      values[attribute.name] =
        switch attribute.type {
        case .string: .text("a new text")
        case .integer16, .integer32, .integer64: least ?? .integer(1)
        case .boolean: .integer(1)
        case .double, .float, .decimal: least ?? .double(1.5)
        case .date: .date(1)
        case .uuid: .uuid((0..<16).map { _ in UInt8.random(in: 0...255) })
        case .uri: .uri("file:///a")
        case .binary, .transformable: .binary([1, 2, 3])
        case .undefined, .objectID, .composite: .null
        }
    }
    for relationship in model.relationships(of: entity) where !relationship.isOptional && !relationship.isToMany {
      guard let target = try block.objects(relationship.destination).first()?.id else { return nil }
      values[relationship.name] = .integer(target.key)
    }
    return values
  }
}
