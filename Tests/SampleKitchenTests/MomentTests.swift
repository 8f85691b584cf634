import Foundation
import Testing

@testable import SampleKitchen

struct MomentTests {
  @Test(arguments: [
    (2001, 1, 1), (2000, 2, 29), (2000, 12, 31), (1999, 3, 1), (2024, 2, 29), (2023, 10, 1),
    (1900, 2, 28), (2100, 3, 1),
  ])
  func `a date is as far from 2001 as Foundation has it`(year: Int, month: Int, day: Int) throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let components = DateComponents(year: year, month: month, day: day, hour: 13, minute: 7)
    let date = try #require(calendar.date(from: components))
    #expect(Moment(year, month, day, 13, 7).seconds == date.timeIntervalSinceReferenceDate)
  }

  @Test func `identifiers are the same every time and marked as made by hand`() {
    #expect(Identifier.text("a") == Identifier.text("a"))
    #expect(Identifier.text("a") != Identifier.text("b"))
    #expect(UUID(uuidString: Identifier.text("a"))?.uuidString == Identifier.text("a"))
    #expect(Identifier.bytes("a")[6] >> 4 == 8)
  }
}
