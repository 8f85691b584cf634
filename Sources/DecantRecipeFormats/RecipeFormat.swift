internal import DecantJSON

/// A kind of file that recipes travel in: one file of code each, and one line in `RecipeFormats`.
///
/// A format reads documents that were parsed already, as JSON, XML or HTML, or lines of text; it never opens
/// anything, and fetches nothing. What it cannot read is thrown as `RecipeFault`, which rejects the one recipe
/// at hand.
package protocol RecipeFormat: Sendable {
  /// The name of the kind, as in `paprika:`.
  static var name: String { get }
  /// What people call it.
  static var title: String { get }
}

/// A format whose files are JSON: one object is one recipe.
package protocol JSONRecipeFormat: RecipeFormat {
  /// Whether `value`, one object, is a recipe of this kind, told by the names of its members.
  static func matches(_ value: DocumentValue) -> Bool

  /// Reads one object.
  ///
  /// - Parameters:
  ///   - value: One for which `matches` holds.
  ///   - context: Takes pictures, and knows the file.
  /// - Returns: The recipe.
  /// - Throws: `RecipeFault` where it is none.
  static func recipe(_ value: DocumentValue, _ context: RecipeContext) throws -> Recipe
}

/// A format whose files are XML or HTML: elements of some names are recipes.
package protocol MarkupRecipeFormat: RecipeFormat {
  /// Whether a document whose outermost element is `root` may hold recipes of this kind.
  static func matches(root: MarkupElement) -> Bool

  /// Whether an element that begins is a recipe of this kind, or something `note` wants to see.
  ///
  /// - Parameters:
  ///   - element: Its name and attributes; nothing is in it yet.
  ///   - path: The names of the elements around it, the outermost first.
  /// - Returns: Whether `recipe` is to get it, whole.
  static func isRecord(_ element: MarkupElement, path: [String]) -> Bool

  /// Whether an element for which `isRecord` holds is one by what is in it, too; `true` where nothing else is said.
  static func isRecord(whole element: MarkupElement) -> Bool

  /// Reads one record, whole; returns `nil` for one that holds no recipe.
  static func recipe(_ element: MarkupElement, _ context: RecipeContext) throws -> Recipe?
}

extension MarkupRecipeFormat {
  package static func isRecord(whole element: MarkupElement) -> Bool { true }
}

/// A format whose files are lines of text.
package protocol TextRecipeFormat: RecipeFormat {
  /// Whether a text that begins with `head`, up to 64 KiB, is of this kind; in whatever encoding, so bytes.
  static func matches(_ head: [UInt8], name: String) -> Bool

  /// Reads all recipes of a text, handing each to `take` as soon as it is whole.
  static func read(
    _ lines: TextLines,
    _ context: RecipeContext,
    _ take: (Result<Recipe, RecipeFault>) throws -> Void
  ) throws
}

/// Why something is no recipe of the format it seemed to be.
package struct RecipeFault: Error, Sendable, Hashable {
  /// What is wrong, in a sentence without a full stop.
  package var message: String

  package init(_ message: String) { self.message = message }

  /// What is wrong with a document that is JSON.
  init(_ fault: JSONFault) {
    message =
      (fault.place.map { "byte \($0): " } ?? "") + fault.message
      + (fault.found.map { ", found “\($0)”" } ?? "")
  }
}

/// What a format may ask for while it reads.
package final class RecipeContext {
  /// The name of the file at hand in the container or folder around it, with `/` between folders.
  package let entry: String
  let pictures: RecipePictures
  /// What the file says of all its recipes, such as the folders of a library; for a format's own use.
  var shared: [String: DocumentValue] = [:]
  private(set) var warnings: [String] = []
  /// How sure it is that the warning with this text describes the recipe: of one that is read from a page's layout.
  package private(set) var confidence: (text: String, value: String)?

  package init(entry: String, pictures: RecipePictures) {
    self.entry = entry
    self.pictures = pictures
  }

  /// Notes something about the recipe at hand.
  package func warn(_ text: String) { if !warnings.contains(text) { warnings.append(text) } }

  /// Notes that the recipe at hand is read from a page's layout, and how sure that is.
  package func note(_ text: String, confidence: String) {
    self.confidence = (text, confidence)
    warn(text)
  }

  /// Returns the warnings, and forgets them.
  package func takeWarnings() -> [String] {
    defer { (warnings, confidence) = ([], nil) }
    return warnings
  }

  /// Takes a picture in base64, with or without `data:…;base64,` in front; warns of one that is none.
  package func picture(base64 text: DocumentText, caption: String? = nil, name: String? = nil) throws
    -> RecipeImage?
  {
    try take(caption: caption, name: name) { try pictures.take(base64: text) }
  }

  /// Takes a picture in hexadecimal digits; warns of one that is none.
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
