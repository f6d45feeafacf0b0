/// The map page as the server shows it: the same page that `roqua map` writes, and a script that
/// listens to changes and loads what is new.
struct LivePage: Sendable {
  /// The page in UTF-8.
  let html: [UInt8]
  /// What a page that is open needs after a change: an object of JSON with the page's own members
  /// `page`, `cells`, `lists` and `regions`.
  let update: [UInt8]
  /// The entity tag of ``update``, which the page knows of what it shows.
  let tag: String

  /// Makes the page of a written map.
  ///
  /// - Parameter tag: an entity tag: letters, digits and hyphens in quotation marks.
  init(map: [UInt8], tag: String) {
    self.tag = tag
    let text = String(decoding: map, as: UTF8.self)
    let policy = "script-src 'unsafe-inline'"
    html = Array(
      text.replacing(policy, with: "connect-src 'self'; " + policy, maxReplacements: 1)
        .replacing(
          "</body>", with: "<script>\n\(Self.script(tag))</script>\n</body>",
          maxReplacements: 1
        )
        .utf8)
    let page = Self.content(of: "page", in: text).replacing("\\u003c", with: "<")
    let others = ["cells", "lists", "regions"].map { id in
      ",\"\(id)\":\"\(Self.content(of: id, in: text))\""
    }
    update = Array("{\"page\":\(page)\(others.joined())}".utf8)
  }

  /// The content of a script element of the page. It is Base64 or JSON, which has no markup.
  private static func content(of id: String, in html: String) -> Substring {
    guard let open = html.firstRange(of: "<script id=\"\(id)\""),
      let start = html[open.upperBound...].firstRange(of: ">"),
      let end = html[start.upperBound...].firstRange(of: "</script>")
    else { return "" }
    return html[start.upperBound..<end.lowerBound]
  }

  /// Loads what changed, at most every two seconds, and says so to screen readers. Looks for
  /// changes whenever the connection opens: while it was not open, some may have been missed.
  private static func script(_ tag: String) -> String {
    """
    "use strict";
    (() => {
      const note = document.createElement("p");
      note.id = "live";
      note.setAttribute("role", "status");
      note.style.cssText = "margin:8px 0 0;font-size:12px;opacity:.75";
      element("panel").querySelector("header").append(note);
      const events = new EventSource("/events");
      let [tag, text] = ['\(tag)', "Live"];
      let [isWaiting, isAgain] = [false, false];
      async function look() {
        await app.started;
        const headers = { "If-None-Match": tag };
        const answer = await fetch("/map.json", { credentials: "same-origin", headers });
        if (answer.status === 304) return;
        if (!answer.ok) throw new Error(answer.statusText);
        const { page: next, cells, lists, regions } = await answer.json();
        Object.assign(page, next);
        app.tiles.reload(cells);
        await app.renew(lists, regions);
        tag = answer.headers.get("etag");
        text = `Live, last change at ${new Date().toLocaleTimeString()}`;
      }
      async function refresh() {
        if (isWaiting) return void (isAgain = true);
        [isWaiting, isAgain] = [true, false];
        try {
          await look();
          if (events.readyState === EventSource.OPEN) note.textContent = text;
        } catch {
          isAgain = events.readyState === EventSource.OPEN;
          if (isAgain) note.textContent = "Not up to date";
        }
        setTimeout(() => {
          isWaiting = false;
          if (isAgain) refresh();
        }, 2000);
      }
      events.addEventListener("open", refresh);
      events.addEventListener("error", () => (note.textContent = "Not connected"));
      events.addEventListener("change", refresh);
      window.roquaLive = { events, refresh };
    })();

    """
  }
}
