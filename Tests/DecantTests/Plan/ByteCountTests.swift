import Testing

@testable import DecantPlan

@Suite struct ByteCountTests {
  @Test(arguments: [
    ("0", 0), ("17", 17), ("17B", 17), ("20MB", 20_000_000), ("20 mb", 20_000_000),
    ("64MiB", 67_108_864), ("1KiB", 1024), ("3GB", 3_000_000_000), ("1TiB", 1_099_511_627_776),
  ])
  func `a size is a number with a unit`(_ text: String, _ count: Int64) throws {
    #expect(try ByteCount.parse(text) == count)
  }

  @Test(arguments: [
    ("", "“” is not a size: write it as 20MB or 64MiB"),
    ("MB", "“MB” is not a size: write it as 20MB or 64MiB"),
    ("-5", "“-5” is not a size: write it as 20MB or 64MiB"),
    ("+5", "“+5” is not a size: write it as 20MB or 64MiB"),
    ("1.5MB", "“1.5MB” is not a size: write it as 20MB or 64MiB"),
    ("20MBit", "“20MBit” is not a size: write it as 20MB or 64MiB"),
    ("9223372036854775807kB", "the size “9223372036854775807kB” is too large"),
  ])
  func `what is no size is told how one is written`(_ text: String, _ message: String) {
    #expect {
      try ByteCount.parse(text)
    } throws: {
      ($0 as? ByteCount.Mistake)?.message == message
    }
  }
}
