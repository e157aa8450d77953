import type { Section } from "./elements.ts";
import { html, Html } from "./html.ts";
import { STYLE } from "./style.ts";
import { TABLE_SCRIPT, TABLE_SCRIPT_HASH } from "./table-script.ts";

/**
 * A report as a single self-contained file. Its only script sorts and filters tables, and its content security policy
 * forbids other scripts and any requests. All text from the data is escaped.
 */
export function reportPage(title: string, top: Html, sections: readonly Section[]): string {
  const policy = `default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src ${TABLE_SCRIPT_HASH}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title} · Stipple report</title>
        <style>
          ${new Html(STYLE)}
        </style>
      </head>
      <body>
        <div class="page">
          <nav aria-label="Contents">
            <strong>Contents</strong>
            <ol>
              ${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
            </ol>
          </nav>
          <main>
            ${top}
            ${sections.map(
              ({ id, title, body }) =>
                html`<section id="${id}" aria-labelledby="${id}-title">
                  <h2 id="${id}-title">${title}</h2>
                  ${body}
                </section> `,
            )}
            <footer>
              Made with Stipple. This page is self-contained: it loads nothing and sends nothing.
            </footer>
          </main>
        </div>
        ${new Html(`<script>${TABLE_SCRIPT}</script>`)}
      </body>
    </html> `.markup;
}
