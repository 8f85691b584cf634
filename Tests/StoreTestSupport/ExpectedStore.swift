package import Decant
internal import Foundation
internal import DecantPropertyList
internal import TestSupport
internal import Testing

/// What `expected.json` says of a store; an independent reader wrote it.
package struct ExpectedStore: Decodable, Sendable {
  package struct Entity: Decodable, Sendable {
    package var z_ent: Int
    package var `super`: String?
    package var abstract: Bool?
    package var attributes: [String: String]
    package var relationships: [String: Relationship]
    package var unique: [[String]]?
  }

  package struct Relationship: Decodable, Sendable {
    package var to: String
    package var inverse: String?
    package var many: Bool
    package var ordered: Bool
    package var rule: String
  }

  package var file: String
  package var modelCache: String
  package var entities: [String: Entity]

  /// All stores by name; none where there are no fixtures.
  package static let all: [String: ExpectedStore] = {
    guard let file = Fixtures.stores?.appendingPathComponent("expected.json"),
      let content = try? Data(contentsOf: file)
    else { return [:] }
    return (try? JSONDecoder().decode([String: ExpectedStore].self, from: content)) ?? [:]
  }()

  /// The names of the stores that carry a model.
  package static let namesWithModel = all.filter { $0.value.modelCache == "yes" }.keys.sorted()

  /// Reads the model cache of a store, with the version hashes of its metadata.
  package static func readModel(_ name: String) throws -> Model {
    let expected = try #require(all[name])
    let folder = try TemporaryFolder()
    let store = try Fixtures.copyStore(expected.file, into: folder.url).path
    let metadata = try PropertyList.read(bytes(store, "SELECT hex(Z_PLIST) FROM Z_METADATA"))
    var hashes: [String: [UInt8]] = [:]
    if case .dictionary(let entries) = metadata,
      case .dictionary(let list)? = entries["NSStoreModelVersionHashes"]
    {
      hashes = list.compactMapValues { if case .data(let hash) = $0 { hash } else { nil } }
    }
    let content = try bytes(store, "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE")
    return try ModelCache.read(content, versionHashes: hashes, place: name)
  }

  private static func bytes(_ store: String, _ sql: String) throws -> [UInt8] {
    let digits = try Program.sqlite3(store, sql).compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] * 16 + digits[$0 + 1])
    }
  }
}

extension Decant.Model {
  /// The entities line by line, so that a difference shows what differs.
  package var lines: [String] {
    entities.flatMap { entity -> [String] in
      var lines = ["\(entity.name): \(entity.superentity ?? "-") \(entity.isAbstract)"]
      lines += entity.uniquenessConstraints.map { "\(entity.name) unique \($0)" }.sorted()
      if let renaming = entity.renamingIdentifier { lines.append("\(entity.name) was \(renaming)") }
      lines += entity.attributes.map { "\(entity.name).\($0.name) \($0.line)" }
      lines += entity.relationships.map { "\(entity.name).\($0.name) \($0.line)" }
      return lines
    }
  }
}

extension Attribute {
  /// The type and the flags as `expected.json` has them.
  package var summary: String {
    var summary = type.name
    if isOptional { summary += "?" }
    if allowsExternalStorage { summary += " external" }
    if isDerived { summary += " derived" }
    if isTransient { summary += " transient" }
    return summary
  }

  fileprivate var line: String {
    var line = summary
    if let defaultValue { line += " = \(defaultValue)" }
    if !rules.isEmpty { line += " \(rules)" }
    if let valueTransformer { line += " by \(valueTransformer)" }
    if let renamingIdentifier { line += " was \(renamingIdentifier)" }
    if let versionHashModifier { line += " # \(versionHashModifier)" }
    if let derivation { line += " from \(derivation)" }
    if isPreservedInHistory { line += " preserved" }
    if !userInfo.isEmpty { line += " \(userInfo)" }
    return line
  }
}

extension Decant.Relationship {
  fileprivate var line: String {
    var line = "\(isToMany ? "many" : "one") \(destination) \(inverse ?? "-") \(deleteRule)"
    if isOptional { line += " ?" }
    if isOrdered { line += " ordered" }
    if isTransient { line += " transient" }
    line += " \(minCount)...\(maxCount)"
    if let renamingIdentifier { line += " was \(renamingIdentifier)" }
    if let versionHashModifier { line += " # \(versionHashModifier)" }
    if !userInfo.isEmpty { line += " \(userInfo)" }
    return line
  }
}
