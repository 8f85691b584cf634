internal import DecantRecipeFormats
internal import DecantBase64
internal import DecantContainers
internal import DecantBase
internal import DecantDigests
internal import DecantSystem
internal import DecantJSON

/// A format that recipes are written in: each has its own source file and one line in `RecipeWriters`.
package protocol RecipeWriter: AnyObject {
  /// The name of the format, which is the same for reading.
  static var format: String { get }

  /// Whether the format has ISO 8601 durations, rather than times in words.
  static var hasDurations: Bool { get }

  /// The forms of places in this format, for messages.
  static var places: String { get }

  /// Determines the form of output for a place whose name has this extension, in lower case.
  ///
  /// - Parameters:
  ///   - ending: The extension after the last dot.
  ///   - isAsked: Whether the format was given, as in `mela:`.
  /// - Returns: The form; `nil` if the place does not belong to this format.
  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form?

  /// Begins a file or folder at `path`, where nothing exists yet.
  init(_ path: String, _ form: RecipePlace.Form) throws

  /// Returns what can be read back of a recipe: losses are named in the terms of the recipe model.
  ///
  /// - Throws: `RecipeFault` if the reader would not recognize it as a recipe.
  static func written(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> WrittenRecipe

  /// Returns the recipe in the form to be passed to `write`.
  static func settled(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> StoredRecipes.Entry

  /// Writes one recipe.
  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws

  /// Writes the end of the output.
  func finish() throws
}

extension RecipeWriter {
  static var hasDurations: Bool { false }

  static func settled(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> StoredRecipes.Entry { entry }
}

/// A file that is written sequentially, whose failures are reported as such.
final class RecipeOutput {
  let path: String
  let descriptor: Int32

  /// Creates an empty file, which must not exist yet.
  init(_ path: String) throws(DecantError) {
    self.path = path
    descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, Files.newFileMode)
    guard descriptor >= 0 else { throw DecantError(SystemError("write", path)) }
  }

  deinit { close(descriptor) }

  func write(_ bytes: UnsafeRawBufferPointer) throws(DecantError) {
    do throws(SystemError) {
      try Files.write(bytes, to: descriptor, of: path)
    } catch {
      throw DecantError(error)
    }
  }

  func write(_ text: String) throws {
    var text = text
    try text.withUTF8 { try write(UnsafeRawBufferPointer($0)) }
  }
}

extension StoredRecipes {
  /// Passes a picture in base64 to `body`, a piece at a time.
  func forEachBase64Piece(of image: Image, _ body: (String) throws -> Void) throws {
    var encoder = Base64Encoder()
    func put(_ text: UnsafeRawBufferPointer) throws {
      try body(String(decoding: text, as: UTF8.self))
    }
    try forEachPiece(of: image) { piece in try encoder.encode(piece, put) }
    try encoder.finish(put)
  }
}

extension StoredRecipes.Entry {
  /// Returns the losses of pictures in a format that holds pictures.
  ///
  /// - Parameters:
  ///   - keepsFirstOnly: Whether the format holds only one picture per recipe.
  ///   - keepsCaptions: Whether the format holds captions.
  /// - Returns: The losses, in words.
  func pictureLosses(keepsFirstOnly: Bool = false, keepsCaptions: Bool = false) -> [String] {
    var losses: [String] = []
    if keepsFirstOnly, images.count > 1 { losses.append(RecipeLossNotes.otherPictures) }
    if images.contains(where: { $0.step != nil }) { losses.append(RecipeLossNotes.stepOfPicture) }
    if !keepsCaptions, images.contains(where: { $0.caption != nil }) {
      losses.append(RecipeLossNotes.captions)
    }
    return losses
  }
}

extension Recipe {
  /// Returns the steps, each on one line; headings are formatted by `heading`, and all others by `line`.
  func stepLines(text line: (String) -> String = { $0 }, heading: (String) -> String) -> [String] {
    steps.map { step in
      let text = step.text.onOneLine
      if step.isHeading { return heading(text) }
      guard let title = step.title, !title.isEmpty else { return line(text) }
      return line(text.isEmpty ? title : "\(title): \(text)")
    }
  }

  /// Returns the lines of the ingredients; headings are formatted by `heading`, and all others by `line`.
  func ingredientLines(text line: (String) -> String = { $0 }, heading: (String) -> String) -> [String] {
    ingredients.map { $0.isHeading ? heading($0.text.onOneLine) : line($0.text.onOneLine) }
  }

  /// The nutrition facts as lines of text.
  var nutritionLines: [String] {
    nutrition.map { fact in fact.name.map { "\($0): \(fact.value)" } ?? fact.value }
  }
}

extension String {
  /// The text with spaces in place of line ends.
  var onOneLine: String {
    contains(where: \.isNewline)
      ? split(whereSeparator: \.isNewline).map { $0.trimmed }.joined(separator: " ") : self
  }
}

extension JSONValue {
  /// Returns a text; an empty one for `nil`.
  static func text(_ text: String?) -> JSONValue { .string(text ?? "") }
}
