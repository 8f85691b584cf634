import Foundation
import TestSupport
import Testing

@testable import DecantBase

@Suite struct DateTextTests {
  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (0.5, "2001-01-01T00:00:00.5Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"), (-1.0, "2000-12-31T23:59:59Z"),
    (1e-9, "2001-01-01T00:00:00.000000001Z"), (0.000012, "2001-01-01T00:00:00.000012Z"),
    (1e-12, "2001-01-01T00:00:00Z"), (-1e-12, "2000-12-31T23:59:59.999999999Z"),
    (717_870_059.999, "2023-10-01T16:20:59.999Z"), (-978_307_200.0, "1970-01-01T00:00:00Z"),
    // What Foundation calls the distant past, by the Julian calendar the first day of the year 1, and
    // the distant future.
    (-63_114_076_800.0, "0000-12-30T00:00:00Z"), (63_113_904_000.0, "4001-01-01T00:00:00Z"),
    (-63_145_526_400.0, "0000-01-01T00:00:00Z"),
    (252_423_993_599.0, "9999-12-31T23:59:59Z"),
    (252_423_993_600.0, nil), (-63_145_526_401.0, nil), (123_456_789_012_345.0, nil),
    (.infinity, nil), (-.infinity, nil), (.nan, nil), (1e300, nil), (-1e300, nil),
  ])
  func `seconds become a date in ISO 8601`(_ seconds: Double, _ text: String?) {
    #expect(DateText.text(of: seconds) == text)
  }

  @Test(arguments: [
    ("2001-01-01", 0.0), ("2001-01-01T00:00", 0), ("2001-01-02 00:00:01", 86_401),
    ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T19:00:00-0500", 0),
    ("2001-01-01T00:00:00.25Z", 0.25), ("2000-02-29", -26_524_800), ("2024-02-29", 730_857_600),
  ])
  func `a date in several forms becomes seconds`(_ text: String, _ seconds: Double) {
    #expect(DateText.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    "", "today", "2001", "2001-1-1", "2001-13-01", "2001-00-01", "2001-02-29", "1900-02-29",
    "2001-04-31", "2001-01-01T24:00:00", "2001-01-01T00:60:00", "2001-01-01T00:00:60",
    "2001-01-01Z", "2001-01-01T00:00:00+25:00", "2001-01-01T", " 2001-01-01", "2001-01-01 ",
    "2001-01-01T00:00:00.Z", "٢٠٠١-٠١-٠١", "+001-01-01", "31.01.2001",
  ])
  func `what is no date is none`(_ text: String) {
    #expect(DateText.seconds(of: text) == nil)
  }

  @Test(arguments: SeededGenerator.seeds(1))
  func `python's calendar says the same`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    // From the year 1, where python's calendar begins, to 9999.
    let seconds = (0..<500).map { _ in
      Int64.random(in: -63_113_904_000..<252_423_993_600, using: &generator)
    }
    let script = """
      import datetime, sys
      for line in sys.argv[1].split():
        print((datetime.datetime(2001, 1, 1) + datetime.timedelta(seconds=int(line))).isoformat() + "Z")
      """
    let list = seconds.map { String($0) }.joined(separator: " ")
    let run = try Program.run(["python3", "-c", script, list])
    #expect(run.status == 0, "\(run.errors)")
    let lines = run.output.split(separator: "\n").map { String($0) }
    #expect(lines.count == seconds.count)
    for (number, line) in zip(seconds, lines) {
      #expect(DateText.text(of: Double(number)) == line)
      #expect(DateText.seconds(of: line) == Double(number))
    }
  }

  @Test(arguments: SeededGenerator.seeds(1))
  func `a text is exact, or there is none`(_ seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var exact = 0
    for _ in 0..<2_000 {
      // As apps write dates: some time of this century, to the fraction that a clock gives.
      let seconds = Double.random(in: 3e8..<9e8, using: &generator)
      guard let text = DateText.exactText(of: seconds) else { continue }
      exact += 1
      #expect(DateText.seconds(of: text) == seconds)
    }
    // Nine digits suffice where a number has so few behind the point, as nearly all of these do.
    #expect(exact > 1_990)
    #expect(DateText.exactText(of: 1e-12) == nil)
    #expect(DateText.exactText(of: 1e300) == nil)
    #expect(DateText.exactText(of: -0.25) == "2000-12-31T23:59:59.75Z")
  }
}
