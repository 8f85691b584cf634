package import DecantBase

extension Mapping {
  /// Returns the error for a mistake in this mapping, with its place in the file.
  ///
  /// - Parameters:
  ///   - message: What is wrong, in one sentence without a full stop; names are in “quotes”.
  ///   - mark: The place in the file.
  ///   - remedy: What the user can do.
  ///   - code: The kind of mistake, of the family `.usage`.
  ///   - remedies: The remedies as values; `nil` for those of the code.
  /// - Returns: An error with a place such as `map.yaml:12:5`.
  package func mistake(
    _ message: DecantError.Text,
    at mark: Mark,
    remedy: DecantError.Text? = nil,
    code: DecantError.Code = .invalidMapping,
    remedies: [DecantError.Remedy]? = nil
  ) -> DecantError {
    DecantError(code, message, place: "\(place(of: mark))", remedy: remedy, remedies: remedies)
  }

  /// Returns the same error with texts that name no option.
  package func mistake(
    _ message: String,
    at mark: Mark,
    remedy: String? = nil,
    code: DecantError.Code = .invalidMapping,
    remedies: [DecantError.Remedy]? = nil
  ) -> DecantError {
    let words = remedy.map { DecantError.Text($0) }
    return mistake(DecantError.Text(message), at: mark, remedy: words, code: code, remedies: remedies)
  }

  /// Returns the name of a place in the file, such as `map.yaml:12:5`; without a file, of its substitute.
  package func place(of mark: Mark) -> String {
    isInferred ? place : "\(place):\(mark.line):\(mark.column)"
  }

  /// The word for the file in errors.
  package var fileWord: String { word == "mapping" ? "mapping file" : word }
}
