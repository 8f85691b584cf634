internal import DecantJSON

/// A file format for recipes: each has its own source file and one line in `RecipeFormats`.
///
/// A format reads documents that are already parsed, as JSON, XML or HTML, or lines of text; it never opens files or
/// fetches anything. It throws `RecipeFault` for anything it cannot read, which rejects only the current recipe.
package protocol RecipeFormat: Sendable {
  /// The name of the format, as in `paprika:`.
  static var name: String { get }
  /// The common name of the format.
  static var title: String { get }
  /// The extensions of file names, in lower case, that no other format has; none by default.
  ///
  /// They only decide which error explains that a file of such a name cannot be written: files are recognised by content.
  static var fileEndings: [String] { get }
}

extension RecipeFormat {
  package static var fileEndings: [String] { [] }
}

/// A format whose files are JSON, one object per recipe.
package protocol JSONRecipeFormat: RecipeFormat {
  /// Whether the object `value` is a recipe of this format, judging by the names of its members.
  static func matches(_ value: DocumentValue) -> Bool

  /// Reads one object.
  ///
  /// - Parameters:
  ///   - value: An object for which `matches` holds.
  ///   - context: Stores pictures, and knows the file.
  /// - Returns: The recipe.
  /// - Throws: `RecipeFault` if the object is not a recipe.
  static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe
}

/// A format whose files are XML or HTML: elements with certain names are recipes.
package protocol MarkupRecipeFormat: RecipeFormat {
  /// Whether a document with the outermost element `root` may hold recipes of this format.
  static func matches(root: MarkupElement) -> Bool

  /// Whether an element that begins is a recipe of this format, or holds data that its recipes refer to.
  ///
  /// - Parameters:
  ///   - element: Its name and attributes, without content.
  ///   - path: The names of the elements around it, the outermost first.
  /// - Returns: Whether the complete element is to be passed to `recipe`.
  static func isRecord(_ element: MarkupElement, path: [String]) -> Bool

  /// Whether the content of an element for which `isRecord` holds also fits; `true` by default.
  static func isRecord(whole element: MarkupElement) -> Bool

  /// Reads a complete record; returns `nil` for one that holds no recipe.
  static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe?
}

extension MarkupRecipeFormat {
  package static func isRecord(whole element: MarkupElement) -> Bool { true }
}

/// A format whose files are lines of text.
package protocol TextRecipeFormat: RecipeFormat {
  /// Whether a text that begins with the bytes `head`, up to 64 KiB in any encoding, is of this format.
  static func matches(_ head: [UInt8], name: String) -> Bool

  /// Reads all recipes of a text, passing each to `take` as soon as it is complete.
  static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws
}

/// The reason that something is not a recipe of its apparent format.
package struct RecipeFault: Error, Sendable, Hashable {
  /// The problem, in a sentence without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }

  /// Creates a fault for a malformed JSON document.
  init(_ fault: JSONFault) {
    message =
      (fault.place.map { "byte \($0): " } ?? "") + fault.message
      + (fault.found.map { ", found “\($0)”" } ?? "")
  }
}

/// The services that a format may use while it reads.
package final class RecipeContext {
  /// The name of the current file in the container or folder around it, with `/` between folders.
  package let entry: String
  let pictures: RecipePictures
  /// Data that apply to all recipes of the file, such as the folders of a library; for a format's own use.
  var shared: [String: DocumentValue] = [:]
  private(set) var warnings: [String] = []
  /// The confidence that the warning with this text states, for a recipe that is read from a page's layout.
  package private(set) var confidence: (text: String, value: String)?

  package init(entry: String, pictures: RecipePictures) {
    self.entry = entry
    self.pictures = pictures
  }

  /// Adds a warning about the current recipe.
  package func warn(_ text: String) { if !warnings.contains(text) { warnings.append(text) } }

  /// Notes that the current recipe is read from a page's layout, and with what confidence.
  package func note(_ text: String, confidence: String) {
    self.confidence = (text, confidence)
    warn(text)
  }

  /// Returns the warnings, and clears them.
  package func takeWarnings() -> [String] {
    defer { (warnings, confidence) = ([], nil) }
    return warnings
  }

  /// Stores a picture in base64, with or without a `data:…;base64,` prefix; warns if it is invalid.
  package func picture(base64 text: DocumentText, caption: String? = nil, name: String? = nil) throws
    -> RecipeImage?
  {
    try take(caption: caption, name: name) { try pictures.take(base64: text) }
  }

  /// Stores a picture in hexadecimal digits; warns if it is invalid.
  func picture(hex text: DocumentText, caption: String? = nil, name: String? = nil) throws -> RecipeImage? {
    try take(caption: caption, name: name) { try pictures.take(hex: text) }
  }

  private func take(caption: String?, name: String?, _ body: () throws -> Int64) throws -> RecipeImage? {
    do {
      return RecipeImage(.taken(try body()), caption: caption, name: name)
    } catch let fault as RecipeFault {
      warn(fault.message)
      return nil
    }
  }
}
