/// Names under which known programs store a key, of which only the name is evidence.
package enum KnownSettings {
  /// WordPress's names, by the endings of table names, each with the table of the key.
  private static let wordPress: [String: [String: String]] = [
    "postmeta": [
      "_thumbnail_id": "posts", "_edit_last": "users", "_menu_item_menu_item_parent": "posts",
    ],
    "termmeta": ["thumbnail_id": "posts"],
    "usermeta": ["wp_dashboard_quick_press_last_post_id": "posts"],
    "options": [
      "page_on_front": "posts", "page_for_posts": "posts", "wp_page_for_privacy_policy": "posts",
      "site_icon": "posts", "site_logo": "posts", "default_category": "terms",
      "default_email_category": "terms", "default_link_category": "terms",
    ],
  ]

  /// Returns the table whose keys are stored under a name.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - table: The table with the name and the key.
  /// - Returns: The table's name, with the common prefix of all tables; `nil` for an unknown name.
  package static func target(of name: String, in table: String) -> String? {
    for (end, names) in wordPress where table.hasSuffix(end) {
      guard let target = names[name] else { continue }
      return table.dropLast(end.count) + target
    }
    return nil
  }
}
