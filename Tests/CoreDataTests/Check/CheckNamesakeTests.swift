import Decant
import Foundation
import StoreTestSupport
import TestSupport
import Testing

/// Entities of one name that are not the same one are told apart in words.
@Suite struct CheckNamesakeTests {
  private static let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
  private static let album = """
    <entity name="Album"><relationship name="cover" optional="YES" maxCount="1" destinationEntity="Asset"/></entity>
    """
  private static let old = """
    \(album)<entity name="Generic">\(title)</entity><entity name="Asset">\(title)</entity>
    <entity name="Film" parentEntity="Asset"/>
    """

  private func texts(_ new: String) throws -> [String: String] {
    let report = try VersionScene([Self.old, Self.album + new]).check()
    return Dictionary(report.changes.map { ("\($0.subject) \($0.kind)", $0.text) }) { one, _ in one
    }
  }

  @Test func `one is gone, and another has its name`() throws {
    let texts = try texts(
      """
      <entity name="Asset" elementID="Generic">\(Self.title)</entity>
      <entity name="Film" parentEntity="Asset"/>
      """
    )
    let exchange = "Asset, which was Generic, instead of the former Asset, which is gone"
    #expect(texts["Album.cover destinationChanged"]?.hasPrefix("points to \(exchange)") == true)
    #expect(texts["Film parentChanged"] == "inherits from \(exchange)")
    #expect(texts["Asset.title attributeMoved"] == "was declared by the former Asset, which is gone")
  }

  @Test func `one got another name, and a new one has its own`() throws {
    let texts = try texts(
      """
      <entity name="Picture" elementID="Asset">\(Self.title)</entity>
      <entity name="Asset" elementID="Other">\(Self.title)</entity>
      <entity name="Film" parentEntity="Picture"/>
      """
    )
    #expect(
      texts["Album.cover destinationChanged"]?.hasPrefix(
        "points to Asset, which is new, instead of the former Asset, which is Picture now"
      ) == true
    )
    #expect(texts["Film parentChanged"] == nil)
  }
}
