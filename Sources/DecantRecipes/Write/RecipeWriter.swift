internal import DecantRecipeFormats
internal import DecantBase64
internal import DecantContainers
internal import DecantBase
internal import DecantDigests
internal import DecantSystem
internal import DecantJSON

/// A format that recipes are written in: one file of code each, and one line in `RecipeWriters`.
package protocol RecipeWriter: AnyObject {
  /// The name of the format, as when it is read.
  static var format: String { get }

  /// Whether it has times as durations of ISO 8601, and not in words.
  static var hasDurations: Bool { get }

  /// How a place in this format is named, for messages.
  static var places: String { get }

  /// What is made at a place whose name has this ending, in lower case.
  ///
  /// - Parameters:
  ///   - ending: What stands behind the last dot.
  ///   - isAsked: Whether the format was said, as in `mela:`.
  /// - Returns: The form; `nil` where the place is none of this format.
  static func form(_ ending: String, isAsked: Bool) -> RecipePlace.Form?

  /// Begins a file or folder at `path`, where nothing is yet.
  init(_ path: String, _ form: RecipePlace.Form) throws

  /// What comes back of a recipe: what the format has no place for is named in the words of the recipe model.
  ///
  /// - Throws: `RecipeFault` where the reader would not take it for a recipe.
  static func written(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> WrittenRecipe

  /// The recipe as it is to be handed to `write`.
  static func settled(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> StoredRecipes.Entry

  /// Writes one recipe.
  func write(_ entry: StoredRecipes.Entry, of store: StoredRecipes) throws

  /// Writes what stands at the end.
  func finish() throws
}

extension RecipeWriter {
  static var hasDurations: Bool { false }

  static func settled(_ entry: StoredRecipes.Entry, _ reader: WrittenRecipes) throws -> StoredRecipes.Entry { entry }
}

/// A file that is written from its beginning, with a failure told as such.
final class RecipeOutput {
  let path: String
  let descriptor: Int32

  /// Makes an empty file, which must not be there.
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
  /// Hands out a picture in base64, a piece at a time.
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
  /// What a format that holds pictures loses of them.
  ///
  /// - Parameters:
  ///   - keepsFirstOnly: Whether it holds one picture for each recipe.
  ///   - keepsCaptions: Whether it holds what stands below them.
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
  /// The lines of the steps, each on one line, headings marked by `heading`, and all others as `line` has them.
  func stepLines(text line: (String) -> String = { $0 }, heading: (String) -> String) -> [String] {
    steps.map { step in
      let text = step.text.onOneLine
      if step.isHeading { return heading(text) }
      guard let title = step.title, !title.isEmpty else { return line(text) }
      return line(text.isEmpty ? title : "\(title): \(text)")
    }
  }

  /// The lines of the ingredients, headings marked by `heading`, and all others as `line` has them.
  func ingredientLines(text line: (String) -> String = { $0 }, heading: (String) -> String) -> [String] {
    ingredients.map { $0.isHeading ? heading($0.text.onOneLine) : line($0.text.onOneLine) }
  }

  /// The nutrition facts as lines of text.
  var nutritionLines: [String] {
    nutrition.map { fact in fact.name.map { "\($0): \(fact.value)" } ?? fact.value }
  }
}

extension String {
  /// The text with blanks in place of line ends.
  var onOneLine: String {
    contains(where: \.isNewline)
      ? split(whereSeparator: \.isNewline).map { $0.trimmingBlanks }.joined(separator: " ") : self
  }
}

extension JSONValue {
  /// A text, or an empty one where there is none.
  static func text(_ text: String?) -> JSONValue { .string(text ?? "") }
}
