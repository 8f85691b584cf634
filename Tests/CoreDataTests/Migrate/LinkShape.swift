/// How a model keeps links between entities `A` and `B`: which of them know them, and how many each may have.
enum LinkShape: String, CaseIterable {
  case aToOne = "A1"
  case aToMany = "A*"
  case bToOne = "B1"
  case bToMany = "B*"
  case oneToOne = "1|1"
  case manyToOne = "1|*"
  case oneToMany = "*|1"
  case oneToOrdered = "*o|1"
  case manyToMany = "*|*"
  case ordered = "*o|*o"

  /// What the two ends are called.
  struct Names {
    var there: String
    var back: String
    /// The renaming identifiers, where the names are others than before.
    var isRenamed = false
  }

  var hasThere: Bool { self != .bToOne && self != .bToMany }
  var hasBack: Bool { self != .aToOne && self != .aToMany }

  /// Whether an A may have one link at most, and whether a B may.
  var bounds: (a: Bool, b: Bool) {
    switch self {
    case .aToOne, .bToMany, .manyToOne: (true, false)
    case .aToMany, .bToOne, .oneToMany, .oneToOrdered: (false, true)
    case .oneToOne: (true, true)
    case .manyToMany, .ordered: (false, false)
    }
  }

  func holds(_ links: [[Int]]) -> Bool {
    (!bounds.a || Set(links.map { $0[0] }).count == links.count)
      && (!bounds.b || Set(links.map { $0[1] }).count == links.count)
  }

  /// As many links as this allows: of A, of B.
  var links: [[Int]] {
    switch bounds {
    case (true, true): [[1, 2], [2, 1]]
    case (true, false): [[1, 1], [2, 1]]
    case (false, true): [[1, 1], [1, 2]]
    case (false, false): [[1, 1], [1, 2], [2, 1]]
    }
  }

  /// The model's entities.
  func model(_ names: Names) -> String {
    let isOrdered = [.oneToOrdered, .ordered].contains(self)
    func end(_ name: String, _ old: String, to entity: String, back: String, isMany: Bool) -> String {
      let inverse =
        hasThere && hasBack ? "inverseName=\"\(back)\" inverseEntity=\"\(entity)\"" : ""
      let id = names.isRenamed ? "elementID=\"\(old)\"" : ""
      let count = isMany ? "toMany=\"YES\"" : "maxCount=\"1\""
      let order = isMany && isOrdered ? "ordered=\"YES\"" : ""
      return
        "<relationship name=\"\(name)\" optional=\"YES\" \(count) \(order) \(id) destinationEntity=\"\(entity)\" \(inverse)/>"
    }
    let manyThere = !bounds.a && self != .bToOne
    let manyBack = !bounds.b && self != .aToOne
    let (there, back) = (
      end(names.there, "bs", to: "B", back: names.back, isMany: manyThere || self == .aToMany),
      end(names.back, "as", to: "A", back: names.there, isMany: manyBack || self == .bToMany)
    )
    let attribute = #"<attribute name="n" optional="YES" attributeType="String"/>"#
    return """
      <entity name="A">\(attribute)\(hasThere ? there : "")</entity>
      <entity name="B">\(attribute)\(hasBack ? back : "")</entity>
      """
  }

  /// Statements that put links into a store, with the names `bs` and `as`.
  func insertions(_ links: [[Int]]) -> String {
    links.map { link in
      let (a, b) = (link[0], link[1])
      return switch self {
      case .aToOne, .manyToOne: "UPDATE ZA SET ZBS = \(b) WHERE Z_PK = \(a)"
      case .oneToOne:
        "UPDATE ZA SET ZBS = \(b) WHERE Z_PK = \(a); UPDATE ZB SET ZAS = \(a) WHERE Z_PK = \(b)"
      case .bToOne, .oneToMany: "UPDATE ZB SET ZAS = \(a) WHERE Z_PK = \(b)"
      case .oneToOrdered: "UPDATE ZB SET ZAS = \(a), Z_FOK_AS = \(b * 1024) WHERE Z_PK = \(b)"
      case .aToMany: "UPDATE ZB SET Z1BS = \(a) WHERE Z_PK = \(b)"
      case .bToMany: "UPDATE ZA SET Z2AS = \(b) WHERE Z_PK = \(a)"
      case .manyToMany: "INSERT INTO Z_1BS (Z_1AS, Z_2BS) VALUES (\(a), \(b))"
      case .ordered: "INSERT INTO Z_1BS VALUES (\(a), \(b), \(a * 1024), \(b * 1024))"
      }
    }.joined(separator: ";")
  }

  /// What reads the links of a store, as pairs of A and B.
  func query(_ names: Names) -> String {
    let (there, back) = (names.there.uppercased(), names.back.uppercased())
    return switch self {
    case .aToOne, .manyToOne: "SELECT Z_PK, Z\(there) FROM ZA WHERE Z\(there) NOT NULL"
    case .oneToOne:
      """
      SELECT Z_PK, Z\(there) FROM ZA WHERE Z\(there) NOT NULL
      UNION SELECT Z\(back), Z_PK FROM ZB WHERE Z\(back) NOT NULL
      """
    case .bToOne, .oneToMany, .oneToOrdered:
      "SELECT Z\(back), Z_PK FROM ZB WHERE Z\(back) NOT NULL"
    case .aToMany: "SELECT Z1\(there), Z_PK FROM ZB WHERE Z1\(there) NOT NULL"
    case .bToMany: "SELECT Z_PK, Z2\(back) FROM ZA WHERE Z2\(back) NOT NULL"
    case .manyToMany, .ordered: "SELECT Z_1\(back), Z_2\(there) FROM Z_1\(there)"
    }
  }
}
