internal import DecantRecipeFormats
internal import DecantBase
internal import DecantDigests
internal import DecantPlan
internal import DecantJSON
internal import DecantSQLite

/// Pictures of a recipe that already has a row.
struct RecipeImages {
  let images: [RecipeImage]
  let recipe: Int64
  let entry: String
  /// The keys of the steps that the pictures may belong to.
  var steps: [Int64] = []
  /// The number of pictures that the recipe already has.
  var count = 0

  /// - Parameters:
  ///   - images: The pictures.
  ///   - recipe: The key of the recipe's row.
  ///   - steps: The keys of the rows of its steps.
  ///   - count: The number of pictures that the recipe already has.
  ///   - entry: The name of its file.
  init(_ images: [RecipeImage], of recipe: Int64, steps: [Int64] = [], after count: Int = 0, entry: String) {
    (self.images, self.recipe, self.steps) = (images, recipe, steps)
    (self.count, self.entry) = (count, entry)
  }
}

extension RecipeStager {
  /// Adds new pictures to a recipe that was taken; their bytes are discarded afterwards.
  ///
  /// - Parameters:
  ///   - images: The pictures, and the recipe.
  ///   - scope: Where the files that it names are looked for.
  /// - Returns: Warnings about the pictures.
  /// - Throws: `SQLiteError` or `DecantError` if they cannot be stored.
  func add(_ images: RecipeImages, _ scope: any RecipeScope) throws -> [String] {
    defer { pictures.clear() }
    try rest()
    let (found, warnings) = try self.images(images, scope)
    for image in found { try insert(image, of: images.recipe, steps: images.steps) }
    return warnings
  }

  /// Returns the keys of the steps of a recipe, in order.
  func steps(of recipe: Int64) throws(SQLiteError) -> [Int64] {
    var keys: [Int64] = []
    try connection.forEachRow("SELECT id FROM Step WHERE recipe_id = ?1 ORDER BY recipe_position", .integer(recipe)) {
      keys.append($0.integer(at: 0))
    }
    return keys
  }

  /// A picture that was found, with its bytes if it is small.
  struct NewImage {
    let row: ImageRow
    let picture: RecipePictures.Picture
    let bytes: [UInt8]?
    /// Its SHA-256, once it is known.
    private(set) var digest: String?

    /// Computes the digest, unless it is known.
    mutating func fillDigest() throws {
      guard digest == nil else { return }
      digest = try bytes.map { $0.withUnsafeBytes { SHA256.text(of: $0) } } ?? picture.digest()
    }
  }

  /// Finds the pictures of a recipe; `settlePictures` adds those that are read later.
  ///
  /// - Returns: The pictures, and warnings about missing ones.
  func images(_ images: RecipeImages, _ scope: any RecipeScope) throws -> (found: [NewImage], warnings: [String]) {
    var found: [NewImage] = []
    var warnings: [String] = []
    var room = NewImage.wholeByteCount
    for (index, image) in images.images.enumerated() {
      let row = ImageRow(
        position: Int64(images.count + index + 1) * 1024,
        stepNumber: image.step,
        caption: image.caption,
        name: image.name,
        extra: image.extra.isEmpty ? nil : JSONValue.object(image.extra).text
      )
      switch image.place {
      case .taken(let number):
        guard let picture = pictures.picture(number) else {
          throw DecantError(.systemFailed, "a picture of “\(images.entry)” was discarded before its recipe was stored")
        }
        found.append(try NewImage(row, picture, &room))
      case .file(let names):
        let request = PictureRequest(names, beside: images.entry, of: image)
        if scope.isForward {
          awaited.append(Awaited(recipe: images.recipe, request: request, row: row, scope: scope))
        } else if let picture = try scope.picture(request) {
          found.append(try NewImage(row, picture, &room))
        } else if let warning = request.warning {
          warnings.append(warning)
        }
      }
    }
    return (found, warnings)
  }

  /// Adds the pictures that recipes of a container have named, once the whole container has been read.
  ///
  /// - Returns: For each missing picture, the entry that names it, the key and the title of the recipe, and a warning.
  func settlePictures(_ scope: any RecipeScope) throws -> [(
    entry: String, recipe: (key: Int64, title: String), warning: String
  )] {
    // A nested container ends first: the pictures of the outer one may follow later.
    try rest()
    let own = awaited.filter { $0.scope === scope }
    defer { awaited.removeAll { $0.scope === scope } }
    var warnings: [(String, (Int64, String), String)] = []
    for image in own {
      if let picture = try scope.picture(image.request) {
        let steps = image.row.stepNumber == nil ? [] : try steps(of: image.recipe)
        var room = NewImage.wholeByteCount
        try insert(NewImage(image.row, picture, &room), of: image.recipe, steps: steps)
      } else if let warning = image.request.warning {
        let title = try database.text("SELECT title FROM main.Recipe WHERE id = ?1", .integer(image.recipe))
        warnings.append((image.request.entry, (image.recipe, title ?? ""), warning))
      }
    }
    return warnings
  }

  /// Whether a recipe has no picture with these bytes yet; the picture then counts as present.
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

  /// Adds a picture to a recipe whose steps have the given keys.
  func insert(_ image: NewImage, of recipe: Int64, steps: [Int64]) throws {
    var image = image
    try image.fillDigest()
    let (picture, row, digest) = (image.picture, image.row, image.digest ?? "")
    guard try isNew(digest, of: recipe) else { return }
    let statement = insertions.image
    let step = row.stepNumber.flatMap { steps.indices.contains($0) ? $0 : nil }
    let values: [Binding] = [
      .text(picture.format.mediaType), .text(digest), .optional(row.caption), .optional(row.name),
      .optional(row.extra),
    ]
    if taking == recipe {
      version.add(.image, values + [step.map { .integer(Int64($0)) } ?? .null], at: row.position)
    } else {
      try noteChange(of: recipe)
    }
    try statement.bind([.integer(recipe), .integer(row.position), step.map { .integer(steps[$0]) } ?? .null] + values)
    if let bytes = image.bytes {
      try statement.bind(.blob(bytes), at: 9)
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
      rowID: database.lastInsertedRowID,
      isWritable: true,
      on: database
    )
    var place = 0
    try picture.bytes.forEachPiece { piece in
      try blob.write(piece, at: place)
      place += piece.count
    }
  }
}

extension RecipeStager.NewImage {
  /// The maximum total number of bytes of a recipe's pictures that are written at once; others are written in pieces.
  static let wholeByteCount: Int64 = 1 << 20

  /// Makes a new picture, with its bytes in memory if there is `room` for them.
  init(_ row: RecipeStager.ImageRow, _ picture: RecipePictures.Picture, _ room: inout Int64) throws {
    (self.row, self.picture) = (row, picture)
    guard picture.bytes.byteCount <= room else {
      bytes = nil
      return
    }
    room -= picture.bytes.byteCount
    var data: [UInt8] = []
    data.reserveCapacity(Int(picture.bytes.byteCount))
    try picture.bytes.forEachPiece { data.append(contentsOf: $0) }
    bytes = data
  }
}
