/// The map page as the server shows it: the same page that `roqua map` writes, and a script that
/// listens to changes and loads the new cells and numbers.
struct LivePage: Sendable {
  /// The page in UTF-8.
  let html: [UInt8]
  /// What a page that is open needs after a change: an object of JSON with the page's own members
  /// `page` and `cells`.
  let update: [UInt8]

  /// Makes the page of a written map.
  init(map: [UInt8]) {
    let text = String(decoding: map, as: UTF8.self)
    let policy = "script-src 'unsafe-inline'"
    html = Array(
      text.replacing(policy, with: "connect-src 'self'; " + policy, maxReplacements: 1)
        .replacing(
          "</body>", with: "<script>\n\(Self.script)</script>\n</body>", maxReplacements: 1
        )
        .utf8)
    let page = Self.content(of: "page", in: text).replacing("\\u003c", with: "<")
    update = Array("{\"page\":\(page),\"cells\":\"\(Self.content(of: "cells", in: text))\"}".utf8)
  }

  /// The content of a script element of the page. It is Base64 or JSON, which has no markup.
  private static func content(of id: String, in html: String) -> Substring {
    guard let open = html.firstRange(of: "<script id=\"\(id)\""),
      let start = html[open.upperBound...].firstRange(of: ">"),
      let end = html[start.upperBound...].firstRange(of: "</script>")
    else { return "" }
    return html[start.upperBound..<end.lowerBound]
  }

  /// Loads what changed, at most every two seconds, and says so to screen readers.
  private static let script = """
    "use strict";
    (() => {
      const note = document.createElement("p");
      note.id = "live";
      note.setAttribute("role", "status");
      note.style.cssText = "margin:8px 0 0;font-size:12px;opacity:.75";
      element("panel").querySelector("header").append(note);
      let [isWaiting, isAgain] = [false, false];
      async function refresh() {
        if (isWaiting) return void (isAgain = true);
        [isWaiting, isAgain] = [true, false];
        try {
          const answer = await fetch("/map.json", { credentials: "same-origin" });
          if (answer.ok) {
            const { page: next, cells } = await answer.json();
            Object.assign(page, next);
            app.tiles.reload(cells);
            app.panel.writeNumbers();
            note.textContent = `Live, last change at ${new Date().toLocaleTimeString()}`;
          }
        } catch {}
        setTimeout(() => {
          isWaiting = false;
          if (isAgain) refresh();
        }, 2000);
      }
      const events = new EventSource("/events");
      events.addEventListener("open", () => (note.textContent = "Live"));
      events.addEventListener("error", () => (note.textContent = "Not connected"));
      events.addEventListener("change", refresh);
      window.roquaLive = { events, refresh };
    })();

    """
}
