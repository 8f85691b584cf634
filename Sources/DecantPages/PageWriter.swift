internal import DecantBase

/// The output of a walk over the objects, in reading order: as HTML, or as plain text for a mail program.
protocol PageWriter: AnyObject {
  /// Begins the page; `heading` is above everything, unless the title of the only object is.
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

  /// Begins an object with a heading of the given level; recipes have their own appearance.
  func beginObject(_ title: String?, _ object: PageReference?, level: Int, isRecipe: Bool) throws(DecantError)
  func endObject() throws(DecantError)

  /// Begins a part of an object under a heading of its own.
  func beginPart(_ kind: PagePart, _ heading: String?, level: Int) throws(DecantError)
  func endPart(_ kind: PagePart) throws(DecantError)

  /// Begins a chapter of a book, under a heading to which the contents lead.
  func beginChapter(_ heading: String, _ number: Int) throws(DecantError)
  func endChapter() throws(DecantError)

  /// Writes a heading above some of the lines of a part.
  func heading(_ text: String, _ object: PageReference?, level: Int) throws(DecantError)
  func lead(_ text: String) throws(DecantError)
  func paragraphs(_ text: String) throws(DecantError)
  /// Writes small print.
  func aside(_ text: String) throws(DecantError)

  /// Begins a list of names and values; `areFacts` is set for the few prominent ones at the top.
  func beginValues(areFacts: Bool) throws(DecantError)
  func beginValue(_ label: String) throws(DecantError)
  func endValue() throws(DecantError)
  func endValues() throws(DecantError)

  func beginList(isNumbered: Bool) throws(DecantError)
  func beginItem(_ object: PageReference?) throws(DecantError)
  /// Writes a line that a cook can tick off, if the form supports that.
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

  /// Writes the recipe for programs, with its main picture, if the form supports that.
  func data(of recipe: PageObject, picture: PageBytes?) throws(DecantError)
}

/// The parts of an object, by their layout.
enum PagePart {
  /// The ingredients and the steps of a recipe side by side; each of them.
  case columns, ingredients, steps
  /// Anything else that has a heading.
  case other
  /// Pictures.
  case gallery
}

/// The description of bytes that are shown.
struct PageCaption {
  /// The caption shown below them.
  var text: String?
  /// The description for people who cannot see them.
  var description: String
  /// The name of the attribute that holds them.
  var label: String
  /// A file name for them.
  var fileName: String
  /// The object they belong to, if it is shown only by them.
  var object: PageReference?
  /// The place to read them from again; `nil` if they belong to a row without a key.
  var origin: (object: PageReference, column: Int)?
  /// Whether they are the main picture of the object.
  var isLead = false
}
