/** The report's entire style; nothing is loaded from elsewhere. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --canvas: #f7f9fb; --card: #fff; --raised: #f0f3f7; --line: #d9e0e8;
  --ink: #0f1b2a; --ink-2: #46566a; --ink-3: #5f6e80; --primary: #4338a8; --missing: #c9d1da;
  --ok: #13734a; --ok-tint: #e7f6ee; --warn: #8a5a00; --warn-tint: #fff4db;
  --bad: #b42318; --bad-tint: #fdecea; --info: #175cd3; --info-tint: #e8f1fe;
}
@media (prefers-color-scheme: dark) {
  :root {
    --canvas: #0b1017; --card: #121a24; --raised: #1a2431; --line: #263242;
    --ink: #e6edf5; --ink-2: #a9b8c8; --ink-3: #93a3b5; --primary: #a39bff; --missing: #46566a;
    --ok: #5fd39b; --ok-tint: #10291e; --warn: #f0c060; --warn-tint: #2b2210;
    --bad: #ff9b90; --bad-tint: #331714; --info: #8ab8ff; --info-tint: #12233d;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; background: var(--canvas); color: var(--ink);
  font: 16px/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: break-word;
}
a { color: var(--primary); }
a:focus-visible, summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
.page { display: grid; grid-template-columns: 15rem minmax(0, 1fr); max-width: 82rem; margin: 0 auto; }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow: auto; padding: 2.25rem 1rem 2rem 1.5rem; font-size: .875rem; }
nav strong { display: block; margin-bottom: .75rem; }
nav ol { list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--line); }
nav a { display: block; padding: .25rem .75rem; color: var(--ink-2); text-decoration: none; }
nav a:hover { color: var(--primary); text-decoration: underline; }
main { padding: 2rem 1.5rem 4rem; min-width: 0; }
header h1 { margin: 0; font-size: clamp(1.6rem, 4vw, 2.25rem); line-height: 1.2; letter-spacing: -.01em; }
header .kind { margin: 0 0 .25rem; color: var(--primary); font-weight: 600; font-size: .875rem; }
header .about { margin: .5rem 0 1.5rem; color: var(--ink-2); }
section { margin-top: 2.5rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
h2 { margin: 0 0 .75rem; font-size: 1.375rem; line-height: 1.3; }
h3 { margin: 1.75rem 0 .5rem; font-size: 1.0625rem; }
p, ul, ol { max-width: 46rem; }
p { margin: .5rem 0 .9rem; }
li { margin: .3rem 0; }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--raised); padding: .1em .3em; border-radius: 4px; }
.hash { font: .75rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--ink-3); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; }
.tile { padding: .9rem 1rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
.tile b { display: block; font-size: 1.5rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile span { color: var(--ink-2); font-size: .875rem; }
.note { margin: 1rem 0; padding: .8rem 1rem; border-left: 4px solid; border-radius: 6px; max-width: 46rem; }
.note p { margin: 0; } .note p + p { margin-top: .4rem; } .note ul { margin: .3rem 0 0; padding-left: 1.2rem; }
.note.ok { background: var(--ok-tint); border-color: var(--ok); }
.note.info { background: var(--info-tint); border-color: var(--info); }
.note.warn { background: var(--warn-tint); border-color: var(--warn); }
.note.bad { background: var(--bad-tint); border-color: var(--bad); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 0 2rem; margin: 1rem 0; }
.facts div { display: flex; justify-content: space-between; gap: 1rem; padding: .4rem 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--ink-2); min-width: 0; } .facts dd { flex: none; max-width: 65%; margin: 0; text-align: right; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
figure { margin: 1.25rem 0; background: #fff; border: 1px solid var(--line); border-radius: 10px; overflow: hidden; break-inside: avoid; }
figure img { display: block; width: 100%; height: auto; max-height: 85vh; object-fit: contain; }
figcaption { padding: .6rem .9rem; font-size: .875rem; color: var(--ink-2); background: var(--card); border-top: 1px solid var(--line); }
.files { display: block; color: var(--ink-3); font-size: .8125rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0 1.25rem; align-items: start; }
.scroll { position: relative; overflow: auto; max-height: 30rem; margin: 1rem 0; border: 1px solid var(--line); border-radius: 10px; background: var(--card); }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { padding: .45rem .8rem; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
td code, .hash { overflow-wrap: anywhere; } td.number, td:has(.swatch) { white-space: nowrap; }
thead th { position: sticky; top: 0; background: var(--raised); color: var(--ink-2); font-weight: 600; }
tbody tr:last-child td { border-bottom: 0; }
th button { all: unset; cursor: pointer; display: inline-flex; gap: .35em; } th button:focus-visible { outline: 2px solid var(--primary); outline-offset: 2px; }
th button::after { content: "↕"; color: var(--ink-3); font-weight: 400; } th[aria-sort=ascending] button::after { content: "↑"; color: var(--primary); } th[aria-sort=descending] button::after { content: "↓"; color: var(--primary); }
.filter input { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--ink-3); border-radius: 6px; padding: .2rem .5rem; } .filter + span { margin-left: .75rem; color: var(--ink-3); font-size: .875rem; }
.print { float: right; font: inherit; font-size: .875rem; color: inherit; background: var(--card); border: 1px solid var(--ink-3); border-radius: 6px; padding: .2rem .8rem; cursor: pointer; } .print:hover { background: var(--raised); }
.verdict { margin: 1.5rem 0; padding: 1.1rem 1.25rem .4rem; border: 1px solid var(--line); border-left: 6px solid; border-radius: 10px; background: var(--card); break-inside: avoid; }
.verdict.good { border-left-color: var(--ok); } .verdict.limited { border-left-color: var(--warn); } .verdict.poor { border-left-color: var(--bad); }
.verdict h2 { display: flex; flex-wrap: wrap; align-items: center; gap: .25rem .75rem; font-size: 1.125rem; margin: 0 0 .25rem; } .verdict h2 .grade { margin-left: 0; } .verdict .sentence { font-size: 1.125rem; margin: 0; } .verdict p { max-width: none; }
.grade { display: inline-block; padding: .05rem .6rem; margin-left: .5rem; border-radius: 999px; font-size: .8125rem; font-weight: 600; }
.grade.good { background: var(--ok-tint); color: var(--ok); } .grade.limited { background: var(--warn-tint); color: var(--warn); } .grade.poor { background: var(--bad-tint); color: var(--bad); }
.reasons { margin: .75rem 0 0; } .reasons > div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 0 1rem; padding: .55rem 0; border-top: 1px solid var(--line); }
.reasons dt { font-weight: 600; display: flex; justify-content: space-between; align-items: flex-start; } .reasons dd { margin: 0; } .reasons .next { color: var(--ink-2); }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.swatch { display: inline-block; width: .8em; height: .8em; margin-right: .5em; border-radius: 3px; border: 1px solid rgb(0 0 0 / .25); vertical-align: -.05em; }
.chart { margin: 1rem 0; padding: .75rem .75rem .25rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; max-width: 46rem; }
.chart svg { display: block; width: 100%; height: auto; font-size: 12px; fill: var(--ink-2); }
.chart .grid { stroke: var(--line); } .chart .end { text-anchor: end; } .chart .middle { text-anchor: middle; }
i.good, rect.good { fill: var(--primary); background: var(--primary); } i.poor, rect.poor { fill: var(--missing); background: var(--missing); }
.legend { margin: .25rem .25rem .5rem; font-size: .875rem; color: var(--ink-2); }
.legend span { margin-left: .8rem; white-space: nowrap; } .legend i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border-radius: 3px; vertical-align: -.05em; }
.bar { display: flex; height: 1.75rem; margin: .75rem 0 .25rem; border-radius: 6px; overflow: hidden; max-width: 46rem; background: var(--missing); }
.bar i { display: block; background: var(--primary); }
/* Colors that mean something stay, on paper and in high contrast. */
.bar, .bar i, .legend i, .swatch { print-color-adjust: exact; forced-color-adjust: none; }
details { margin: 1rem 0; } summary { cursor: pointer; color: var(--primary); font-weight: 600; }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--ink-3); font-size: .875rem; }
@media (max-width: 40rem) {
  .reasons > div { grid-template-columns: minmax(0, 1fr); }
  table, tbody, tr { display: block; } thead { display: block; position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tbody tr { padding: .5rem .8rem; border-bottom: 1px solid var(--line); } tbody tr:last-child { border-bottom: 0; }
  td { display: flex; justify-content: space-between; gap: 1rem; padding: .1rem 0; border: 0; text-align: right; }
  td > span { min-width: 0; } td:has(.swatch) { white-space: normal; }
  td::before { content: attr(data-label) / ""; flex: none; max-width: 55%; color: var(--ink-2); text-align: left; }
  td:first-child { font-weight: 600; text-align: left; } td:first-child::before { content: none; }
}
@media (max-width: 60rem) {
  .page { display: block; }
  nav { position: static; max-height: none; padding: 1.25rem 1rem 0; }
  nav strong { display: none; }
  nav ol { display: flex; gap: .35rem; border: 0; overflow-x: auto; padding-bottom: .5rem; }
  nav a { white-space: nowrap; padding: .3rem .7rem; border: 1px solid var(--line); border-radius: 999px; background: var(--card); }
  main { padding: 1.25rem 1rem 3rem; }
}
@media print {
  :root { color-scheme: light; --canvas: #fff; --card: #fff; --raised: #f0f3f7; --line: #c5ced8; --ink: #000; --ink-2: #333; --ink-3: #444; --primary: #4338a8; --missing: #c9d1da;
    --ok-tint: #fff; --warn-tint: #fff; --bad-tint: #fff; --info-tint: #fff; --ok: #13734a; --warn: #8a5a00; --bad: #b42318; --info: #175cd3; }
  body { font-size: 10.5pt; } nav, .print, .filter, .filter + span, th button::after { display: none; } .page { display: block; max-width: none; } main { padding: 0; }
  .scroll { max-height: none; overflow: visible; break-before: avoid; } thead th { position: static; }
  /* Chromium leaves buttons out where it repeats a table's head on the next page. */
  th button { display: contents; }
  /* A list of genes goes on over many pages; its file holds all. */
  .scroll tbody tr:nth-child(n + 41 of :not([hidden])) { display: none; }
  .scroll:has(tbody tr:nth-child(41 of :not([hidden])))::after { content: "First 40 rows printed."; display: block; padding: .45rem .8rem; color: var(--ink-3); font-size: .875rem; }
  thead th { print-color-adjust: exact; }
  h2, h3 { break-after: avoid; } .tile, .note, .facts div, tr { break-inside: avoid; } figure img { max-height: 20cm; }
}
`;
