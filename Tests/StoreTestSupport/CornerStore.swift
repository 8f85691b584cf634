internal import Decant
internal import Foundation
package import TestSupport

/// A store of the rarer shapes, written statement by statement as the format has them, and the model
/// that belongs to it.
///
/// Folders hold folders in order and pin items without inverse; items come in two kinds that both have
/// a `text`, lie in folders that keep their order (one end ordered) and bear tags (both ends ordered).
/// Folders are related one way and friends of each other. An item has a place made of parts.
package struct CornerStore {
  package let folder: TemporaryFolder
  package let model: String
  package let path: String

  /// Writes the store; `namer` names the table of the half-ordered relationship, of which Core Data's
  /// rule is not known.
  package init(namer: Namer = .folder) throws {
    folder = try TemporaryFolder()
    model = folder.path("Corners.xcdatamodel")
    path = folder.path("corners.sqlite")
    try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
    try Data(Self.contents.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
    _ = try Program.sqlite3(path, Self.tables + namer.table + Self.rows + namer.rows)
  }

  package enum Namer: CaseIterable {
    case folder, item

    fileprivate var table: String {
      switch self {
      case .folder:
        """
        CREATE TABLE Z_1ITEMS ( Z_1FOLDERS INTEGER, Z_2ITEMS INTEGER, Z_FOK_2ITEMS INTEGER, PRIMARY KEY (Z_1FOLDERS, Z_2ITEMS) );
        CREATE INDEX Z_1ITEMS_Z_2ITEMS_INDEX ON Z_1ITEMS (Z_2ITEMS, Z_1FOLDERS);
        """
      case .item:
        """
        CREATE TABLE Z_2FOLDERS ( Z_2ITEMS INTEGER, Z_1FOLDERS INTEGER, Z_FOK_2ITEMS INTEGER, PRIMARY KEY (Z_2ITEMS, Z_1FOLDERS) );
        CREATE INDEX Z_2FOLDERS_Z_1FOLDERS_INDEX ON Z_2FOLDERS (Z_1FOLDERS, Z_2ITEMS);
        """
      }
    }

    /// Folder 1 holds items 12, 10, 11 in this order, folder 3 holds 11.
    fileprivate var rows: String {
      "INSERT INTO \(name) (Z_1FOLDERS, Z_2ITEMS, Z_FOK_2ITEMS) VALUES "
        + "(1, 10, 3072), (1, 11, 4096), (1, 12, 2048), (3, 11, 2048);"
    }

    package var name: String { self == .folder ? "Z_1ITEMS" : "Z_2FOLDERS" }
  }

  private static let contents = """
    <model type="com.apple.IDECoreDataModeler.DataModel">
    <entity name="Folder">
      <attribute name="name" attributeType="String"/>
      <relationship name="parent" destinationEntity="Folder" inverseName="children" inverseEntity="Folder" maxCount="1" optional="YES"/>
      <relationship name="children" toMany="YES" ordered="YES" destinationEntity="Folder" inverseName="parent" inverseEntity="Folder" optional="YES"/>
      <relationship name="pins" toMany="YES" ordered="YES" destinationEntity="Item" optional="YES"/>
      <relationship name="items" toMany="YES" ordered="YES" destinationEntity="Item" inverseName="folders" inverseEntity="Item" optional="YES"/>
      <relationship name="related" toMany="YES" destinationEntity="Folder" inverseName="relatedBy" inverseEntity="Folder" optional="YES"/>
      <relationship name="relatedBy" toMany="YES" destinationEntity="Folder" inverseName="related" inverseEntity="Folder" optional="YES"/>
      <relationship name="friends" toMany="YES" destinationEntity="Folder" inverseName="friends" inverseEntity="Folder" optional="YES"/>
    </entity>
    <entity name="Item" isAbstract="YES">
      <attribute name="title" attributeType="String" optional="YES"/>
      <attribute name="_rank" attributeType="Integer 16" optional="YES"/>
      <attribute name="place" attributeType="Composite" composite="Place"/>
      <relationship name="cover" destinationEntity="Item" inverseName="coverOf" inverseEntity="Item" maxCount="1" optional="YES"/>
      <relationship name="coverOf" toMany="YES" destinationEntity="Item" inverseName="cover" inverseEntity="Item" optional="YES"/>
      <relationship name="folders" toMany="YES" destinationEntity="Folder" inverseName="items" inverseEntity="Folder" optional="YES"/>
      <relationship name="tags" toMany="YES" ordered="YES" destinationEntity="Tag" inverseName="items" inverseEntity="Tag" optional="YES"/>
    </entity>
    <entity name="Note" parentEntity="Item">
      <attribute name="text" attributeType="String" optional="YES"/>
    </entity>
    <entity name="Photo" parentEntity="Item">
      <attribute name="text" attributeType="String" optional="YES"/>
      <attribute name="data" attributeType="Binary" optional="YES" allowsExternalBinaryDataStorage="YES"/>
    </entity>
    <entity name="Tag">
      <attribute name="name" attributeType="String" optional="YES"/>
      <relationship name="items" toMany="YES" ordered="YES" destinationEntity="Item" inverseName="tags" inverseEntity="Item" optional="YES"/>
    </entity>
    <composite name="Place">
      <attribute name="city" attributeType="String" optional="YES"/>
      <attribute name="point" attributeType="Composite" composite="Point"/>
    </composite>
    <composite name="Point">
      <attribute name="latitude" attributeType="Double" optional="YES"/>
      <attribute name="longitude" attributeType="Double" optional="YES"/>
    </composite>
    </model>
    """

  private static let tables = """
    PRAGMA page_size = 2048; PRAGMA auto_vacuum = INCREMENTAL;
    CREATE TABLE ZFOLDER ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPARENT INTEGER, Z_FOK_PARENT INTEGER, ZNAME VARCHAR );
    CREATE TABLE ZITEM ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z_RANK INTEGER, ZCOVER INTEGER, Z2_COVER INTEGER, Z1PINS INTEGER, Z_FOK_1PINS INTEGER, ZLATITUDE FLOAT, ZLONGITUDE FLOAT, ZCITY VARCHAR, ZTITLE VARCHAR, ZTEXT VARCHAR, ZTEXT1 VARCHAR, ZDATA BLOB );
    CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR );
    CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, REFLEXIVE INTEGER, PRIMARY KEY (Z_1FRIENDS, REFLEXIVE) );
    CREATE TABLE Z_1RELATED ( Z_1RELATEDBY INTEGER, Z_1RELATED INTEGER, PRIMARY KEY (Z_1RELATEDBY, Z_1RELATED) );
    CREATE TABLE Z_2TAGS ( Z_2ITEMS1 INTEGER, Z_5TAGS INTEGER, Z_FOK_2ITEMS1 INTEGER, Z_FOK_5TAGS INTEGER, PRIMARY KEY (Z_2ITEMS1, Z_5TAGS) );
    CREATE INDEX ZFOLDER_ZPARENT_INDEX ON ZFOLDER (ZPARENT);
    CREATE INDEX ZITEM_Z_ENT_INDEX ON ZITEM (Z_ENT);
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    INSERT INTO Z_PRIMARYKEY VALUES (1, 'Folder', 0, 3), (2, 'Item', 0, 12), (3, 'Note', 2, 0), (4, 'Photo', 2, 0), (5, 'Tag', 0, 2);
    INSERT INTO Z_METADATA VALUES (1, 'C0C0A000-0000-4000-8000-000000000001', NULL);

    """

  private static let rows = """
    INSERT INTO ZFOLDER VALUES (1, 1, 1, NULL, NULL, 'top'), (2, 1, 1, 1, 3072, 'second'), (3, 1, 1, 1, 2048, 'first');
    INSERT INTO ZITEM VALUES
      (10, 3, 1, 7, 12, 4, 1, 3072, 52.5, 13.25, 'Berlin', 'a note', 'words', NULL, NULL),
      (11, 3, 2, NULL, 10, 3, 3, 2048, NULL, NULL, NULL, NULL, '', NULL, NULL),
      (12, 4, 1, -1, NULL, NULL, 1, 2048, 0.0, -0.5, '', 'a photo', NULL, 'caption', x'01FFD8FF');
    INSERT INTO ZTAG VALUES (1, 5, 1, 'red'), (2, 5, 1, 'blue');
    INSERT INTO Z_1FRIENDS VALUES (1, 2), (3, 1);
    INSERT INTO Z_1RELATED VALUES (1, 2), (2, 1), (2, 3), (3, 3);
    INSERT INTO Z_2TAGS VALUES (10, 1, 2048, 3072), (10, 2, 2048, 2048), (12, 1, 3072, 2048);

    """
}
