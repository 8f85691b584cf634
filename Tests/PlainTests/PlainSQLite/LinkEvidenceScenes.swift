/// Databases, and what is suggested for each.
extension LinkEvidenceTests {
  static let scenes: [Scene] = [
    Scene(
      name: "a prefix of all tables",
      sql: """
        CREATE TABLE app_users (id INTEGER PRIMARY KEY); INSERT INTO app_users VALUES (1), (2);
        CREATE TABLE app_posts (id INTEGER PRIMARY KEY, user_id INT, app_user INT);
        INSERT INTO app_posts VALUES (1, 2, 1)
        """,
      strong: ["app_posts.user_id -> app_users", "app_posts.app_user -> app_users"]
    ),
    Scene(
      name: "the name with the fewest words, of the same app, and a number of children",
      sql: """
        CREATE TABLE auth_user_groups (id INTEGER PRIMARY KEY); CREATE TABLE shop_group (id INTEGER PRIMARY KEY);
        CREATE TABLE auth_group (id INTEGER PRIMARY KEY); CREATE TABLE auth_right (id INTEGER PRIMARY KEY, group_id INT);
        CREATE TABLE page (id INTEGER PRIMARY KEY, numchild INT); \(numbers(30)) INSERT INTO page SELECT i, i FROM n;
        INSERT INTO auth_user_groups VALUES (1), (2); INSERT INTO shop_group VALUES (1), (2);
        INSERT INTO auth_group VALUES (1), (2); INSERT INTO auth_right VALUES (1, 2), (2, 1)
        """,
      strong: ["auth_right.group_id -> auth_group"]
    ),
    Scene(
      name: "the nearest name",
      sql: """
        CREATE TABLE homepage (id INTEGER PRIMARY KEY); INSERT INTO homepage VALUES (1), (2);
        CREATE TABLE core_page (id INTEGER PRIMARY KEY); INSERT INTO core_page VALUES (1), (2);
        CREATE TABLE entry (id INTEGER PRIMARY KEY, page_id INT); INSERT INTO entry VALUES (1, 2)
        """,
      strong: ["entry.page_id -> core_page"]
    ),
    Scene(
      name: "keys of one name, of which one table has all",
      sql: """
        CREATE TABLE blob (rid INTEGER PRIMARY KEY); INSERT INTO blob VALUES (1), (2), (3), (4);
        CREATE TABLE leaf (rid INTEGER PRIMARY KEY); INSERT INTO leaf VALUES (2), (4);
        CREATE TABLE event (type TEXT, rid INT); INSERT INTO event VALUES ('c', 2), ('c', 4)
        """,
      strong: ["leaf.rid -> blob", "event.rid -> blob"]
    ),
    Scene(
      name: "keys that are called like their own table",
      sql: """
        CREATE TABLE users (user_id INTEGER PRIMARY KEY); INSERT INTO users VALUES (1), (2);
        CREATE TABLE profile (user_id INTEGER PRIMARY KEY, bio); INSERT INTO profile VALUES (1, 'x'), (2, 'y')
        """,
      strong: ["profile.user_id -> users"]
    ),
    Scene(
      name: "two ends of one table, of which one is called like the table of the rows",
      sql: """
        CREATE TABLE user (id INTEGER PRIMARY KEY, name);
        \(numbers(9)) INSERT INTO user SELECT i, 'u' || i FROM n;
        CREATE TABLE follow (id INTEGER PRIMARY KEY, user_id INT, follow_id INT);
        \(numbers(12)) INSERT INTO follow SELECT i, i % 9 + 1, (i + i % 4) % 9 + 1 FROM n;
        CREATE TABLE reply (id INTEGER PRIMARY KEY, user_id INT, reply_id INT);
        \(numbers(12)) INSERT INTO reply SELECT i, i % 9 + 1, CASE WHEN i > 5 THEN i - 5 END FROM n
        """,
      strong: ["follow.user_id -> user", "reply.user_id -> user", "reply.reply_id -> reply"],
      weak: ["follow.follow_id -> user"]
    ),
    Scene(
      name: "keys of any table",
      sql: """
        CREATE TABLE roads (fid INTEGER PRIMARY KEY, lanes INT);
        CREATE TABLE houses (fid INTEGER PRIMARY KEY, floors INT);
        \(numbers(30)) INSERT INTO roads SELECT i, i % 4 + 1 FROM n;
        \(numbers(20)) INSERT INTO houses SELECT i, i % 3 + 1 FROM n
        """
    ),
    Scene(
      name: "values that hardly agree by chance",
      sql: """
        CREATE TABLE notes (id INTEGER PRIMARY KEY, text);
        CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INT, of INT);
        CREATE TABLE log (id INTEGER PRIMARY KEY, nid INT);
        INSERT INTO log VALUES (1, 1700000000014), (2, 1700000000021), (3, 1699999999999);
        \(numbers(30)) INSERT INTO notes SELECT 1700000000000 + i * 7, 'x' FROM n;
        \(numbers(30)) INSERT INTO cards SELECT i, 1700000000000 + i * 7, 1700000000000 + (i % 9 + 1) * 7 FROM n
        """,
      strong: ["cards.nid -> notes", "log.nid -> notes"],
      weak: ["cards.of -> notes"]
    ),
    Scene(
      name: "a name like a link's and values of any table",
      sql: """
        CREATE TABLE person (id INTEGER PRIMARY KEY); \(numbers(30)) INSERT INTO person SELECT i FROM n;
        CREATE TABLE film (id INTEGER PRIMARY KEY, director_id INT, status_id INT, year INT);
        INSERT INTO film VALUES (1, 20, 1, 30), (2, 21, 2, 29)
        """,
      weak: ["film.director_id -> person", "film.status_id -> film"]
    ),
    Scene(
      name: "most keys of a table",
      sql: """
        CREATE TABLE item (id INTEGER PRIMARY KEY); \(numbers(20)) INSERT INTO item SELECT i FROM n;
        CREATE TABLE log (id INTEGER PRIMARY KEY, what INT, position INT);
        \(numbers(20)) INSERT INTO log SELECT i, i, i FROM n
        """,
      weak: ["log.what -> item"]
    ),
    Scene(
      name: "a foreign key by name",
      sql: """
        CREATE TABLE place (id INTEGER PRIMARY KEY); INSERT INTO place VALUES (1), (2), (3);
        CREATE TABLE mark (id INTEGER PRIMARY KEY, type INT, fk INT); INSERT INTO mark VALUES (1, 1, 3)
        """,
      strong: ["mark.fk -> place"]
    ),
    Scene(
      name: "a table named after two others",
      sql: """
        CREATE TABLE books (id INTEGER PRIMARY KEY); INSERT INTO books VALUES (1), (2), (3);
        CREATE TABLE languages (id INTEGER PRIMARY KEY); INSERT INTO languages VALUES (1), (2), (3);
        CREATE TABLE books_languages_link (id INTEGER PRIMARY KEY, book INT, lang_code INT);
        INSERT INTO books_languages_link VALUES (1, 1, 1), (2, 2, 2), (3, 3, 1)
        """,
      strong: ["books_languages_link.book -> books", "books_languages_link.lang_code -> languages"]
    ),
    Scene(
      name: "pairs of a type and a key",
      sql: """
        CREATE TABLE article (id INTEGER PRIMARY KEY); INSERT INTO article VALUES (1), (2);
        CREATE TABLE photo (id INTEGER PRIMARY KEY); INSERT INTO photo VALUES (1), (2), (3);
        CREATE TABLE kind (id INTEGER PRIMARY KEY, model TEXT); INSERT INTO kind VALUES (7, 'article');
        CREATE TABLE comment (id INTEGER PRIMARY KEY, commentable_type TEXT, commentable_id INT);
        INSERT INTO comment VALUES (1, 'Article', 1), (2, 'Photo', 3);
        CREATE TABLE admin_log (id INTEGER PRIMARY KEY, content_type_id INT REFERENCES kind, object_id TEXT,
          to_content_type_id INT REFERENCES kind, to_object_id TEXT);
        INSERT INTO admin_log VALUES (1, 7, '1', 7, '2'), (2, 7, '2', 7, '1'), (3, 7, 'gone', NULL, NULL)
        """,
      strong: [
        #"comment.commentable_id -> article WHERE commentable_type = "Article""#,
        #"comment.commentable_id -> photo WHERE commentable_type = "Photo""#,
        #"admin_log.object_id -> article WHERE content_type_id.model = "article""#,
        #"admin_log.to_object_id -> article WHERE to_content_type_id.model = "article""#,
      ]
    ),
    Scene(
      name: "names of types",
      sql: """
        CREATE TABLE people (id INTEGER PRIMARY KEY); INSERT INTO people VALUES (1), (2);
        CREATE TABLE blog_pages (id INTEGER PRIMARY KEY); INSERT INTO blog_pages VALUES (1), (2), (3);
        CREATE TABLE wp_movies (id INTEGER PRIMARY KEY); INSERT INTO wp_movies VALUES (1), (2), (3), (4);
        CREATE TABLE note (id INTEGER PRIMARY KEY, subject_type TEXT, subject_id INT);
        INSERT INTO note VALUES (1, 'Person', 1), (2, 'Blog::Page', 3), (3, 'App\\Models\\Movie', 4),
          (4, 'Car', 2), (5, 'Van', 99)
        """,
      strong: [
        #"note.subject_id -> people WHERE subject_type = "Person""#,
        #"note.subject_id -> blog_pages WHERE subject_type = "Blog::Page""#,
        #"note.subject_id -> wp_movies WHERE subject_type = "App\Models\Movie""#,
      ],
      weak: [#"note.subject_id -> TABLE WHERE subject_type = "Car""#]
    ),
    Scene(
      name: "pairs by their values",
      sql: """
        CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3);
        CREATE TABLE photos (id INTEGER PRIMARY KEY); INSERT INTO photos VALUES (1), (2);
        CREATE TABLE app (id INTEGER PRIMARY KEY, name TEXT UNIQUE); INSERT INTO app VALUES (1, 'x'), (2, 'y');
        CREATE TABLE sort (id INTEGER PRIMARY KEY, app_id INT REFERENCES app, model TEXT, UNIQUE (app_id, model));
        INSERT INTO sort VALUES (7, 2, 'post'), (8, 1, 'photo');
        CREATE TABLE likes (id INTEGER PRIMARY KEY, who TEXT, what TEXT, ref_id INTEGER, flag INT);
        INSERT INTO likes VALUES (1, 'ann', 'post', 1, 1), (2, 'bob', 'Blog::Photo', 2, 2), (3, 'cid', 'post', 3, 2);
        CREATE TABLE mark (id INTEGER PRIMARY KEY, of TEXT, target INT); INSERT INTO mark VALUES (1, 'posts', 1), (2, 'photos', 2);
        CREATE TABLE note (id INTEGER PRIMARY KEY, about INT REFERENCES sort, object_id TEXT);
        INSERT INTO note VALUES (1, 7, '1'), (2, 8, '2'), (3, 7, 'gone');
        CREATE TABLE size (of TEXT PRIMARY KEY, dimension INT); INSERT INTO size VALUES ('posts', 2), ('photos', 2)
        """,
      strong: [
        #"likes.ref_id -> posts WHERE what = "post""#,
        #"likes.ref_id -> photos WHERE what = "Blog::Photo""#,
        #"note.object_id -> posts WHERE about.app_id.name = "y" AND about.model = "post""#,
        #"note.object_id -> photos WHERE about.app_id.name = "x" AND about.model = "photo""#,
      ],
      weak: [
        #"mark.target -> posts WHERE of = "posts""#, #"mark.target -> photos WHERE of = "photos""#,
      ]
    ),
    Scene(
      name: "types that are rows of a table, which nothing declares",
      sql: """
        CREATE TABLE django_content_type (id INTEGER PRIMARY KEY, app_label TEXT, model TEXT, UNIQUE (app_label, model));
        INSERT INTO django_content_type VALUES (7, 'blog', 'post'), (8, 'blog', 'photo');
        CREATE TABLE blog_post (id INTEGER PRIMARY KEY); INSERT INTO blog_post VALUES (1), (2);
        CREATE TABLE blog_photo (id INTEGER PRIMARY KEY); INSERT INTO blog_photo VALUES (1), (2), (3);
        CREATE TABLE tagged (id INTEGER PRIMARY KEY, content_type_id INTEGER, object_id INTEGER);
        INSERT INTO tagged VALUES (1, 7, 1), (2, 8, 3), (3, 7, 2)
        """,
      strong: [
        "tagged.content_type_id -> django_content_type",
        #"tagged.object_id -> blog_post WHERE content_type_id.app_label = "blog" AND content_type_id.model = "post""#,
        #"tagged.object_id -> blog_photo WHERE content_type_id.app_label = "blog" AND content_type_id.model = "photo""#,
      ]
    ),
    Scene(
      name: "a row that is more of another, and a key beside a pair that is none of it",
      sql: """
        CREATE TABLE place (id INTEGER PRIMARY KEY, name TEXT); INSERT INTO place VALUES (1, 'a'), (2, 'b'), (3, 'c');
        CREATE TABLE bar (place_ptr_id INTEGER PRIMARY KEY, beers INT); INSERT INTO bar VALUES (1, 7), (3, 9);
        CREATE TABLE hotplace (place_ptr_id INTEGER PRIMARY KEY, heat INT); INSERT INTO hotplace VALUES (2, 40);
        CREATE TABLE tag (id INTEGER PRIMARY KEY, target_type TEXT, target_id INT, favourite_xx_id INT);
        INSERT INTO tag VALUES (1, 'Bar', 1, 3), (2, 'Place', 2, 1)
        """,
      strong: [
        "bar.place_ptr_id -> place", "hotplace.place_ptr_id -> place",
        #"tag.target_id -> bar WHERE target_type = "Bar""#,
        #"tag.target_id -> place WHERE target_type = "Place""#,
      ],
      weak: ["tag.favourite_xx_id -> place"]
    ),
    Scene(
      name: "rows of a table that the name says, although a row of the same table may be meant",
      sql: """
        CREATE TABLE chat (_id INTEGER PRIMARY KEY, subject TEXT); \(numbers(19)) INSERT INTO chat SELECT i, 'x' FROM n;
        CREATE TABLE message (_id INTEGER PRIMARY KEY, chat_row_id INT); \(numbers(60)) INSERT INTO message SELECT i, 1 + i % 19 FROM n;
        CREATE TABLE message_add_on (_id INTEGER PRIMARY KEY, parent_message_row_id INT);
        INSERT INTO message_add_on SELECT _id / 2, _id FROM message WHERE _id % 2 = 0
        """,
      strong: ["message.chat_row_id -> chat", "message_add_on.parent_message_row_id -> message"]
    ),
    Scene(
      name: "a tree whose root is its own parent",
      sql: """
        CREATE TABLE folder (id INTEGER PRIMARY KEY, name TEXT, parent_id INT);
        \(numbers(25)) INSERT INTO folder SELECT i, 'x' || i, max(i / 2, 1) FROM n
        """,
      strong: ["folder.parent_id -> folder"]
    ),
    Scene(
      name: "settings of which some are keys",
      sql: """
        CREATE TABLE posts (id INTEGER PRIMARY KEY, title TEXT); \(numbers(40)) INSERT INTO posts SELECT i, 'x' FROM n;
        CREATE TABLE terms (id INTEGER PRIMARY KEY); INSERT INTO terms VALUES (1), (2), (3);
        CREATE TABLE postmeta (meta_id INTEGER PRIMARY KEY, post_id INT REFERENCES posts, meta_key TEXT, meta_value TEXT);
        INSERT INTO postmeta VALUES (1, 1, '_thumbnail_id', '20'), (2, 2, '_thumbnail_id', '31'), (3, 1, '_edit_lock', '170:1'),
          (4, 1, 'views', '17'), (5, 2, 'views', '2'), (6, 3, 'layout', 'wide'), (7, 3, 'order_id', '99'), (8, 4, 'ref_id', 'x'),
          (9, 4, '_menu_item_parent_id', '0'), (10, 5, 'main_term_id', '3');
        CREATE TABLE options (name TEXT PRIMARY KEY, value TEXT);
        INSERT INTO options VALUES ('page_size', '10'), ('title', 'x'), ('front_post_id', '5')
        """,
      strong: [#"postmeta.meta_value -> posts WHERE meta_key = "_thumbnail_id""#],
      weak: [
        #"postmeta.meta_value -> terms WHERE meta_key = "main_term_id""#,
        #"options.value -> posts WHERE name = "front_post_id""#,
      ]
    ),
    Scene(
      name: "settings that a known program keeps, and all keys of a table under one name",
      sql: """
        CREATE TABLE wp_users (ID INTEGER PRIMARY KEY); INSERT INTO wp_users VALUES (1), (2), (4);
        CREATE TABLE wp_posts (ID INTEGER PRIMARY KEY); \(numbers(40)) INSERT INTO wp_posts SELECT i FROM n;
        CREATE TABLE wp_postmeta (meta_id INTEGER PRIMARY KEY, meta_key TEXT, meta_value TEXT);
        INSERT INTO wp_postmeta VALUES (1, '_edit_last', '4'), (2, '_edit_last', '1'), (3, 'stars', '4');
        \(numbers(12)) INSERT INTO wp_postmeta SELECT 10 + i, 'checked', CASE i % 3 WHEN 0 THEN 4 ELSE i % 3 END FROM n;
        \(numbers(12)) INSERT INTO wp_postmeta SELECT 30 + i, 'rating', CASE i % 3 WHEN 0 THEN 4 ELSE i % 3 END FROM n;
        CREATE TABLE wp_options (option_id INTEGER PRIMARY KEY, option_name TEXT, option_value TEXT);
        INSERT INTO wp_options VALUES (1, 'page_on_front', '7'), (2, 'posts_per_page', '10'), (3, 'blogname', 'x')
        """,
      strong: [
        #"wp_postmeta.meta_value -> wp_users WHERE meta_key = "_edit_last""#,
        #"wp_options.option_value -> wp_posts WHERE option_name = "page_on_front""#,
      ],
      weak: [#"wp_postmeta.meta_value -> wp_users WHERE meta_key = "checked""#]
    ),
    Scene(
      name:
        "a last word that is a table's name, a table's part of another's key, and addresses that are no keys",
      sql: """
        CREATE TABLE visits (id INTEGER PRIMARY KEY, url TEXT, transition INT, visit_count INT);
        CREATE TABLE tabs (id INTEGER PRIMARY KEY, opener_visit INT, best_tab INT, all_visits INT);
        CREATE TABLE downloads (id INTEGER PRIMARY KEY, path TEXT);
        CREATE TABLE downloads_url_chains (id INTEGER NOT NULL, chain_index INTEGER NOT NULL, PRIMARY KEY (id, chain_index));
        \(numbers(50)) INSERT INTO visits SELECT i, 'https://x.org/' || (i % 9 + 1), 5, 2 FROM n;
        INSERT INTO tabs VALUES (1, 17, 1, 3), (2, 40, 2, 9);
        \(numbers(12)) INSERT INTO downloads SELECT i, 'x' FROM n; INSERT INTO downloads_url_chains SELECT id, 0 FROM downloads
        """,
      strong: ["downloads_url_chains.id -> downloads"],
      weak: ["tabs.opener_visit -> visits"]
    ),
    Scene(
      name: "keys behind a text",
      sql: """
        CREATE TABLE content (content_id INTEGER PRIMARY KEY, content_address BLOB, label TEXT, at TEXT);
        CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_title TEXT);
        CREATE TABLE text (old_id INTEGER PRIMARY KEY, old_text BLOB);
        CREATE TABLE log (log_id INTEGER PRIMARY KEY, what TEXT, uri TEXT, note TEXT);
        \(numbers(6)) INSERT INTO content SELECT i, 'tt:' || (7 - i), 'Content ' || i, '10:' || (10 + i) FROM n;
        \(numbers(6)) INSERT INTO page SELECT i, 'Page ' || i FROM n; \(numbers(6)) INSERT INTO text SELECT i, 'x' FROM n;
        INSERT INTO log VALUES (1, 'page-3', 'http://x/page/2', 'v.1'), (2, 'page-5', 'http://x/page/3', 'v.2'),
          (3, 'item-1', 'http://x/page/2', 'v.3'), (4, 'item-6', 'http://x/page/4', 'v.1');
        CREATE TABLE items (id INTEGER PRIMARY KEY); INSERT INTO items VALUES (1), (2), (6)
        """,
      strong: [
        #"content.content_address -> text WHERE content_address LIKE "tt:%""#,
        #"log.what -> items WHERE what LIKE "item-%""#,
        #"log.what -> page WHERE what LIKE "page-%""#,
      ],
      weak: [#"log.uri -> page WHERE uri LIKE "http://x/page/%""#]
    ),
    Scene(
      name: "one of many rows that lead back, and names that do not tell of which table",
      sql: """
        CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_title TEXT, page_latest INT, chief_id INT);
        CREATE TABLE revision (rev_id INTEGER PRIMARY KEY, rev_page INT, rev_text TEXT);
        CREATE TABLE text (old_id INTEGER PRIMARY KEY, old_text TEXT);
        CREATE TABLE simple_kind (id INTEGER PRIMARY KEY); CREATE TABLE dumb_kind (id INTEGER PRIMARY KEY);
        CREATE TABLE mark (id INTEGER PRIMARY KEY, parent_id INT, kind_id INT); CREATE TABLE grandparent (id INTEGER PRIMARY KEY);
        \(numbers(30)) INSERT INTO page SELECT i, 'x', i + 20, i % 9 + 1 FROM n;
        \(numbers(50)) INSERT INTO revision SELECT i, CASE WHEN i > 20 THEN i - 20 ELSE i END, 'x' FROM n;
        \(numbers(50)) INSERT INTO text SELECT i, 'x' FROM n; \(numbers(4)) INSERT INTO simple_kind SELECT i FROM n;
        INSERT INTO dumb_kind SELECT id FROM simple_kind; INSERT INTO grandparent SELECT id FROM simple_kind;
        INSERT INTO mark VALUES (1, NULL, 2), (2, 1, 3)
        """,
      strong: [
        "page.page_latest -> revision", "mark.parent_id -> mark",
      ],
      weak: ["page.chief_id -> page", "revision.rev_page -> page", "mark.kind_id -> simple_kind"]
    ),
    Scene(
      name: "keys that are counted from one number",
      sql: """
        CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE projects (id INTEGER PRIMARY KEY, user_id INT);
        CREATE TABLE months (id INTEGER PRIMARY KEY, tmonth INT, note_value TEXT);
        \(numbers(30)) INSERT INTO users SELECT 500 + i, 'x' FROM n;
        \(numbers(6)) INSERT INTO projects SELECT 500 + i, 510 + i FROM n;
        \(numbers(12)) INSERT INTO months SELECT 500 + i, i, 500 + i FROM n
        """,
      strong: ["projects.user_id -> users"]
    ),
    Scene(
      name: "the prefix of a table's columns, and numbers of rows",
      sql: """
        CREATE TABLE actor (actor_id INTEGER PRIMARY KEY, actor_name TEXT, actor_pages INT);
        CREATE TABLE page (page_id INTEGER PRIMARY KEY, page_title TEXT, page_actor INT);
        CREATE TABLE revision (rev_id INTEGER PRIMARY KEY, rev_actor INT, rev_text TEXT);
        CREATE TABLE text (id INTEGER PRIMARY KEY, value TEXT);
        INSERT INTO actor VALUES (1, 'a', 2), (2, 'b', 1); INSERT INTO page VALUES (1, 'p', 1), (2, 'q', 2);
        INSERT INTO revision VALUES (1, 2, '1'), (2, 1, '2'); INSERT INTO text VALUES (1, '1'), (2, '2')
        """,
      strong: ["page.page_actor -> actor", "revision.rev_actor -> actor"]
    ),
    Scene(
      name: "a name that is that of rows of another table",
      sql: """
        CREATE TABLE users (id INTEGER PRIMARY KEY); \(numbers(30)) INSERT INTO users SELECT i FROM n;
        CREATE TABLE enumerations (id INTEGER PRIMARY KEY, name TEXT, type TEXT);
        INSERT INTO enumerations VALUES (1, 'low', 'IssuePriority'), (2, 'high', 'IssuePriority'), (3, 'work', 'TimeEntryActivity');
        CREATE TABLE issues (id INTEGER PRIMARY KEY, priority_id INT, user_id INT); INSERT INTO issues VALUES (1, 1, 7), (2, 2, 9);
        CREATE TABLE time_entries (id INTEGER PRIMARY KEY, activity_id INT); INSERT INTO time_entries VALUES (1, 3), (2, 3)
        """,
      strong: [
        "issues.priority_id -> enumerations", "issues.user_id -> users",
        "time_entries.activity_id -> enumerations",
      ]
    ),
    Scene(
      name: "a few rows of types that no table is called after",
      sql: """
        CREATE TABLE posts (id INTEGER PRIMARY KEY); INSERT INTO posts VALUES (1), (2), (3);
        CREATE TABLE mark (id INTEGER PRIMARY KEY, target_type TEXT, target_id INT);
        INSERT INTO mark VALUES (1, 'Car', 1), (2, 'Van', 2)
        """,
      weak: [
        #"mark.target_id -> TABLE WHERE target_type = "Car""#,
        #"mark.target_id -> TABLE WHERE target_type = "Van""#,
      ]
    ),
    Scene(
      name: "names that shorten a table's",
      sql: """
        CREATE TABLE cards (id INTEGER PRIMARY KEY, nid INT); CREATE TABLE notes (id INTEGER PRIMARY KEY, mod INT);
        CREATE TABLE log (id INTEGER PRIMARY KEY, cid INT);
        \(numbers(30)) INSERT INTO notes SELECT 1700000000000 + i * 7, 5 FROM n;
        \(numbers(40)) INSERT INTO cards SELECT 1700000000000 + i * 7, 1700000000000 + (i % 30 + 1) * 7 FROM n;
        \(numbers(20)) INSERT INTO log SELECT 1600000000000 + i * 3, 1700000000000 + i * 7 FROM n;
        UPDATE notes SET mod = 1700000000007 WHERE mod = 5 AND id % 2 = 0
        """,
      strong: ["cards.nid -> notes", "log.cid -> cards"]
    ),
    Scene(
      name: "states, versions and persons",
      sql: """
        CREATE TABLE members (id INTEGER PRIMARY KEY); INSERT INTO members VALUES (1), (2), (3);
        CREATE TABLE users (id INTEGER PRIMARY KEY); INSERT INTO users VALUES (1), (2), (3), (4);
        CREATE TABLE issue_statuses (id INTEGER PRIMARY KEY); INSERT INTO issue_statuses VALUES (1), (2);
        CREATE TABLE versions (id INTEGER PRIMARY KEY); INSERT INTO versions VALUES (1), (2);
        CREATE TABLE issues (id INTEGER PRIMARY KEY, status_id INT, author_id INT);
        INSERT INTO issues VALUES (1, 1, 1), (2, 2, 3);
        CREATE TABLE pages (id INTEGER PRIMARY KEY, status INT, version INT); INSERT INTO pages VALUES (1, 1, 1), (2, 1, 2)
        """,
      strong: ["issues.status_id -> issue_statuses", "issues.author_id -> users"],
      weak: ["pages.status -> issue_statuses", "pages.version -> versions"]
    ),
    Scene(
      name: "a kind of album is no table",
      sql: """
        CREATE TABLE albums (id INTEGER PRIMARY KEY); INSERT INTO albums VALUES (1), (2);
        CREATE TABLE items (id INTEGER PRIMARY KEY, album_id INT, albumtype TEXT);
        INSERT INTO items VALUES (1, 1, 'single'), (2, 2, 'live')
        """,
      strong: ["items.album_id -> albums"]
    ),
    Scene(
      name: "texts that are no keys",
      sql: """
        CREATE TABLE tag (id INTEGER PRIMARY KEY); INSERT INTO tag VALUES (1), (2);
        CREATE TABLE post (id INTEGER PRIMARY KEY, tag TEXT, tag_id TEXT);
        INSERT INTO post VALUES (1, 'soup', '7-1'), (2, '2020', 'x')
        """
    ),
    Scene(
      name: "keys called id of tables whose names go on where another's ends",
      sql: """
        CREATE TABLE visits (id INTEGER PRIMARY KEY AUTOINCREMENT, url TEXT); \(numbers(60)) INSERT INTO visits SELECT i, 'x' FROM n;
        CREATE TABLE visit_source (id INTEGER PRIMARY KEY, source INT NOT NULL);
        \(numbers(9)) INSERT INTO visit_source SELECT i * 6, 3 FROM n;
        CREATE TABLE visit_flag (id INTEGER PRIMARY KEY, flag TEXT); INSERT INTO visit_flag VALUES (3, 'a'), (9, 'b');
        CREATE TABLE visit_text (id INTEGER PRIMARY KEY, body TEXT); \(numbers(60)) INSERT INTO visit_text SELECT i, 'x' FROM n;
        CREATE TABLE visit_queue (id INTEGER PRIMARY KEY, job TEXT); \(numbers(9)) INSERT INTO visit_queue SELECT 40 + i, 'x' FROM n;
        CREATE TABLE visit_log (id INTEGER PRIMARY KEY AUTOINCREMENT, line TEXT);
        \(numbers(9)) INSERT INTO visit_log SELECT i * 5 + 1, 'x' FROM n;
        CREATE TABLE visit_place (id INTEGER PRIMARY KEY, visit_id INT, at TEXT);
        \(numbers(9)) INSERT INTO visit_place SELECT i * 6 + 3, i + 20, 'x' FROM n;
        CREATE TABLE visit_view (id INTEGER PRIMARY KEY, visit INT REFERENCES visits, at TEXT);
        \(numbers(9)) INSERT INTO visit_view SELECT i * 4 + 3, i, 'x' FROM n
        """,
      strong: ["visit_source.id -> visits", "visit_text.id -> visits", "visit_place.visit_id -> visits"],
      weak: ["visit_flag.id -> visits"]
    ),
    Scene(
      name: "names that mean either of two tables, and numbers that name no row",
      sql: """
        CREATE TABLE auth_user (id INTEGER PRIMARY KEY); \(numbers(30)) INSERT INTO auth_user SELECT i FROM n;
        CREATE TABLE shop_author (id INTEGER PRIMARY KEY); \(numbers(20)) INSERT INTO shop_author SELECT i FROM n;
        CREATE TABLE shop_parent (id INTEGER PRIMARY KEY); \(numbers(20)) INSERT INTO shop_parent SELECT i FROM n;
        CREATE TABLE shop_node (id INTEGER PRIMARY KEY, parent_id INT, creator_id INT, number_editor INT);
        INSERT INTO shop_node VALUES (1, NULL, 7, 1), (2, 1, 9, 2), (3, 2, 7, 3);
        CREATE TABLE shop_child (id INTEGER PRIMARY KEY, parent_id INT); INSERT INTO shop_child VALUES (1, 2), (2, 1), (3, 3);
        CREATE TABLE shop_hiddenuser (id INTEGER PRIMARY KEY); INSERT INTO shop_hiddenuser VALUES (1), (2), (3);
        CREATE TABLE shop_hiddenuserprofile (id INTEGER PRIMARY KEY, user_id INT); INSERT INTO shop_hiddenuserprofile VALUES (1, 2), (2, 3);
        CREATE TABLE valid_parent (id INTEGER PRIMARY KEY); INSERT INTO valid_parent VALUES (1), (2), (3);
        CREATE TABLE my_note_table (id INTEGER PRIMARY KEY, my_note INT); INSERT INTO my_note_table VALUES (1, 1), (2, 1);
        CREATE TABLE my_mark_table (id INTEGER PRIMARY KEY, note_id INT); INSERT INTO my_mark_table VALUES (1, 2), (2, 1);
        CREATE TABLE leaf (id INTEGER PRIMARY KEY, parent_id INT); INSERT INTO leaf VALUES (1, NULL), (2, 1), (3, 2);
        CREATE TABLE ticketparent (parentid INTEGER PRIMARY KEY, at TEXT); INSERT INTO ticketparent VALUES (2, 'x'), (3, 'y');
        CREATE TABLE one (uuid INTEGER PRIMARY KEY); \(numbers(20)) INSERT INTO one SELECT i FROM n;
        CREATE TABLE two (uuid INTEGER PRIMARY KEY); INSERT INTO two VALUES (3), (5)
        """,
      strong: [
        "shop_child.parent_id -> shop_parent", "shop_hiddenuserprofile.user_id -> shop_hiddenuser",
        "my_mark_table.note_id -> my_note_table", "leaf.parent_id -> leaf",
      ],
      weak: [
        "shop_node.parent_id -> shop_parent", "shop_node.creator_id -> auth_user",
        "shop_node.number_editor -> auth_user",
      ]
    ),
    Scene(
      name: "a search index without a name",
      sql: """
        CREATE TABLE doc (id INTEGER PRIMARY KEY); INSERT INTO doc VALUES (1), (2);
        CREATE VIRTUAL TABLE search USING fts5 (body);
        CREATE VIRTUAL TABLE doc_fts USING fts5 (body);
        INSERT INTO search (rowid, body) VALUES (1, 'x'), (2, 'y');
        INSERT INTO doc_fts (rowid, body) VALUES (1, 'x'), (2, 'y');
        CREATE VIRTUAL TABLE few USING fts5 (body); INSERT INTO few (rowid, body) VALUES (1, 'x')
        """,
      strong: ["search.rowid -> doc", "doc_fts.rowid -> doc"],
      weak: ["few.rowid -> doc"]
    ),
  ]
}
