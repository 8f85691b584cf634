internal import DecantBase
internal import DecantPlan
internal import DecantStore
internal import DecantSQLite

/// A value in the form in which a page of differences shows it.
enum DiffCell {
  case nothing
  case text(String)
  /// A number, a date, an identifier.
  case plain(String)
  /// An object by its title, if it has one, and its key in words.
  case link(String?, key: String)
  case bytes(PageBytes, PageStore)

  /// Its name in the title of a link, as HTML.
  var title: String {
    switch self {
    case .link(let title?, let key): "<bdi>\(HTMLText.visible(title))</bdi> <code>\(HTMLText.visible(key))</code>"
    case .link(nil, let key): "<code>\(HTMLText.visible(key))</code>"
    case .nothing, .text, .plain, .bytes: ""
    }
  }
}

// Values as cells.
extension PageStore {
  /// Returns the index of the relation that holds the objects of `root`.
  func place(of root: String) -> Int? { model.layout.relations.firstIndex { $0.root == root } }

  /// Returns the index of the column of `object` that `assignment` fills, whatever the column means in the other store.
  func column(_ assignment: CopyStep.Assignment, of object: PageObject) -> Int? {
    guard let role = assignment.columnRole else { return nil }
    let columns = relation(object.shape.relation).columns
    return columns.firstIndex { $0.columnRole == role }
      ?? role.property.flatMap { property in columns.firstIndex { $0.columnRole.property == property } }
  }

  /// Returns the key of an object in words.
  func keyText(_ reference: PageReference) throws(DecantError) -> String {
    let relation = relation(reference.relation)
    return try reading(relation.root) { () throws(SQLiteError) in
      try RowNames(relation: relation, schema: schema, connection: connection).name(of: reference.key)
    }
  }

  /// Returns the title of the owner of `object`; `nil` without an owner.
  func owner(of object: PageObject) throws(DecantError) -> String? {
    for edge in object.shape.edges where !edge.isToMany {
      guard case .column = edge.place, model.parts(of: edge.target).contains(object.shape.relation) else { continue }
      var targets = try targets(of: edge, from: object)
      if let target = try targets.next(), let whole = try self.object(target) {
        return ownTitle(of: whole)
      }
    }
    return nil
  }

  /// Returns the object of `root` with `key` as the target of a link.
  func link(to root: String, _ key: Int64) throws(DecantError) -> DiffCell {
    guard let place = place(of: root) else { return .plain("\(key)") }
    let reference = PageReference(relation: place, key: key)
    let text = try keyText(reference)
    guard let object = try object(reference) else { return .link("not there", key: text) }
    return .link(ownTitle(of: object), key: text)
  }

  /// Returns the value of `object` in `column`.
  func cell(_ object: PageObject, _ column: Int) throws(DecantError) -> DiffCell {
    let description = relation(object.shape.relation).columns[column]
    switch object.values[column] {
    case .null: return .nothing
    case .integer(let integer): return try cell(.integer(integer), in: description)
    case .real(let real): return try cell(.real(real), in: description)
    case .text(let text): return try cell(.text(text), in: description)
    case .bytes(let count, _):
      guard let bytes = try bytes(of: object, column) else { return .plain("0 bytes") }
      if count == 16, description.type == .uuid {
        return .plain(try content(of: bytes).uuidText)
      }
      return .bytes(bytes, self)
    }
  }

  /// Returns a value of a row without an integer key; `layout` contains the columns of the assignment.
  func cell(_ value: Binding, _ assignment: CopyStep.Assignment, _ layout: Layout) throws(DecantError) -> DiffCell {
    let column = layout.relations.lazy.compactMap { $0.column(of: assignment) }.first
    return try cell(value, in: column)
  }

  private func cell(_ value: Binding, in column: RelationColumn?) throws(DecantError) -> DiffCell {
    switch value {
    case .null: return .nothing
    case .integer(let key):
      if let root = column?.targetRoot { return try link(to: root, key) }
      if column?.type == .boolean, key == 0 || key == 1 { return .plain(key == 0 ? "no" : "yes") }
      return .plain(ValueText.text(of: value, in: column))
    case .real: return .plain(ValueText.text(of: value, in: column))
    case .text(let text):
      return column?.targetRoot == nil ? .text(text) : .plain(ValueText.text(of: value, in: column, model.model.terms))
    case .utf8(let bytes): return .text(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes):
      if bytes.count == 16, column?.type == .uuid { return .plain(bytes.uuidText) }
      return bytes.isEmpty ? .plain("0 bytes") : .bytes(PageBytes(memory: bytes), self)
    }
  }

  /// Returns all of `bytes`, which must be few.
  func content(of bytes: PageBytes) throws(DecantError) -> [UInt8] {
    var content: [UInt8] = []
    try forEachPiece(of: bytes) { content.append(contentsOf: $0) }
    return content
  }
}
