internal import DecantJSON

extension Recipe {
  /// Reads a rating from a text; anything but a number above 0 and up to 5 is kept in `extra` under `name`.
  mutating func takeRating(_ text: String, named name: String) {
    if let rating = Double(text), rating > 0, rating <= 5 {
      self.rating = rating
    } else {
      extra.append((name, .string(text)))
    }
  }
}
