"use strict";
// Tables of class "sortable" get a button in each heading, and a box that leaves out rows without a text.
for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], rows = [...body.rows], heads = [...table.tHead.rows[0].cells];
  const value = (row, column) => {
    const text = row.cells[column].textContent.trim(), number = parseFloat(text.replace(/[,%]/g, ""));
    return heads[column].classList.contains("n") ? (Number.isNaN(number) ? -1 : number) : text;
  };
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const numbers = head.classList.contains("n"), was = head.getAttribute("aria-sort");
      const down = was ? was === "ascending" : numbers;
      heads.forEach(other => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const order = (a, b) => numbers ? a - b : a.localeCompare(b, "en", { numeric: true });
      rows.sort((a, b) => order(value(a, column), value(b, column)) * (down ? -1 : 1));
      body.append(...rows);
    });
  });
  const label = document.createElement("label"), input = document.createElement("input");
  label.className = "filter";
  input.type = "search";
  label.append("Only rows with", input);
  input.addEventListener("input", () => {
    const wanted = input.value.toLowerCase();
    rows.forEach(row => { row.hidden = !row.textContent.toLowerCase().includes(wanted); });
  });
  table.parentNode.before(label);
}
