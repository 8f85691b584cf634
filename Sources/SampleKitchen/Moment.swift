/// A point in time as Core Data stores it: seconds since 2001-01-01 00:00 UTC.
struct Moment: Hashable {
  let seconds: Double

  /// Makes the moment of a day and time, in UTC.
  init(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int, _ second: Double = 0) {
    let clock = Double(hour * 3600 + minute * 60) + second
    seconds = Double(Moment.days(year, month, day) - Moment.days(2001, 1, 1)) * 86_400 + clock
  }

  private init(seconds: Double) {
    self.seconds = seconds
  }

  /// Returns the moment that is `seconds` later.
  func after(_ seconds: Double) -> Moment {
    Moment(seconds: self.seconds + seconds)
  }

  /// Counts days of the Gregorian calendar; years begin in March, so that the leap day is last.
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month < 3 ? year - 1 : year
    let months = (month + 9) % 12
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + (months * 153 + 2) / 5
      + day
  }
}
