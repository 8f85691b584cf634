import DecantBase
import Testing

@testable import DecantPlan

@Suite struct ImageFormatTests {
  @Test(arguments: [
    ([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0], ImageFormat.png),
    ([0xff, 0xd8, 0xff, 0xe0], .jpeg), (Array("GIF89a…".utf8), .gif),
    (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP8 ".utf8), .webp),
    ([0, 0, 0, 24] + Array("ftypheic".utf8), .heic),
    ([0, 0, 0, 24] + Array("ftypavif".utf8), .avif),
    ([0x49, 0x49, 0x2a, 0, 8], .tiff), ([0x4d, 0x4d, 0, 0x2a], .tiff),
  ])
  func `a picture is known by its first bytes`(_ head: [UInt8], _ format: ImageFormat) {
    #expect(ImageFormat(head: head) == format)
    // One byte less than what tells it is not enough.
    let least = (0...head.count).first { ImageFormat(head: head.prefix($0)) != nil }
    #expect((3...12).contains(least ?? 0))
  }

  @Test(arguments: ["", "\u{1}", "RIFF1234WAVE", "1234ftypmp42", "bplist00", "GIF", "<svg>"])
  func `what is no picture is none`(_ text: String) {
    #expect(ImageFormat(head: Array(text.utf8)) == nil)
  }
}
