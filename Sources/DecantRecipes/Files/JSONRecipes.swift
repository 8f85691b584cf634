internal import DecantRecipeFormats

/// Reads the recipes of a JSON document one by one: of every value that it contains, and of long lists in them.
///
/// A node of JSON-LD may refer to later ones. A recipe that does so is held until all are known. One that may be
/// completed by another node with its `@id` waits for the nodes near it. All other recipes are passed on as soon as
/// they have been read.
final class JSONRecipes {
  /// The closures that receive what is found.
  struct Takers {
    /// Receives an object and takes the recipes that it is or contains; returns `false` if there are none.
    let object: (DocumentValue) throws -> Bool
    /// Receives a schema.org node that is a recipe.
    let node: (DocumentValue) throws -> Void
    /// Receives the reason that something is not a recipe.
    let fault: (RecipeFault) throws -> Void
    /// Receives other warnings.
    let warning: (String) -> Void
  }

  /// The nodes in the scripts of a page, to which recipes in any of its scripts may refer.
  final class Page {
    fileprivate private(set) var nodes: [String: DocumentValue] = [:]
    /// Recipes that refer to nodes which no script so far has, with the `@id` of these.
    private var pending: [(recipe: DocumentValue, missing: Set<String>)] = []
    /// The bytes of memory that `nodes` and `pending` may still use, and their number.
    private var (room, count) = (4 << 20, 500)

    private func hasRoom(for value: DocumentValue) -> Bool {
      let byteCount = value.byteCount
      guard !value.isLong, byteCount <= room, count > 0 else { return false }
      room -= byteCount
      count -= 1
      return true
    }

    /// Notes what a script has: nodes by their `@id`, and recipes that refer to some.
    fileprivate func note(_ nodes: [String: DocumentValue], _ recipes: [DocumentValue]) {
      for (id, node) in nodes.sorted(by: { $0.key < $1.key })
      where self.nodes[id] == nil && SchemaRecipe.recipes(in: node).isEmpty && hasRoom(for: node) {
        self.nodes[id] = node
      }
      for recipe in recipes {
        let missing = SchemaRecipe.Graph(recipe).missing.subtracting(self.nodes.keys)
        if !missing.isEmpty, hasRoom(for: recipe) { pending.append((recipe, missing)) }
      }
    }

    /// The recipes, complete at last, that refer to nodes in later scripts.
    var completed: [DocumentValue] {
      let recipes = pending.filter { !$0.missing.isDisjoint(with: nodes.keys) }.map(\.recipe)
      return recipes.isEmpty ? [] : SchemaRecipe.recipes(in: .array(recipes + nodes.values))
    }
  }

  private let document: JSONDocument
  private let page: Page?
  private let spool: TextSpool
  private let takers: Takers
  /// Recipes that refer to other nodes, in order; with `nodes`, they use `byteCount` bytes of memory.
  private var held: [DocumentValue] = []
  /// Nodes that may be referred to, by their `@id`.
  private var nodes: [String: DocumentValue] = [:]
  private var byteCount = 0
  private var isFull = false
  /// Recipes that another node with their `@id` may complete, in order, and the bytes of memory that they use.
  private var waiting: [DocumentValue] = []
  private var waitingByteCount = 0
  /// The maximum number of bytes between nodes that complete each other.
  private static let waitingLimit = 1 << 20
  /// The identities of the recipes that were passed on, as defined by `SchemaRecipe.identity`.
  private var seen: Set<String> = []

  /// Prepares to read a document, which may be a script of a page.
  init(_ document: JSONDocument, of page: Page? = nil, spool: TextSpool, _ takers: Takers) {
    (self.document, self.page, self.spool, self.takers) = (document, page, spool, takers)
  }

  /// Reads all values of the document; returns `false` if they contain no recipe.
  ///
  /// - Throws: `RecipeFault` if the first of them is not valid JSON, and errors from the takers.
  func read() throws -> Bool {
    let mark = spool.mark
    defer { spool.clear(from: mark) }
    var found = try readValue()
    do {
      while let place = try document.next() {
        spool.clear(from: mark)
        guard try readValue(at: place, wasFound: found, &found) else { break }
      }
    } catch let fault as RecipeFault {
      takers.warning("the data after the recipes was not read: \(fault.message)")
    }
    return found
  }

