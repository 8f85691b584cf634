/// Databases of which the names of columns tell little, and what is suggested for each.
extension LinkEvidenceTests {
  static let nameScenes: [Scene] = [
    Scene(
      name: "files and folders of a media library, whose keys begin with id",
      sql: """
        CREATE TABLE path (idPath INTEGER PRIMARY KEY, strPath TEXT); CREATE TABLE files (idFile INTEGER PRIMARY KEY, idPath INT);
        CREATE TABLE movie (idMovie INTEGER PRIMARY KEY, idFile INT, year INT, playCount INT);
        CREATE TABLE bookmark (idBookmark INTEGER PRIMARY KEY, idFile INT, seconds INT);
        \(numbers(20)) INSERT INTO path SELECT i, 'x' FROM n; \(numbers(120)) INSERT INTO files SELECT i, i % 20 + 1 FROM n;
        \(numbers(100)) INSERT INTO movie SELECT i, i + 20, 1900 + i, i % 5 FROM n;
        \(numbers(12)) INSERT INTO bookmark SELECT i, i * 10, i * 7 FROM n
        """,
      strong: ["files.idPath -> path", "movie.idFile -> files", "bookmark.idFile -> files"]
    ),
    Scene(
      name: "keys that are called after another table's row, and a number for an order",
      sql: """
        CREATE TABLE message (_id INTEGER PRIMARY KEY AUTOINCREMENT, key_id TEXT, sort_id INT);
        CREATE TABLE message_media (message_row_id INTEGER PRIMARY KEY, path TEXT);
        CREATE TABLE message_thumbnail (message_row_id INTEGER PRIMARY KEY, thumbnail BLOB);
        CREATE TABLE message_add_on (_id INTEGER PRIMARY KEY AUTOINCREMENT, key_id TEXT);
        CREATE TABLE message_add_on_reaction (message_add_on_row_id INTEGER PRIMARY KEY, reaction TEXT);
        CREATE TABLE message_fts_content (docid INTEGER PRIMARY KEY, content TEXT);
        CREATE TABLE receipt_user (_id INTEGER PRIMARY KEY AUTOINCREMENT, message_row_id INT);
        \(numbers(240)) INSERT INTO message SELECT i, 'k' || i, i FROM n;
        INSERT INTO message_media SELECT _id, 'x' FROM message WHERE _id % 4 = 0;
        INSERT INTO message_thumbnail SELECT message_row_id, x'01' FROM message_media;
        \(numbers(30)) INSERT INTO message_add_on SELECT i, 'a' || i FROM n;
        INSERT INTO message_add_on_reaction SELECT _id, 'x' FROM message_add_on;
        INSERT INTO message_fts_content SELECT _id, 'x' FROM message;
        \(numbers(300)) INSERT INTO receipt_user SELECT i, i % 240 + 1 FROM n
        """,
      strong: [
        "message_media.message_row_id -> message", "message_thumbnail.message_row_id -> message",
        "message_add_on_reaction.message_add_on_row_id -> message_add_on", "message_fts_content.docid -> message",
        "receipt_user.message_row_id -> message",
      ],
      weak: ["message.sort_id -> message"]
    ),
    Scene(
      name: "keys with gaps, the names of which tell only together with the table's",
      sql: """
        CREATE TABLE image (id_local INTEGER PRIMARY KEY, cacheOfSettings INT);
        CREATE TABLE imageSettings (id_local INTEGER PRIMARY KEY, image INT);
        CREATE TABLE libraryKeyword (id_local INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE libraryKeywordImage (id_local INTEGER PRIMARY KEY, image INT, tag INT, place INT);
        \(numbers(80)) INSERT INTO image SELECT 2000 + i * 5, 3000 + i * 5 FROM n;
        INSERT INTO imageSettings SELECT cacheOfSettings, id_local FROM image;
        \(numbers(12)) INSERT INTO libraryKeyword SELECT 5000 + i * 4, 'k' || i FROM n;
        \(numbers(200)) INSERT INTO libraryKeywordImage SELECT 6000 + i, 2000 + (i % 80 + 1) * 5, 5000 + (i % 9 + 1) * 4, i % 7 FROM n
        """,
      strong: [
        "image.cacheOfSettings -> imageSettings", "imageSettings.image -> image", "libraryKeywordImage.image -> image",
        "libraryKeywordImage.tag -> libraryKeyword",
      ]
    ),
    Scene(
      name: "a name that begins that of a table, beside a join table whose rows link back",
      sql: """
        CREATE TABLE user (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE);
        CREATE TABLE repository (id INTEGER PRIMARY KEY AUTOINCREMENT, owner_id INTEGER, name TEXT);
        CREATE TABLE issue (id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER, "index" INTEGER, poster_id INTEGER, name TEXT);
        CREATE TABLE label (id INTEGER PRIMARY KEY AUTOINCREMENT, repo_id INTEGER, name TEXT);
        CREATE TABLE issue_label (id INTEGER PRIMARY KEY AUTOINCREMENT, issue_id INTEGER, label_id INTEGER);
        \(numbers(60)) INSERT INTO user SELECT i, 'u' || i FROM n;
        \(numbers(60)) INSERT INTO repository SELECT i, 1 + i % 60, 'r' || i FROM n;
        \(numbers(60)) INSERT INTO issue SELECT i, 1 + i * 7 % 60, i, 1 + i * 11 % 60, 'i' FROM n;
        \(numbers(60)) INSERT INTO label SELECT i, 1 + i % 60, 'lab' FROM n;
        \(numbers(60)) INSERT INTO issue_label SELECT i, 1 + i * 7 % 60, 1 + i * 13 % 60 FROM n
        """,
      strong: [
        "repository.owner_id -> user", "issue.repo_id -> repository", "label.repo_id -> repository",
        "issue_label.issue_id -> issue", "issue_label.label_id -> label",
      ],
      weak: ["issue.poster_id -> user"]
    ),
    Scene(
      name: "a key of several columns that begins with another table's key, from two rows on",
      sql: """
        CREATE TABLE downloads (id INTEGER PRIMARY KEY, path TEXT); INSERT INTO downloads VALUES (1, 'x'), (2, 'y');
        CREATE TABLE downloads_chains (id INT, place INT, url TEXT, PRIMARY KEY (id, place));
        INSERT INTO downloads_chains VALUES (1, 0, 'a'), (1, 1, 'b'), (2, 0, 'c');
        CREATE TABLE downloads_log (id INT, url TEXT); INSERT INTO downloads_log VALUES (1, 'a'), (2, 'b')
        """,
      strong: ["downloads_chains.id -> downloads"],
      weak: ["downloads_log.id -> downloads"]
    ),
    Scene(
      name: "a tree in two tables",
      sql: """
        CREATE TABLE images (id INTEGER PRIMARY KEY, name TEXT); \(numbers(100)) INSERT INTO images SELECT i, 'x' FROM n;
        CREATE TABLE tags (id INTEGER PRIMARY KEY, pid INT, name TEXT); \(numbers(25)) INSERT INTO tags SELECT i, i / 5, 'x' FROM n;
        CREATE TABLE tagsTree (id INT NOT NULL, pid INT NOT NULL, UNIQUE (id, pid));
        INSERT INTO tagsTree SELECT id, 0 FROM tags UNION ALL SELECT id, pid FROM tags WHERE pid > 0
        """,
      strong: ["tags.pid -> tags", "tagsTree.id -> tags", "tagsTree.pid -> tags"]
    ),
    Scene(
      name: "coordinates of an R-tree",
      sql: """
        CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT); \(numbers(30)) INSERT INTO place SELECT i, 'x' FROM n;
        CREATE VIRTUAL TABLE area USING rtree_i32 (id, a, b, +place_id INTEGER);
        \(numbers(30)) INSERT INTO area SELECT i, i, i, 31 - i FROM n
        """,
      strong: ["area.place_id -> place"]
    ),
  ]
}
