import { createHash } from "node:crypto";

/**
 * Makes the report's tables sortable by their headings and filterable by text, and adds a button that prints the
 * report: a page that frames the report would print only the visible part. Without scripts, the tables remain as they
 * are. It is a single constant, so that policies can allow it by its hash and nothing else.
 */
export const TABLE_SCRIPT = `
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const body = table.tBodies[0];
  const text = (row, at) => row.cells[at].textContent.trim();
  const number = (value) => {
    const plain = value.replace(/,/g, "").replace(/%$/, "").replace("−", "-");
    return plain === "" || isNaN(plain) ? null : Number(plain);
  };
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const rows = [...body.rows];
      rows.sort((one, two) => {
        const [a, b] = [number(text(one, at)), number(text(two, at))];
        const order = a !== null && b !== null ? a - b : a !== null ? 1 : b !== null ? -1
          : -text(one, at).localeCompare(text(two, at), "en", { numeric: true });
        return down ? -order : order;
      });
      body.append(...rows);
    });
  });
  if (!table.hasAttribute("data-filter")) continue;
  const label = document.createElement("label");
  label.className = "filter";
  label.textContent = "Filter ";
  const field = document.createElement("input");
  field.type = "search";
  const shown = document.createElement("span");
  shown.setAttribute("role", "status");
  label.append(field);
  const line = document.createElement("p");
  line.append(label, shown);
  table.parentElement.before(line);
  field.addEventListener("input", () => {
    const wanted = field.value.trim().toLowerCase();
    let count = 0;
    for (const row of body.rows) {
      row.hidden = !row.textContent.toLowerCase().includes(wanted);
      if (!row.hidden) count += 1;
    }
    shown.textContent = wanted ? " " + count + " of " + body.rows.length + " rows" : "";
  });
}
const print = document.createElement("button");
print.type = "button";
print.className = "print";
print.textContent = "Print";
print.addEventListener("click", () => window.print());
document.querySelector("header").prepend(print);
`;

/** The script's hash as a Content-Security-Policy source. */
export const TABLE_SCRIPT_HASH = `'sha256-${createHash("sha256").update(TABLE_SCRIPT).digest("base64")}'`;
