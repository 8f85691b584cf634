package import DecantBase
internal import DecantStore

/// The file that a diagram is written to; its extension determines the form.
package struct DiagramFile {
  /// The content of the file.
  package enum Form: String, CaseIterable, Sendable {
    /// A picture, drawn by Graphviz.
    case svg
    /// The graph in the language of Graphviz.
    case dot
    /// The graph in the language of Mermaid.
    case mermaid = "mmd"
  }

  package let path: String
  package let form: Form

  /// Names a file.
  ///
  /// - Parameter path: The file, which must not exist: `.svg`, `.dot` or `.mmd`.
  /// - Throws: `DecantError` of the family `.usage` for another extension, or if the file exists.
  package init(_ path: String) throws(DecantError) {
    let name = Files.name(of: path)
    let ending = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    guard let form = Form(rawValue: ending) else {
      throw DecantError(
        .invalidPlace,
        "“\(path)” has no extension that shows the kind of diagram",
        remedy: "let its name end in .svg, .dot or .mmd"
      )
    }
    (self.path, self.form) = (path, form)
    try OutputFile.checkIsNew(path)
  }

  /// Writes `diagram`: a picture if Graphviz is installed, otherwise the Mermaid graph into a file beside it.
  ///
  /// - Returns: Where it was written, and in which form.
  package func write(_ diagram: ModelDiagram) throws(DecantError) -> (path: String, form: Form) {
    switch form {
    case .dot: try PartialFile.publish(diagram.graphviz, at: path)
    case .mermaid: try PartialFile.publish(diagram.mermaid, at: path)
    case .svg:
      let isDrawn = try PartialFile.publishing(path) { partial throws(DecantError) in
        try Graphviz.draw(diagram.graphviz, to: partial)
      }
      guard !isDrawn else { break }
      let other = path.dropLast(form.rawValue.count) + Form.mermaid.rawValue
      try OutputFile.checkIsNew(String(other))
      try PartialFile.publish(diagram.mermaid, at: String(other))
      return (String(other), .mermaid)
    }
    return (path, form)
  }
}

/// The program `dot`, run as a child without a shell.
private enum Graphviz {
  /// Draws `graph` into the file at `path`.
  ///
  /// - Returns: Whether it was drawn; `false` if Graphviz is not installed.
  /// - Throws: `DecantError` if it is installed, but fails.
  static func draw(_ graph: String, to path: String) throws(DecantError) -> Bool {
    let folder = try ScratchFolder()
    defer { withExtendedLifetime(folder) {} }
    let (input, errors) = (folder.path + "/model.dot", folder.path + "/errors")
    let file = try OutputFile(input)
    file.write(graph)
    try file.close()
    guard let status = try ChildProgram.run(["dot", "-Tsvg", "-o", path, input], errors: errors) else { return false }
    guard status == 0 else {
      let said = Files.start(of: errors, count: 400).filter { $0 != 0 }
      let text = String(decoding: said, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
      throw DecantError(
        .systemFailed,
        "Graphviz could not draw the diagram\(text.isEmpty ? "" : ": \(text)")",
        remedy: "write the graph itself, into a file that ends in .dot or .mmd"
      )
    }
    return true
  }
}
