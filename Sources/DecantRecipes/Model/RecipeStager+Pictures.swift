internal import DecantRecipeFormats
internal import DecantBase
internal import DecantPlan
internal import DecantJSON
internal import DecantSQLite

/// Pictures of a recipe whose row is there.
struct RecipeImages {
  let images: [RecipeImage]
  let recipe: Int64
  let entry: String
  /// The keys of the steps that they may show.
  var steps: [Int64] = []
  /// How many pictures the recipe has already.
  var count = 0

  /// - Parameters:
  ///   - images: The pictures.
  ///   - recipe: The key of the recipe's row.
  ///   - steps: The keys of the rows of its steps.
  ///   - count: How many pictures were added to it before.
  ///   - entry: The name of its file.
  init(_ images: [RecipeImage], of recipe: Int64, steps: [Int64] = [], after count: Int = 0, entry: String) {
    (self.images, self.recipe, self.steps) = (images, recipe, steps)
    (self.count, self.entry) = (count, entry)
  }
}

extension RecipeStager {
  /// Adds pictures to a recipe that was taken, but those that it has; they are forgotten afterwards.
  ///
  /// - Parameters:
  ///   - images: The pictures, and the recipe.
  ///   - scope: Where files that it names are looked for.
  /// - Returns: The warnings there are about them.
  /// - Throws: `SQLiteError` or `DecantError` where they cannot be kept.
  func add(_ images: RecipeImages, _ scope: any RecipeScope) throws -> [String] {
    defer { pictures.clear() }
    return try insert(images, scope)
  }

  /// The keys of the steps of a recipe, in their order.
  func steps(of recipe: Int64) throws(SQLiteError) -> [Int64] {
    var keys: [Int64] = []
    try connection.forEachRow("SELECT id FROM Step WHERE recipe_id = ?1 ORDER BY recipe_position", .integer(recipe)) {
      keys.append($0.integer(at: 0))
    }
    return keys
  }

  /// Adds the pictures of a recipe, those that are still to come in `settlePictures`.
  func insert(_ images: RecipeImages, _ scope: any RecipeScope) throws -> [String] {
    var warnings: [String] = []
    let steps = images.steps
    for (index, image) in images.images.enumerated() {
      let row = ImageRow(
        position: Int64(images.count + index + 1) * 1024,
        step: image.step.flatMap { steps.indices.contains($0) ? steps[$0] : nil },
        stepNumber: image.step.flatMap { steps.indices.contains($0) ? $0 : nil },
        caption: image.caption,
        name: image.name,
        extra: image.extra.isEmpty ? nil : JSONValue.object(image.extra).text
      )
      switch image.place {
      case .taken(let number):
        guard let picture = pictures.picture(number) else {
          throw DecantError(.systemFailed, "a picture of “\(images.entry)” was discarded before its recipe was stored")
        }
        try insert(picture, of: images.recipe, row)
      case .file(let names):
        let request = PictureRequest(names, beside: images.entry, of: image)
        if scope.isForward {
          awaited.append(Awaited(recipe: images.recipe, request: request, row: row, scope: scope))
        } else if let picture = try scope.picture(request) {
          try insert(picture, of: images.recipe, row)
        } else if let warning = request.warning {
          warnings.append(warning)
        }
      }
    }
    return warnings
  }

  /// Adds the pictures that recipes of a container have named, once all of it was read.
  ///
  /// - Returns: For each that is not there the entry that names it, the key and the title of the recipe, and a warning.
  func settlePictures(_ scope: any RecipeScope) throws -> [(
    entry: String, recipe: (key: Int64, title: String), warning: String
  )] {
    // A container in another one ends first: the other's pictures may be still to come.
    let own = awaited.filter { $0.scope === scope }
    defer { awaited.removeAll { $0.scope === scope } }
    var warnings: [(String, (Int64, String), String)] = []
    for image in own {
      if let picture = try scope.picture(image.request) {
        try insert(picture, of: image.recipe, image.row)
      } else if let warning = image.request.warning {
        let title = try connection.text("SELECT title FROM main.Recipe WHERE id = ?1", .integer(image.recipe))
        warnings.append((image.request.entry, (image.recipe, title ?? ""), warning))
      }
    }
    return warnings
  }

  /// Whether a recipe has no picture of these bytes yet; from now on it has.
  private func isNew(_ digest: String, of recipe: Int64) throws -> Bool {
    if known.recipe != recipe {
      known = (recipe, [])
      let statement = insertions.digests
      defer { statement.reset() }
      try statement.bind([.integer(recipe)])
      while try statement.step() { known.digests.insert(statement.text(at: 0) ?? "") }
    }
    return known.digests.insert(digest).inserted
  }

  private func insert(_ picture: RecipePictures.Picture, of recipe: Int64, _ row: ImageRow) throws {
    guard try isNew(picture.digest, of: recipe) else { return }
    let statement = insertions.image
    let values: [Binding] = [
      .text(picture.format.mediaType), .text(picture.digest), .optional(row.caption), .optional(row.name),
      .optional(row.extra),
    ]
    if taking == recipe {
      version.add(.image, values + [row.stepNumber.map { .integer(Int64($0)) } ?? .null], at: row.position)
    } else {
      try noteChange(of: recipe)
    }
    try statement.bind([.integer(recipe), .integer(row.position), row.step.map { .integer($0) } ?? .null] + values)
    guard picture.bytes.byteCount > Self.wholeByteCount else {
      var data: [UInt8] = []
      data.reserveCapacity(Int(picture.bytes.byteCount))
      try picture.bytes.forEachPiece { data.append(contentsOf: $0) }
      try statement.bind(.blob(data), at: 9)
      _ = try statement.step()
      return statement.reset()
    }
    try statement.bindZeros(picture.bytes.byteCount, at: 9)
    _ = try statement.step()
    statement.reset()
    let blob = try BlobHandle(
      "main",
      "Image",
      "data",
      rowID: connection.lastInsertedRowID,
      isWritable: true,
      on: connection
    )
    var place = 0
    try picture.bytes.forEachPiece { piece in
      try blob.write(piece, at: place)
      place += piece.count
    }
  }

  /// Pictures of at most this many bytes are written at once; others piece by piece.
  private static let wholeByteCount: Int64 = 1 << 20
}