  /// Reads a value that follows another; returns `false` if nothing after it can be read.
  private func readValue(at place: Int64, wasFound: Bool, _ found: inout Bool) throws -> Bool {
    let isStructure = try document.isAtStructure
    do {
      let isRecipe = try readValue()
      found = found || isRecipe
      if !isRecipe, wasFound {
        takers.warning("the data after the recipes, from byte \(place) on, is not a recipe")
      }
      return true
    } catch let fault as RecipeFault where isStructure {
      try takers.fault(fault)
      found = true
      return false
    }
  }

  /// Reads one value; returns `false` if it contains no recipe.
  private func readValue() throws -> Bool {
    (held, nodes, byteCount, isFull) = ([], page?.nodes ?? [:], 0, false)
    (waiting, waitingByteCount) = ([], 0)
    seen.removeAll()
    var found = false
    let rest = try document.read(streaming: ["recipes", "@graph"]) { key, element in
      switch element {
      case .success(let value):
        if try key == "recipes" ? takers.object(value) : take(value, isNode: key != nil) {
          found = true
        }
      case .failure(let fault):
        found = true
        try takers.fault(fault)
      }
    }
    let graph = SchemaRecipe.Graph(rest)
    let missing = graph.missing
    page?.note(nodes.merging(graph.referable) { first, _ in first }, missing.isEmpty ? held : [rest] + held)
    if !missing.isEmpty, !held.isEmpty || page != nil && !missing.isDisjoint(with: nodes.keys) {
      held.insert(rest, at: 0)
    } else if try takers.object(rest) {
      found = true
    }
    guard !held.isEmpty || !waiting.isEmpty else { return found }
    try takeNodes(in: .array(held + waiting + nodes.values))
    return true
  }

  /// Takes the recipes in an element of a list, unless they have to wait; returns `false` if there are none.
  private func take(_ value: DocumentValue, isNode: Bool) throws -> Bool {
    guard value.isObject else { return try isNode ? takeNodes(in: value) : takers.object(value) }
    let graph = SchemaRecipe.Graph(value)
    if !graph.missing.isEmpty, hold(document.byteCount) {
      document.keepElement()
      held.append(value)
      return true
    }
    if graph.isPartial {
      waiting.append(value)
      waitingByteCount += document.byteCount
      if waitingByteCount > Self.waitingLimit { try takeWaiting() }
      return true
    }
    for (id, node) in graph.referable
    where node.members.count > (nodes[id]?.members.count ?? 1) {
      guard hold(node.byteCount) else { break }
      nodes[id] = node
    }
    return try isNode ? takeNodes(graph.recipes) : takers.object(value)
  }

  /// Whether `count` more bytes may be held; warns once if they may not.
  private func hold(_ count: Int) -> Bool {
    if byteCount + count <= document.limits.byteCount {
      byteCount += count
      return true
    }
    if !isFull {
      takers.warning("it has too many objects that recipes can refer to: some references were dropped")
    }
    isFull = true
    return false
  }

  /// Takes the waiting recipes, with anything near them that completes them.
  private func takeWaiting() throws {
    try takeNodes(in: .array(waiting))
    (waiting, waitingByteCount) = ([], 0)
  }

  /// Takes the recipes in `value`, without duplicates; returns `false` if there are none.
  @discardableResult
  private func takeNodes(in value: DocumentValue) throws -> Bool { try takeNodes(SchemaRecipe.recipes(in: value)) }

  private func takeNodes(_ recipes: [DocumentValue]) throws -> Bool {
    for recipe in recipes {
      if let identity = SchemaRecipe.identity(of: recipe), !seen.insert(identity).inserted { continue }
      // A recipe with the same `@id` and no name is a duplicate, too.
      if let id = SchemaRecipe.id(of: recipe) { seen.insert(id) }
      try takers.node(recipe)
    }
    return !recipes.isEmpty
  }
}

extension DocumentValue {
  /// The approximate size in memory, in bytes.
  fileprivate var byteCount: Int {
    switch self {
    case .null, .bool, .number: 64
    case .text(.short(let text)): 64 + text.utf8.count
    case .text(.long): 64
    case .array(let elements): elements.reduce(64) { $0 + $1.byteCount }
    case .object(let members): members.reduce(64) { $0 + 64 + $1.0.utf8.count + $1.1.byteCount }
    }
  }
}
