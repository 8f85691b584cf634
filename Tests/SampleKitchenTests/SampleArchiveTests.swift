import Foundation
import TestSupport
import Testing

/// The packed parts of the samples, unpacked by python: metadata, model cache, pictures.
struct SampleArchiveTests {
  @Test(arguments: SamplesTests.files)
  func `the metadata names every entity and its sums are right`(file: String) throws {
    let script = """
      import base64, hashlib, plistlib, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      (version, uuid, blob), = db.execute('SELECT * FROM Z_METADATA')
      p = plistlib.loads(blob, fmt=plistlib.FMT_BINARY)
      h = p['NSStoreModelVersionHashes']
      names = [n for n, in db.execute('SELECT Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT < 16000')]
      assert version == 1 and len(uuid) == 36 and uuid == uuid.upper()
      assert set(h) == set(names) and all(len(x) == 32 for x in h.values())
      text = lambda digest: base64.b64encode(digest.digest()).decode()
      n = sorted(h)
      assert p['NSStoreModelVersionHashesDigest'] == text(
        hashlib.sha512(b''.join(x.encode() + h[x] for x in n)))
      assert p['NSStoreModelVersionChecksumKey'] == text(
        hashlib.sha256(b''.join(h[x] for x in n)))
      for k in sorted(p):
        if not k.startswith('NSStoreModelVersion') or k.endswith(('Version', 'Identifiers')):
          print(k, p[k])
      """
    let printed = try Samples.committed.python(file, script).split(separator: "\n").map(String.init)
    let own = [
      "NSPersistenceFrameworkVersion 1344", "NSStoreModelVersionHashesVersion 3",
      "NSStoreModelVersionIdentifiers ['kitchen 1']", "NSStoreType SQLite",
      "_NSAutoVacuumLevel 2",
    ]
    #expect(Set(own).isSubset(of: printed))
    let extra = printed.filter { !own.contains($0) }
    guard file == "SyncMetadata.sqlite" else {
      #expect(extra.isEmpty)
      return
    }
    #expect(extra.count == 4)
    #expect(extra.contains("dev.example.kitchen.theme paprika"))
    #expect(extra.contains("com.apple.coredata.ubiquity.ubiquitized True"))
  }

