internal import DecantBase

/// What a walk over the objects tells, in the order in which a person reads it: written as HTML, or
/// as plain text for a mail program.
protocol PageWriter: AnyObject {
  /// Begins the page; `heading` stands above everything, unless the one object's title does.
  func begin(title: String, heading: String?, count: String?) throws(DecantError)
  func end() throws(DecantError)

  func beginContents() throws(DecantError)
  /// Writes that a chapter begins here.
  func contents(_ heading: String, _ number: Int) throws(DecantError)
  func contents(_ title: String, _ object: PageReference) throws(DecantError)
  func endContents() throws(DecantError)

  /// Begins objects of one kind that are shown on their own.
  func beginSection(_ heading: String) throws(DecantError)
  func endSection() throws(DecantError)

  /// Begins an object at a heading's level; a recipe's looks its own way.
  func beginObject(_ title: String?, _ object: PageReference?, level: Int, isRecipe: Bool) throws(DecantError)
  func endObject() throws(DecantError)

  /// Begins a part of an object under a heading of its own.
  func beginPart(_ kind: PagePart, _ heading: String?, level: Int) throws(DecantError)
  func endPart(_ kind: PagePart) throws(DecantError)

  /// Begins objects that belong together in a book, under a heading that the contents lead to.
  func beginChapter(_ heading: String, _ number: Int) throws(DecantError)
  func endChapter() throws(DecantError)

  /// Writes a heading above some of the lines of a part.
  func heading(_ text: String, _ object: PageReference?, level: Int) throws(DecantError)
  func lead(_ text: String) throws(DecantError)
  func paragraphs(_ text: String) throws(DecantError)
  /// Writes small print.
  func aside(_ text: String) throws(DecantError)

  /// Begins a list of names and values; `areFacts` for the few that stand out at the top.
  func beginValues(areFacts: Bool) throws(DecantError)
  func beginValue(_ label: String) throws(DecantError)
  func endValue() throws(DecantError)
  func endValues() throws(DecantError)

  func beginList(isNumbered: Bool) throws(DecantError)
  func beginItem(_ object: PageReference?) throws(DecantError)
  /// Writes a line that a cook may tick off, where the form has a way to.
  func ticked(_ line: () throws(DecantError) -> Void) throws(DecantError)
  func endItem() throws(DecantError)
  func endList(isNumbered: Bool) throws(DecantError)

  /// Writes text within a line.
  func text(_ text: String, isStrong: Bool) throws(DecantError)
  /// Writes words of decant's own within a line.
  func words(_ words: String) throws(DecantError)
  func link(_ title: String, _ object: PageReference) throws(DecantError)
  func address(_ address: String) throws(DecantError)

  /// Shows a picture, or offers bytes for download.
  func bytes(_ bytes: PageBytes, _ caption: PageCaption) throws(DecantError)

  /// Writes the recipe for programs, with the picture that stands for it, where the form has a place for it.
  func data(of recipe: PageObject, picture: PageBytes?) throws(DecantError)
}

/// What an object consists of, by how it is laid out.
enum PagePart {
  /// The ingredients and the steps of a recipe beside each other; each of them.
  case columns, ingredients, steps
  /// Anything else that has a heading.
  case other
  /// Pictures.
  case gallery
}

/// What is said of bytes that are shown.
struct PageCaption {
  /// The object's words for them, shown below.
  var text: String?
  /// What they are to somebody who cannot see them.
  var description: String
  /// The name of the attribute that holds them.
  var label: String
  /// A name for a file of them.
  var fileName: String
  /// The object whose they are, if it is shown by them alone.
  var object: PageReference?
  /// Where they are found again; `nil` where they belong to a row without a key.
  var origin: (object: PageReference, column: Int)?
  /// Whether they are the picture that stands for the object.
  var isLead = false
}
