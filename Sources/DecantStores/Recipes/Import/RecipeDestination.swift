internal import Decant
internal import SQLite

/// A store that recipes go to: what it has of them already.
struct RecipeDestination {
  private let location: StoreLocation
  /// How to read it, where it does not hold its model: one that was made of recipes does not.
  let model: String?

  /// Looks at the store; `folder` takes the recipe model where that is needed.
  init(_ location: StoreLocation, model: String?, folder: String) throws(DecantError) {
    self.location = location
    if let model {
      self.model = model
    } else {
      self.model = try Self.model(of: location, in: folder)
    }
  }

  /// The recipe model, written in `folder`, where a Core Data store is at `location` that does not hold its own.
  static func model(of location: StoreLocation, in folder: String) throws(DecantError) -> String? {
    guard FileStatus(location.place)?.isFile == true,
      try StoreKinds.kind(of: location) == "coredata",
      try CoreDataFile(location, model: nil).modelGap != nil
    else { return nil }
    return try RecipeModel.write(in: folder)
  }

  /// Tells the ladder every recipe that is there.
  ///
  /// - Throws: `DecantError` with code `.modelMismatch` where the store has no recipes as decant makes them.
  func tell(_ ladder: IdentityLadder) throws(DecantError) {
    guard FileStatus(location.place) != nil else { return }
    let known = ladder.known
    let values = KnownRecipes.values.joined(separator: ", ")
    try forEach("SELECT uuid, title, page, fingerprint, format, modified, \(values) FROM Recipe") {
      row throws(SQLiteError) in
      guard let uuid = row[0].plainText else { return }
      try known.note(
        uuid: uuid,
        title: row[1].plainText ?? "",
        page: row[2].plainText,
        fingerprint: row[3].plainText,
        format: row[4].plainText,
        modified: row[5].plainText,
        values: row[6...].map(\.binding)
      )
    }
    let isPlain = try StoreKinds.isPlain(location)
    let (key, link) = isPlain ? ("id", "recipe_id") : ("_id", "recipe")
    try forEach(
      "SELECT n.format, n.value, r.uuid FROM NativeID AS n JOIN Recipe AS r ON r.\(key) = n.\(link)"
    ) { row throws(SQLiteError) in
      guard let format = row[0].plainText, let id = row[1].plainText,
        let uuid = row[2].plainText
      else { return }
      try known.note(format: format, id: id, uuid: uuid)
    }
    try forEach("SELECT i.sha256, r.uuid FROM Image AS i JOIN Recipe AS r ON r.\(key) = i.\(link)")
    {
      row throws(SQLiteError) in
      guard let digest = row[0].plainText, let uuid = row[1].plainText else { return }
      try known.note(picture: digest, of: uuid)
    }
  }

  /// Hands every row of a query to `body`.
  private func forEach(_ sql: String, _ body: ([QueryValue]) throws(SQLiteError) -> Void)
    throws(DecantError)
  {
    let rows = try query(sql)
    while let row = try rows.next() {
      try explaining("cannot compare recipes") { () throws(SQLiteError) in try body(row) }
    }
  }

  private func query(_ sql: String) throws(DecantError) -> Query {
    do throws(DecantError) {
      return try Query(sql, in: location, opener: StoreKinds(), model: model)
    } catch {
      guard error.code == .usage else { throw error }
      throw RecipeModel.mismatch(
        "“\(location.place)” has a model of its own, which is not that of recipe files",
        "decant copy FILE \(location.place.shellQuoted) --suggest-mapping"
      )
    }
  }
}

extension QueryValue {
  /// The text; `nil` for anything else.
  fileprivate var plainText: String? { if case .text(let text) = self { text } else { nil } }

  /// The value as it is compared with one of the recipe model.
  fileprivate var binding: Binding {
    switch self {
    case .text(let text): .text(text)
    case .double(let number): .real(number)
    case .float(let number): .real(Double(number))
    case .integer(let number): .integer(number)
    default: .null
    }
  }
}
