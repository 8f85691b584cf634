import Foundation
import Testing

@testable import SampleKitchen

struct Base64Tests {
  @Test(arguments: 0..<7)
  func `base64 agrees with Foundation`(count: Int) {
    let bytes = (0..<UInt8(count)).map { 250 &+ $0 &* 77 }
    #expect(Base64.encode(bytes) == Data(bytes).base64EncodedString())
  }
}
