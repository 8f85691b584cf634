package import DecantBase
package import DecantPlan

extension Mapping {
  /// Reads a mapping file.
  ///
  /// - Parameter path: The file, YAML or JSON in UTF-8, of at most 1 MiB; errors begin with it as it is given.
  /// - Returns: What it says; nothing is looked up in a model.
  /// - Throws: `DecantError` of the family `.usage` for a file that is not there or no text, and for every mistake in
  ///   it, then with its line and column; `.failed` where the system does not let it be read.
  package static func read(_ path: String) throws(DecantError) -> Mapping {
    let mapping = Mapping(place: path)
    return try mapping.read(MappingText(try MappingFile(path).scalars(), of: mapping))
  }

  /// Reads the text of a mapping file.
  ///
  /// - Parameters:
  ///   - text: YAML or JSON, at most 1 MiB of it.
  ///   - place: The file's name; errors begin with it.
  /// - Throws: `DecantError` of the family `.usage` for the first mistake in it, with its line and column.
  package init(text: String, place: String) throws(DecantError) {
    let mapping = Mapping(place: place)
    guard text.utf8.count <= MappingFile.largestByteCount else {
      throw MappingFile(place).tooLarge
    }
    var scalars = Array(text.unicodeScalars)
    if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
    self = try mapping.read(MappingText(scalars, of: mapping))
  }

  /// Returns this mapping, which says nothing yet, with all that `text` says.
  private func read(_ text: MappingText) throws(DecantError) -> Mapping {
    var reader = MappingReader(mapping: self)
    if let root = try text.root() { try reader.read(root) }
    return reader.mapping
  }
}
