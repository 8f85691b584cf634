internal import DecantBase

/// Writes the page as HTML, for a browser or for a mail program.
final class HTMLWriter: PageWriter {
  let output: PageOutput
  let store: PageStore
  /// The pictures of a mail, which are separate parts; in a page they are embedded.
  let attachments: MailPictures?
  /// Supplies the lines of the archive that the page carries.
  let archive: ByteGiver?

  /// Writes to `output`.
  init(to output: PageOutput, store: PageStore, attachments: MailPictures? = nil, archive: ByteGiver? = nil) {
    self.output = output
    self.store = store
    self.attachments = attachments
    self.archive = archive
  }

  private var isMail: Bool { attachments != nil }

  func begin(title: String, heading: String?, count: String?) throws(DecantError) {
    try PageHead(title: title, style: PageStyle.text, isMail: isMail).write(to: output)
    guard let heading else { return }
    try output.write("<header class=\"page cover\">\n<h1 dir=\"auto\">\(HTMLText.escaped(heading))</h1>\n")
    if let count { try output.write("<p class=\"count\">\(HTMLText.escaped(count))</p>\n") }
    try output.write("</header>\n")
  }

  func end() throws(DecantError) {
    try output.write("</main>\n")
    if archive != nil {
      try output.write(
        """
        <footer><p>This page also contains its content as data: <code>decant import</code> reads it \
        into a store.</p></footer>

        """
      )
    }
    if let archive { try ArchiveBlock.write(archive, to: output) }
    try output.write("</body>\n</html>\n")
    try output.flush()
  }

  func beginContents() throws(DecantError) {
    try output.write("<nav aria-label=\"Contents\">\n<ol>\n")
  }

  func contents(_ heading: String, _ number: Int) throws(DecantError) {
    try output.write(
      "<li class=\"chapter\"><a href=\"#c\(number)\" dir=\"auto\">\(HTMLText.escaped(heading))</a></li>\n")
  }

  func contents(_ title: String, _ object: PageReference) throws(DecantError) {
    try output.write("<li>")
    try link(title, object)
    try output.write("</li>\n")
  }

  func endContents() throws(DecantError) { try output.write("</ol>\n</nav>\n") }

  func beginChapter(_ heading: String, _ number: Int) throws(DecantError) {
    try output.write(
      "<section class=\"chapter\" id=\"c\(number)\">\n<h2 dir=\"auto\">\(HTMLText.escaped(heading))</h2>\n")
  }

  func endChapter() throws(DecantError) { try output.write("</section>\n") }

  func beginSection(_ heading: String) throws(DecantError) {
    try output.write("<section class=\"kind\">\n<h2 dir=\"auto\">\(HTMLText.escaped(heading))</h2>\n")
  }

  func endSection() throws(DecantError) { try output.write("</section>\n") }

  func beginObject(_ title: String?, _ object: PageReference?, level: Int, isRecipe: Bool) throws(DecantError) {
    let kind = isRecipe ? "recipe" : level <= 2 ? "object" : "inner"
    try output.write("<article class=\"\(kind)\"\(id(of: object))>\n")
    guard let title else { return }
    let level = min(max(level, 1), 6)
    try output.write("<h\(level) dir=\"auto\">\(HTMLText.escaped(title))</h\(level)>\n")
  }

  func endObject() throws(DecantError) { try output.write("</article>\n") }

  func beginPart(_ kind: PagePart, _ heading: String?, level: Int) throws(DecantError) {
    switch kind {
    case .columns: try output.write("<div class=\"columns\">\n")
    case .gallery: try output.write("<div class=\"gallery\">\n")
    case .ingredients: try output.write("<section class=\"ingredients\">\n")
    case .steps: try output.write("<section class=\"steps\">\n")
    case .other: try output.write("<section class=\"part\">\n")
    }
    guard let heading else { return }
    let level = min(level, 6)
    try output.write("<h\(level) dir=\"auto\">\(HTMLText.escaped(heading))</h\(level)>\n")
  }

