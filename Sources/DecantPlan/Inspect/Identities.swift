internal import DecantBase
internal import DecantStore
internal import DecantSQLite

/// A search for attributes that identify the objects of an entity.
struct Identities {
  let model: Model
  let layout: Layout
  let schema: String
  let connection: Connection
  /// Whether values can be compared.
  var canCompare = true

  /// Returns the candidates among the attributes that `entity` declares itself.
  ///
  /// First the uniqueness constraints of the model; then attributes whose name suggests a key and whose values exist
  /// and are different in all objects that inherit them. With one object alone the values are no evidence.
  func candidates(of entity: String, _ census: Census) throws(SQLiteError) -> [IdentityCandidate] {
    guard let entity = model[entity] else { return [] }
    var candidates = entity.uniquenessConstraints.map {
      IdentityCandidate(attributes: $0, reason: .constraint)
    }
    let objectCount = census.objectCount(ofFamily: entity.name)
    guard objectCount > 1 else { return candidates }
    for attribute in entity.attributes
    where canCompare && attribute.mayBeKey
      && !entity.uniquenessConstraints.contains([attribute.name])
    {
      let property = Property(entity.name, attribute.name)
      guard census.valueCount(of: property) == objectCount, try isDistinct(property) else {
        continue
      }
      candidates.append(IdentityCandidate(attributes: [attribute.name], reason: .values))
    }
    return candidates
  }

  private func isDistinct(_ property: Property) throws(SQLiteError) -> Bool {
    guard let root = model.root(of: property.entity), let relation = layout.relation(of: root.name),
      let column = relation.column(.attribute(property))
    else { return false }
    var select = SelectStatement(columns: ["1"], source: relation.sqlTable(in: schema))
    if let codes = column.onlyIn, let entityCode = relation.entityCode() {
      select.conditions = ["+\(entityCode) IN (\(codes.list))"]
    }
    let groups = "\(select.sql) GROUP BY \(column.name.sqlName) HAVING count(*) > 1"
    return try connection.integer("SELECT EXISTS (\(groups))") == 0
  }
}

extension Attribute {
  /// Whether name and type suggest a key, such as `uuid`, `remoteIdentifier` or `recipeID`.
  package var mayBeKey: Bool {
    guard !isTransient else { return false }
    switch type {
    case .string, .uuid, .uri, .integer16, .integer32, .integer64, .binary: break
    case .undefined, .decimal, .double, .float, .boolean, .date, .transformable, .objectID,
      .composite:
      return false
    }
    return !Attribute.wordsOfKeys.isDisjoint(with: name.words)
  }

  /// Returns whether the name suggests the key of an object of `entity` itself, as `id`, `remoteIdentifier` or, for a
  /// recipe, `recipeID`: `note_id` of an alarm is the key of a note.
  package func mayBeOwnKey(of entity: String) -> Bool {
    mayBeKey
      && Set(name.words).subtracting(Attribute.wordsOfKeys).subtracting(Attribute.wordsOfOwnKeys).isSubset(
        of: entity.words)
  }

  /// The words that may accompany the word for a key without naming another object.
  private static let wordsOfOwnKeys: Set<String> = [
    "z", "remote", "server", "cloud", "external", "local", "global", "unique", "universal", "public", "stable",
    "persistent",
    "my", "own", "sync",
  ]

  private static let wordsOfKeys: Set<String> = [
    "id", "uid", "uuid", "guid", "udid", "identifier", "key", "slug",
  ]
}

extension String {
  /// The words of a name in camel case or with underscores, in lower case.
  fileprivate var words: [String] {
    var words: [String] = []
    var word = ""
    var wasLower = false
    for character in self {
      if character == "_" || (character.isUppercase && wasLower) {
        words.append(word)
        word = ""
      }
      if character != "_" { word += character.lowercased() }
      wasLower = character.isLowercase || character.isNumber
    }
    return words + [word]
  }
}
