package import DecantBase
internal import DecantStore

/// How the objects of one entity are shown: which attribute is the title, which ones are shown as text and which as
/// values, and where the edges from them lead.
///
/// All of it is derived from the model: from types, delete rules and names.
package struct PageShape {
  let entity: String
  /// The name for a reader.
  let label: String
  /// The index of its relation in the layout.
  let relation: Int
  /// Columns of the relation, by their role for a reader; the title and the line below it.
  private(set) var title: Int?
  private(set) var lead: Int?
  private(set) var bodies: [Int] = []
  private(set) var values: [Int] = []
  private(set) var asides: [Int] = []
  private(set) var binaries: [Int] = []
  /// The name of each column that is shown.
  private(set) var names: [Int: PageName] = [:]
  package private(set) var types: [Int: AttributeType] = [:]
  /// The units of columns that hold times.
  var units: [Int: TimeUnit] = [:]
  var edges: [PageEdge]
  /// The roles of its properties in a recipe, if it resembles one.
  var recipe: RecipeShape?
  /// Whether the objects are pictures: bytes, with at most a caption.
  private(set) var isPicture = false

  /// Determines how `entity` is shown.
  init(_ entity: String, in relation: Int, model: Model, layout: Layout, leavingOut: Set<Property>, edges: [PageEdge]) {
    self.entity = entity
    label = PageName(entity).label
    self.relation = relation
    self.edges = edges
    let lineage = Set(model.lineage(of: entity).map(\.name))
    var shown: [(column: Int, name: PageName, type: AttributeType)] = []
    for (position, column) in layout.relations[relation].columns.enumerated() {
      guard case .attribute(let property) = column.columnRole, lineage.contains(property.entity),
        !leavingOut.contains(property)
      else { continue }
      shown.append((position, PageName(property.name), column.type ?? .binary))
    }
    // The order of columns in tables is deliberate, whereas Core Data's are sorted by type.
    if !model.isFromTables { shown.sort { $0.name.joined < $1.name.joined } }
    for (column, name, type) in shown {
      names[column] = name
      types[column] = type
      units[column] = TimeUnit(name)
    }
    let texts = shown.filter { $0.type == .string }
    title =
      PageWords.titles.lazy.compactMap { word in texts.first { $0.name.joined == word } }.first?
      .column
    isPicture =
      shown.contains { $0.type == .binary || $0.type == .transformable }
      && !edges.contains(where: \.isOwning)
      && texts.allSatisfy { text in
        text.column == title || text.name.has(PageWords.pictureFacts) || text.name.isInternal
          || text.name.has(["caption", "name"]) || text.name.isOne(of: PageWords.pictureFacts)
      }
    for (column, name, type) in shown where column != title { place(column, name, type) }
    // In decant's own recipes, the app that a recipe came from is for programs only.
    if texts.contains(where: { $0.name.joined == "fingerprint" }) {
      values.removeAll { names[$0].map { ["format", "page"].contains($0.joined) } == true }
    }
    if title == nil, let first = values.first(where: { types[$0] == .string }) {
      title = first
      values.removeAll { $0 == first }
    }
  }

  private mutating func place(_ column: Int, _ name: PageName, _ type: AttributeType) {
    switch type {
    case .uuid, .objectID: return
    case .binary, .transformable: binaries.append(column)
    case .undefined, .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, .date,
      .string, .uri, .composite:
      let isInternal =
        name.isInternal
        || (type.isWhole
          && (name.isOne(of: PageWords.positions) || name.words.last == "position"))
      let isFact = isPicture && name.isOne(of: PageWords.pictureFacts)
      if isInternal || isFact { return }
      if type == .string, lead == nil, name.isOne(of: PageWords.leads) {
        lead = column
      } else if name.has(PageWords.asides) {
        asides.append(column)
      } else if type == .string, name.has(PageWords.bodies) {
        bodies.append(column)
      } else {
        values.append(column)
      }
    }
  }

  /// The columns of times with fractions whose names do not state a unit.
  var intervals: [Int] {
    names.filter { column, name in
      (types[column] == .double || types[column] == .float) && units[column] == nil
        && name.has(RecipeWords.times)
    }
    .map(\.key)
  }

  /// Whether an object fits on a line: it has no long text, no parts, and no bytes.
  var isLine: Bool {
    bodies.isEmpty && binaries.isEmpty && !edges.contains(where: \.isOwning)
  }

  /// Returns the column for the first of `names` that there is; it has one of `types`, if any are given.
  func column(_ names: [String], _ types: Set<AttributeType> = []) -> Int? {
    for name in names {
      let found = self.names.filter { column, known in
        known.joined == name && (types.isEmpty || types.contains(self.types[column] ?? .undefined))
      }
      if let column = found.keys.min() { return column }
    }
    return nil
  }
}
