package import DecantBase

extension Mapping {
  /// Returns the error of a mistake in this mapping, with the place in the file as editors and terminals know it.
  ///
  /// - Parameters:
  ///   - message: What is wrong, in one sentence without a full stop; names in it stand in “quotes”.
  ///   - mark: Where it stands in the file.
  ///   - remedy: What the user can do about it.
  ///   - code: What kind of mistake it is; of the family `.usage`.
  ///   - remedies: What the user can do about it, as values; `nil` for what the code says.
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

  /// The same in words that name no option.
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

  /// The name of a place in the file, such as `map.yaml:12:5`; where there is no file, of what takes its part.
  package func place(of mark: Mark) -> String {
    isInferred ? place : "\(place):\(mark.line):\(mark.column)"
  }

  /// What errors call the file.
  package var fileWord: String { word == "mapping" ? "mapping file" : word }
}
