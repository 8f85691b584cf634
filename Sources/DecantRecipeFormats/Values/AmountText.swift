/// Amounts as people read them.
package enum AmountText {
  /// Returns `2`, `1.5`, without trailing zeros, and never with an exponent for amounts used in a kitchen.
  package static func text(_ amount: Double) -> String {
    let rounded = (amount * 1000).rounded() / 1000
    let isTold = rounded.isFinite && (rounded != 0 || amount == 0)
    let digits = "\(isTold ? rounded : amount)"
    return digits.hasSuffix(".0") ? String(digits.dropLast(2)) : digits
  }

  /// Returns a line assembled from its parts: “2 oz flour, sifted”.
  static func line(amount: Double?, to amountTo: Double? = nil, unit: String?, name: String?, note: String?) -> String {
    var amounts = amount.map(text)
    if let most = amountTo { amounts = (amounts.map { $0 + "–" } ?? "") + text(most) }
    let words = [amounts, unit, name].compactMap { $0 }.joined(separator: " ")
    guard let note else { return words }
    return words.isEmpty ? note : "\(words), \(note)"
  }
}