  @Test(arguments: SamplesTests.files)
  func `the model cache is a whole archive of the model`(file: String) throws {
    let script =
      SampleArchiveTests.unarchiver + """

        db = sqlite3.connect(sys.argv[1])
        objects, model = unarchive(db.execute('SELECT Z_CONTENT FROM Z_MODELCACHE').fetchone()[0])
        at = lambda u: objects[u.data] if isinstance(u, plistlib.UID) else u
        known = at(model['NSEntities'])
        keys = [at(k) for k in at(at(known['searchMapping'])['keys'])['NS.objects']]
        entities = dict(zip(keys, (at(v) for v in at(known['values'])['NS.objects'])))
        assert keys == sorted(keys)
        for name, e in entities.items():
          assert at(e['NSEntityName']) == name and at(e['NSManagedObjectModel']) is model
          d = at(e['NSProperties'])
          parent = at(e['NSSuperentity'])
          print(name, '<', parent['NSEntityName'] and at(parent['NSEntityName'])
            if parent != '$null' else None, 'abstract' if e.get('NSIsAbstract') else '')
          for k, v in sorted((at(k), at(v)) for k, v in zip(d['NS.keys'], d['NS.objects'])):
            assert at(v['NSPropertyName']) == k and at(v['NSEntity']) is e
            if 'NSDestinationEntity' in v:
              to = at(v['NSDestinationEntity'])
              inverse = at(v['NSInverseRelationship'])
              assert entities[at(v['_NSDestinationEntityName'])] is to
              assert at(inverse['NSEntity']) is to
              assert at(inverse['_NSInverseRelationshipName']) == k
        """
    let printed = try Samples.committed.python(file, script)
    #expect(
      printed.split(separator: "\n").map { $0.trimmingPrefix(" ").description.trimmed } == [
        "Category < None", "Image < None abstract", "Ingredient < None", "Recipe < None",
        "RecipeImage < Image", "Step < None", "StepImage < Image", "Tag < None",
      ]
    )
  }

  @Test(.enabled(if: Fixtures.areAvailable))
  func `the archive has the classes and fields of Core Data's own`() throws {
    let script =
      SampleArchiveTests.unarchiver + """

        def fields(path):
          seen = {}
          blob = sqlite3.connect(path).execute('SELECT Z_CONTENT FROM Z_MODELCACHE').fetchone()[0]
          objects, _ = unarchive(blob)
          for o in objects:
            if isinstance(o, dict) and '$class' in o:
              c = tuple(objects[o['$class'].data]['$classes'])
              seen.setdefault(c, set()).add(tuple(sorted(o)))
          return seen
        real = {}
        for path in sys.argv[2:]:
          for c, f in fields(path).items():
            real.setdefault(c, set()).update(f)
        for c, f in fields(sys.argv[1]).items():
          if c not in real or not f <= real[c]:
            print(c, f - real.get(c, set()))
        """
    let folder = try TemporaryFolder()
    let stores = try [
      "cdp-samplemodel-v1/SampleModel_V1.sqlite", "cyface-v11/V11TestData.sqlite",
      "cdp-samplemodel2-v2/SampleModel2_V2.sqlite", "ddg-bookmarks-v4/Bookmarks_V4.sqlite",
    ].map { try Fixtures.copyStore($0, into: folder.url).path }
    let samples = Samples.committed
    #expect(try samples.python("Kitchen.sqlite", script, others: stores) == "")
  }

  @Test(arguments: SamplesTests.files)
  func `every picture is a whole PNG`(file: String) throws {
    let script = """
      import sqlite3, struct, sys, zlib
      db = sqlite3.connect(sys.argv[1])
      rows = db.execute('SELECT ZDATA, ZBYTECOUNT, ZWIDTH, ZHEIGHT FROM ZIMAGE').fetchall()
      for data, count, width, height in rows:
        assert data[0] == 1 and len(data) - 1 == count < 4096
        png, kinds, packed = data[1:], [], b''
        assert png[:8] == b'\\x89PNG\\r\\n\\x1a\\n'
        at = 8
        while at < len(png):
          length, kind = struct.unpack('>I4s', png[at:at + 8])
          body = png[at + 8:at + 8 + length]
          assert zlib.crc32(kind + body) == struct.unpack('>I', png[at + 8 + length:][:4])[0]
          kinds.append(kind)
          packed += body if kind == b'IDAT' else b''
          if kind == b'IHDR':
            assert struct.unpack('>IIBBBBB', body) == (width, height, 8, 2, 0, 0, 0)
          at += 12 + length
        assert at == len(png) and kinds == [b'IHDR', b'IDAT', b'IEND']
        raw = zlib.decompress(packed)
        assert len(raw) == height * (1 + 3 * width) and set(raw[::1 + 3 * width]) == {0}
        assert len({raw[i:i + 3] for y in range(height) for i in
          range(y * (1 + 3 * width) + 1, (y + 1) * (1 + 3 * width), 3)}) > 4
      print(len(rows) > 0)
      """
    #expect(try Samples.committed.python(file, script) == "True")
  }

  @Test func `a transformable value is an archived dictionary`() throws {
    let script = """
      import plistlib, sqlite3, sys
      db = sqlite3.connect(sys.argv[1])
      blob, = db.execute("SELECT ZNUTRITION FROM ZRECIPE WHERE ZTITLE = 'Shakshuka'").fetchone()
      p = plistlib.loads(blob)
      o = p['$objects']
      root = o[p['$top']['root'].data]
      assert o[root['$class'].data]['$classname'] == 'NSDictionary'
      print({o[k.data]: o[v.data] for k, v in zip(root['NS.keys'], root['NS.objects'])})
      """
    let printed = try Samples.committed.python("Kitchen.sqlite", script)
    #expect(printed == "{'carbohydrate': 21.0, 'fat': 24.5, 'protein': 20.0}")
  }

  /// Unpacks a keyed archive, after checking that every reference in it leads somewhere.
  private static let unarchiver = """
    import plistlib, sqlite3, sys, zlib
    def unarchive(blob):
      p = plistlib.loads(zlib.decompress(blob, -15), fmt=plistlib.FMT_BINARY)
      assert p['$archiver'] == 'NSKeyedArchiver' and p['$version'] == 100000
      objects = p['$objects']
      assert objects[0] == '$null'
      def check(x):
        if isinstance(x, plistlib.UID): assert 0 <= x.data < len(objects)
        elif isinstance(x, dict): [check(v) for v in x.values()]
        elif isinstance(x, list): [check(v) for v in x]
      check(objects)
      assert {} not in objects
      return objects, objects[p['$top']['root'].data]
    """
}

extension String {
  /// The text without the spaces at its end.
  fileprivate var trimmed: String {
    var text = self
    while text.last == " " { text.removeLast() }
    return text
  }
}
