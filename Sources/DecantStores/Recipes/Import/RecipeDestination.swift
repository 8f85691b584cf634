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
    guard model == nil, FileStatus(location.place) != nil,
      try StoreKinds.kind(of: location) == "coredata",
      try CoreDataFile(location, model: nil).modelGap != nil
    else {
      self.model = model
      return
    }
    self.model = try RecipeModel.write(in: folder)
  }

  /// Tells the ladder every recipe that is there.
  ///
  /// - Throws: `DecantError` with code `.modelMismatch` where the store has no recipes as decant makes them.
  func tell(_ ladder: IdentityLadder) throws(DecantError) {
    guard FileStatus(location.place) != nil else { return }
    let recipes = try query("SELECT uuid, title, page, fingerprint FROM Recipe")
    while let row = try recipes.next() {
      guard let uuid = row[0].plainText else { continue }
      try explaining("cannot compare recipes") { () throws(SQLiteError) in
        try ladder.know(
          uuid: uuid,
          title: row[1].plainText ?? "",
          page: row[2].plainText,
          fingerprint: row[3].plainText
        )
      }
    }
    let isPlain = try StoreKinds.isPlain(location)
    let ids = try query(
      """
      SELECT n.format, n.value, r.uuid FROM NativeID AS n JOIN Recipe AS r
      ON r.\(isPlain ? "id" : "_id") = n.\(isPlain ? "recipe_id" : "recipe")
      """
    )
    while let row = try ids.next() {
      guard let format = row[0].plainText, let id = row[1].plainText,
        let uuid = row[2].plainText
      else { continue }
      try explaining("cannot compare recipes") { () throws(SQLiteError) in
        try ladder.know(format: format, id: id, uuid: uuid)
      }
    }
  }

  private func query(_ sql: String) throws(DecantError) -> Query {
    do throws(DecantError) {
      return try Query(sql, in: location, opener: StoreKinds(), model: model)
    } catch {
      guard error.code == .usage else { throw error }
      throw DecantError(
        .modelMismatch,
        "“\(location.place)” is no store of recipes as decant makes them",
        place: error.message,
        remedy: "import into a new store, or into one that decant has made of recipes"
      )
    }
  }
}

extension QueryValue {
  /// The text; `nil` for anything else.
  fileprivate var plainText: String? { if case .text(let text) = self { text } else { nil } }
}
