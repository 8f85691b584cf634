internal import ArgumentParser
internal import DecantBase

extension Duration {
  /// Parses `60s`, `5m`, `1h`, or a number of seconds.
  init(argument: String) throws {
    let digits = argument.prefix { $0.isASCII && $0.isNumber }
    let units: [String: Int64] = ["": 1, "s": 1, "m": 60, "h": 3_600]
    guard let number = Int64(digits), number < 1_000_000, let unit = units[String(argument.dropFirst(digits.count))]
    else { throw ValidationError("“\(argument.shortened)” is not a time: write it as 60s or 5m") }
    self = .seconds(number * unit)
  }
}
