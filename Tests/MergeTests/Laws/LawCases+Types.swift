/// Keys of several tables, of which a column beside them names the one that is meant.
extension LawCases {
  static let types =
    djangoSites + [numberedType, newType, uncoveredType] + rails + taggings + typeRows

  /// As Django makes them: types in a table of their own, numbered by each site as they come.
  private static let djangoSchema = """
    CREATE TABLE django_content_type (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, app_label varchar(100) NOT NULL,
      model varchar(100) NOT NULL);
    CREATE UNIQUE INDEX django_content_type_uniq ON django_content_type (app_label, model);
    CREATE TABLE auth_user (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, username varchar(150) NOT NULL UNIQUE);
    CREATE TABLE shop_product (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, name varchar(50) NOT NULL UNIQUE);
    CREATE TABLE shop_vote (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, object_id integer unsigned NOT NULL,
      value integer NOT NULL,
      content_type_id integer NOT NULL REFERENCES django_content_type (id) DEFERRABLE INITIALLY DEFERRED,
      user_id integer NOT NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED);
    CREATE UNIQUE INDEX shop_vote_uniq ON shop_vote (content_type_id, object_id, user_id);
    CREATE TABLE django_admin_log (id integer NOT NULL PRIMARY KEY AUTOINCREMENT, object_id text NULL,
      object_repr varchar(200) NOT NULL UNIQUE,
      content_type_id integer NULL REFERENCES django_content_type (id) DEFERRABLE INITIALLY DEFERRED,
      user_id integer NOT NULL REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED)
    """

  private static let oneSite = """
    INSERT INTO django_content_type VALUES (1, 'auth', 'user'), (2, 'shop', 'product');
    INSERT INTO auth_user VALUES (1, 'ann'), (2, 'bob'); INSERT INTO shop_product VALUES (1, 'pan'), (2, 'pot');
    INSERT INTO shop_vote VALUES (1, 1, 5, 2, 1), (2, 2, 4, 2, 2), (3, 2, 3, 1, 1);
    INSERT INTO django_admin_log VALUES (1, '2', 'pot made', 2, 1), (2, '2', 'bob made', 1, 1), 
      (3, NULL, 'hello', NULL, 2), (4, '77', 'gone', 2, 2)
    """

  private static let otherSite = """
    INSERT INTO django_content_type VALUES (1, 'shop', 'product'), (2, 'auth', 'user');
    INSERT INTO auth_user VALUES (1, 'zoe'), (2, 'ann'); INSERT INTO shop_product VALUES (1, 'cup'), (2, 'pan');
    INSERT INTO shop_vote VALUES (1, 2, 1, 1, 2), (2, 1, 2, 2, 2);
    INSERT INTO django_admin_log VALUES (1, '1', 'cup made', 1, 1)
    """

  private static func djangoLinks(_ types: [(table: String, condition: String)]) -> [String] {
    ["shop_vote", "django_admin_log"].flatMap { table in
      types.flatMap { ["--link", "\(table).object_id -> \($0.table) WHERE \($0.condition)"] }
    }
  }

  private static let namedTypes = djangoLinks([
    ("auth_user", "content_type_id.app_label = 'auth' AND content_type_id.model = 'user'"),
    ("shop_product", "content_type_id.app_label = 'shop' AND content_type_id.model = 'product'"),
  ])

