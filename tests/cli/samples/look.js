// Looks at the page of a run, sorts and filters its table of calls, and leaves what it saw as the only text of the document.
const all = what => [...document.querySelectorAll(what)], texts = what => all(what).map(each => each.textContent.trim());
const seen = {
  title: document.title, heading: texts("h1"), language: document.documentElement.lang,
  landmarks: ["header", "nav", "main", "footer"].map(what => all(what).length),
  sections: all("main > section").map(each => document.getElementById(each.getAttribute("aria-labelledby")).textContent),
  captions: all("table").every(table => table.caption), scopes: all("th").every(head => head.scope),
  pictures: all("svg:not([aria-hidden])").every(svg => svg.getAttribute("role") === "img" && svg.querySelector("title").textContent),
  links: all("a[href]").every(a => document.getElementById(a.getAttribute("href").slice(1))),
  ids: new Set(all("[id]").map(each => each.id)).size === all("[id]").length,
  rows: texts(".sortable tbody tr"), samples: texts("#samples ~ .wide tbody th"), scripts: all("script").length, figures: all("figure").length,
  positive: all("td.P").length, triangles: all("main .grid:not([aria-hidden]) path.t").length,
  fetched: performance.getEntriesByType("resource").length,
  overflows: document.documentElement.scrollWidth > innerWidth,
  background: getComputedStyle(document.body).backgroundColor,
};
const buttons = all(".sortable th button"), column = number => texts(`.sortable tbody tr > :nth-child(${number})`);
buttons[3].focus();
seen.focus = document.activeElement === buttons[3];
buttons[3].click();
seen.down = column(4), seen.sorted = all("th[aria-sort]").map(head => head.getAttribute("aria-sort"));
buttons[3].click();
seen.up = column(4);
buttons[2].click();
seen.calls = column(3);
const box = document.querySelector(".filter input");
box.value = "trace"; box.dispatchEvent(new Event("input"));
seen.left = all(".sortable tbody tr:not([hidden])").length;
document.documentElement.replaceChildren(JSON.stringify(seen));