  func endPart(_ kind: PagePart) throws(DecantError) {
    switch kind {
    case .columns, .gallery: try output.write("</div>\n")
    case .ingredients, .steps, .other: try output.write("</section>\n")
    }
  }

  func heading(_ text: String, _ object: PageReference?, level: Int) throws(DecantError) {
    let level = min(level, 6)
    try output.write("<h\(level)\(id(of: object)) dir=\"auto\">\(HTMLText.escaped(text))</h\(level)>\n")
  }

  func lead(_ text: String) throws(DecantError) {
    try output.write("<p class=\"lead\" dir=\"auto\">\(HTMLText.escaped(text))</p>\n")
  }

  func paragraphs(_ text: String) throws(DecantError) {
    for lines in HTMLText.paragraphs(of: text) {
      let shown = lines.map { HTMLText.escaped(String($0)) }.joined(separator: "<br>\n")
      try output.write("<p dir=\"auto\">\(shown)</p>\n")
    }
  }

  func aside(_ text: String) throws(DecantError) {
    try output.write("<p class=\"aside\" dir=\"auto\">\(HTMLText.escaped(text))</p>\n")
  }
}

// Lists and content within a line.
extension HTMLWriter {
  func beginValues(areFacts: Bool) throws(DecantError) {
    try output.write(areFacts ? "<dl class=\"facts\">\n" : "<dl>\n")
  }

  func beginValue(_ label: String) throws(DecantError) {
    try output.write("<div><dt dir=\"auto\">\(HTMLText.escaped(label))</dt><dd>")
  }

  func endValue() throws(DecantError) { try output.write("</dd></div>\n") }
  func endValues() throws(DecantError) { try output.write("</dl>\n") }

  func beginList(isNumbered: Bool) throws(DecantError) {
    try output.write(isNumbered ? "<ol>\n" : "<ul>\n")
  }

  func beginItem(_ object: PageReference?) throws(DecantError) {
    try output.write("<li\(id(of: object))>")
  }

  func ticked(_ line: () throws(DecantError) -> Void) throws(DecantError) {
    // Checkboxes are useless in a mail program.
    if !isMail { try output.write("<label><input type=\"checkbox\"><span>") }
    try line()
    if !isMail { try output.write("</span></label>") }
  }

  func endItem() throws(DecantError) { try output.write("</li>\n") }

  func endList(isNumbered: Bool) throws(DecantError) {
    try output.write(isNumbered ? "</ol>\n" : "</ul>\n")
  }

  func text(_ text: String, isStrong: Bool) throws(DecantError) {
    let shown = "<bdi>\(HTMLText.escaped(text))</bdi>"
    try output.write(isStrong ? "<strong>\(shown)</strong>" : shown)
  }

  func words(_ words: String) throws(DecantError) { try output.write(HTMLText.escaped(words)) }

  func link(_ title: String, _ object: PageReference) throws(DecantError) {
    let shown = HTMLText.escaped(title)
    try output.write("<a href=\"#\(object.anchor)\"><bdi>\(shown)</bdi></a>")
  }

  func address(_ address: String) throws(DecantError) {
    let shown = HTMLText.escaped(address)
    try output.write(
      "<a href=\"\(HTMLText.attribute(address))\" rel=\"noreferrer noopener nofollow\">"
        + "<bdi>\(shown)</bdi></a>"
    )
  }

  func id(of object: PageReference?) -> String {
    object.map { " id=\"\($0.anchor)\"" } ?? ""
  }

  func data(of recipe: PageObject, picture: PageBytes?) throws(DecantError) {
    guard !isMail else { return }
    try output.write("<script type=\"application/ld+json\">")
    try RecipeData(store: store, output: output).write(recipe, picture: picture)
    try output.write("</script>\n")
  }
}

extension PageReference {
  /// The name to which links within the page refer.
  var anchor: String { "o\(relation)-\(key)" }
}
