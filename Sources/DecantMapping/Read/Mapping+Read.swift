package import DecantBase
package import DecantPlan

extension Mapping {
  /// Reads a mapping file.
  ///
  /// - Parameter path: The file, YAML or JSON in UTF-8, of at most 1 MiB; errors begin with this path.
  /// - Returns: Its contents; names are not checked against a model.
  /// - Throws: `DecantError` of the family `.usage` for a file that is missing or not a text, and for mistakes in it
  ///   with line and column; `.failed` if the file cannot be read.
  package static func read(_ path: String) throws(DecantError) -> Mapping {
    let mapping = Mapping(place: path)
    return try mapping.read(MappingText(try MappingFile(path).scalars(), of: mapping))
  }

  /// Reads the text of a mapping file.
  ///
  /// - Parameters:
  ///   - text: YAML or JSON, at most 1 MiB.
  ///   - place: The file's name, with which errors begin.
  /// - Throws: `DecantError` of the family `.usage` for the first mistake in it, with line and column.
  package init(text: String, place: String) throws(DecantError) {
    let mapping = Mapping(place: place)
    guard text.utf8.count <= MappingFile.largestByteCount else {
      throw MappingFile(place).tooLarge
    }
    var scalars = Array(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self = try mapping.read(MappingText(scalars, of: mapping))
  }

  /// Returns this empty mapping, filled with the contents of `text`.
  private func read(_ text: MappingText) throws(DecantError) -> Mapping {
    var reader = MappingReader(mapping: self)
    if let root = try text.root() { try reader.read(root) }
    return reader.mapping
  }
}