  /// Who voted for what, and what the log speaks of.
  private static func djangoFacts(_ pan: Int, _ others: [String] = [#"'cup made','product','cup'"#]) -> [LawCase.Fact] {
    [
      .init(
        """
        SELECT u.username, t.model, coalesce(p.name, o.username), v.value FROM shop_vote AS v
        JOIN auth_user AS u ON u.id = v.user_id JOIN django_content_type AS t ON t.id = v.content_type_id
        LEFT JOIN shop_product AS p ON t.model = 'product' AND p.id = v.object_id
        LEFT JOIN auth_user AS o ON t.model = 'user' AND o.id = v.object_id ORDER BY 1, 2, 3
        """,
        rows: ["'ann','product','pan',\(pan)", "'ann','user','bob',3"]
          + (others.isEmpty ? [] : ["'ann','user','zoe',2"]) + ["'bob','product','pot',4"]
      ),
      .init(
        """
        SELECT object_repr, t.model, coalesce(p.name, o.username) FROM django_admin_log AS l
        LEFT JOIN django_content_type AS t ON t.id = l.content_type_id
        LEFT JOIN shop_product AS p ON t.model = 'product' AND p.id = l.object_id
        LEFT JOIN auth_user AS o ON t.model = 'user' AND o.id = l.object_id ORDER BY 1
        """,
        rows: ["'bob made','user','bob'"] + others
          + ["'gone','product',NULL", "'hello',NULL,NULL", "'pot made','product','pot'"]
      ),
      .init("SELECT DISTINCT typeof(object_id) FROM django_admin_log ORDER BY 1", "'null'", "'text'"),
    ]
  }

  private static let djangoSites = ["skip", "update", "fill", "replace"].map { policy in
    LawCase(
      name: "two Django sites, \(policy)",
      schema: djangoSchema,
      source: oneSite,
      destination: otherSite,
      options: ["--merge", policy] + namedTypes,
      facts: djangoFacts(["update", "replace"].contains(policy) ? 5 : 1),
      counts: [
        "shop_vote": ["new": 2, "changed": 1], "django_admin_log": ["new": 4],
        "django_content_type": ["same": 2],
      ]
    )
  }

  private static let numberedType = LawCase(
    name: "a Django type by its number in the source",
    schema: djangoSchema,
    source: oneSite,
    destination: otherSite,
    options: djangoLinks([
      ("auth_user", "content_type_id = 1"), ("shop_product", "content_type_id = 2"),
    ]),
    facts: djangoFacts(1),
    // In a renumbered source types have other numbers, and the copy that is edited has the destination's.
    exempt: [.renumbering, .editedCopy]
  )

  private static let newType = LawCase(
    name: "a Django type that the destination has not met yet",
    schema: djangoSchema,
    source: oneSite,
    destination: "INSERT INTO django_content_type VALUES (1, 'auth', 'group')",
    options: namedTypes,
    facts: djangoFacts(5, []),
    counts: ["django_content_type": ["new": 2], "shop_vote": ["new": 3]]
  )

  private static let uncoveredType = LawCase(
    name: "asked: a Django type that no link covers",
    schema: djangoSchema,
    source: oneSite,
    destination: otherSite,
    options: Array(namedTypes.prefix(2) + namedTypes.suffix(4)),
    status: 64,
    says: [
      "--link 'shop_vote.object_id -> shop_product WHERE content_type_id = 2'",
      "shop_product (2 rows)",
      "--no-link shop_vote.object_id",
    ],
    exempt: [.renumbering]
  )

  /// As Rails makes them: class names, attachments of Active Storage too.
  private static let railsSchema = """
    CREATE TABLE posts (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, title varchar NOT NULL UNIQUE);
    CREATE TABLE people (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, name varchar NOT NULL UNIQUE);
    CREATE TABLE comments (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, body text NOT NULL UNIQUE,
      commentable_type varchar, commentable_id integer);
    CREATE TABLE active_storage_blobs (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, key varchar NOT NULL UNIQUE);
    CREATE TABLE active_storage_attachments (id integer PRIMARY KEY AUTOINCREMENT NOT NULL, name varchar NOT NULL,
      record_type varchar NOT NULL, record_id bigint NOT NULL,
      blob_id bigint NOT NULL REFERENCES active_storage_blobs (id));
    CREATE UNIQUE INDEX attachments_uniq ON active_storage_attachments (record_type, record_id, name, blob_id)
    """
  private static let railsSource = """
    INSERT INTO posts VALUES (1, 'b'), (2, 'c'); INSERT INTO people VALUES (1, 'bob'), (2, 'ann');
    INSERT INTO comments VALUES (1, 'on c', 'Post', 2), (2, 'on bob', 'Person', 1), (3, 'on nothing', NULL, NULL);
    INSERT INTO active_storage_blobs VALUES (1, 'face'), (2, 'view');
    INSERT INTO active_storage_attachments VALUES (1, 'avatar', 'Person', 2, 1), (2, 'image', 'Post', 1, 2)
    """
  private static let railsDestination = """
    INSERT INTO posts VALUES (1, 'a'), (2, 'b'); INSERT INTO people VALUES (1, 'ann'), (2, 'zoe');
    INSERT INTO comments VALUES (1, 'on a', 'Post', 1); INSERT INTO active_storage_blobs VALUES (1, 'face');
    INSERT INTO active_storage_attachments VALUES (1, 'avatar', 'Person', 1, 1)
    """
  private static let railsFacts: [LawCase.Fact] = [
    .init(
      """
      SELECT body, coalesce(title, name) FROM comments
      LEFT JOIN posts ON commentable_type = 'Post' AND posts.id = commentable_id
      LEFT JOIN people ON commentable_type = 'Person' AND people.id = commentable_id ORDER BY 1
      """,
      "'on a','a'",
      "'on bob','bob'",
      "'on c','c'",
      "'on nothing',NULL"
    ),
    .init(
      """
      SELECT a.name, coalesce(title, people.name), key FROM active_storage_attachments AS a
      JOIN active_storage_blobs AS b ON b.id = blob_id
      LEFT JOIN posts ON record_type = 'Post' AND posts.id = record_id
      LEFT JOIN people ON record_type = 'Person' AND people.id = record_id ORDER BY 1
      """,
      "'avatar','ann','face'",
      "'image','b','view'"
    ),
  ]
  private static let railsLinks = [
    "comments.commentable_id -> posts WHERE commentable_type = 'Post'",
    "comments.commentable_id -> people WHERE commentable_type = 'Person'",
    "active_storage_attachments.record_id -> posts WHERE record_type = 'Post'",
    "active_storage_attachments.record_id -> people WHERE record_type IN ('Person', 'Author')",
  ].flatMap { ["--link", $0] }

  private static let rails: [LawCase] =
    ["skip", "update"].map { policy in
      LawCase(
        name: "class names of Rails, \(policy)",
        schema: railsSchema,
        source: railsSource,
        destination: railsDestination,
        options: ["--merge", policy] + railsLinks,
        facts: railsFacts,
        counts: [
          "comments": ["new": 3], "active_storage_attachments": ["new": 1, "same": 1],
          "posts": ["new": 1, "same": 1],
        ]
      )
    }
    + [
      LawCase(
        name: "asked: class names of Rails",
        schema: railsSchema,
        source: railsSource,
        destination: railsDestination,
        status: 64,
        says: [
          "--link 'comments.commentable_id -> posts WHERE commentable_type = \"Post\"'",
          "--link 'comments.commentable_id -> people WHERE commentable_type = \"Person\"'",
          "--link 'active_storage_attachments.record_id -> people WHERE record_type = \"Person\"'",
        ],
        exempt: [.renumbering]
      ),
      LawCase(
        name: "class names of Rails, added behind what is there",
        schema: railsSchema,
        source:
          "INSERT INTO posts VALUES (1, 'c'); INSERT INTO comments VALUES (1, 'on c', 'Post', 1)",
        destination: railsDestination,
        verb: ["copy"],
        options: ["--append"] + railsLinks.prefix(2),
        facts: [
          .init(
            "SELECT body, title FROM comments JOIN posts ON posts.id = commentable_id ORDER BY 1",
            "'on a','a'",
            "'on c','c'"
          )
        ],
        counts: ["links": ["copied": 1]]
      ),
    ]

  /// A table that no integer names: its rows are told by the pair itself.
  private static let taggings = ["", " WITHOUT ROWID"].map { kind in
    LawCase(
      name: "a pair of a type and a key in a key of several columns\(kind)",
      schema: """
        CREATE TABLE post (id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE);
        CREATE TABLE photo (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE tagging (tag TEXT, item_type TEXT, item_id INTEGER, note TEXT,
          PRIMARY KEY (tag, item_type, item_id))\(kind)
        """,
      source: """
        INSERT INTO post VALUES (1, 'b'), (2, 'a'); INSERT INTO photo VALUES (1, 'y'), (2, 'z');
        INSERT INTO tagging VALUES ('red', 'post', 1, 'b!'), ('red', 'photo', 1, 'y!'), ('red', 'post', 2, 'a?')
        """,
      destination: """
        INSERT INTO post VALUES (1, 'a'); INSERT INTO photo VALUES (1, 'x');
        INSERT INTO tagging VALUES ('red', 'post', 1, 'a!'), ('red', 'photo', 1, 'x!')
        """,
      options: [
        "--merge", "update", "--link", "tagging.item_id -> post WHERE item_type = 'post'", "--link",
        "tagging.item_id -> photo WHERE item_type = 'photo'",
      ],
      facts: [
        .init(
          """
          SELECT coalesce(title, name), note FROM tagging
          LEFT JOIN post ON item_type = 'post' AND post.id = item_id
          LEFT JOIN photo ON item_type = 'photo' AND photo.id = item_id ORDER BY 1
          """,
          "'a','a?'",
          "'b','b!'",
          "'x','x!'",
          "'y','y!'"
        )
      ],
      // A row of a removed post leads nowhere, and cannot be without a key where there is another post under it.
      exempt: kind.isEmpty ? [] : [.editedCopy]
    )
  }
}
