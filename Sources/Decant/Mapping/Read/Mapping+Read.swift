extension Mapping {
  /// Reads a mapping file.
  ///
  /// - Parameter path: The file, YAML or JSON in UTF-8, of at most 1 MiB; errors begin with the path as it is given.
  /// - Returns: What it says; nothing is looked up in a model.
  /// - Throws: `DecantError` with code `.usage` for a file that is not there or no text, and for every mistake in
  ///   it, then with its line and column.
  public static func read(_ path: String) throws(DecantError) -> Mapping {
    throw DecantError(.usage, "mapping files cannot be read yet", place: path)
  }

  /// Reads the text of a mapping file.
  ///
  /// - Parameters:
  ///   - text: YAML or JSON.
  ///   - place: The file's name; errors begin with it.
  /// - Throws: `DecantError` with code `.usage` for the first mistake in it, with its line and column.
  public init(text: String, place: String) throws(DecantError) {
    throw DecantError(.usage, "mapping files cannot be read yet", place: place)
  }
}
