internal import DecantJSON

extension Recipe {
  /// Takes a rating as a text has it; what is no number from more than 0 to 5 is kept under its `name`.
  mutating func takeRating(_ text: String, named name: String) {
    if let rating = Double(text), rating > 0, rating <= 5 {
      self.rating = rating
    } else {
      extra.append((name, .string(text)))
    }
  }
}
