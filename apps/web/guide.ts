import { Marked, type Tokens } from "marked";
import type { Plugin } from "vite";

/** A page of docs/guide as the help pages show it. */
export interface GuidePage {
  /** The first paragraph, as HTML. */
  lead: string;
  /** Everything after it. */
  html: string;
}

/** Turns the guide's Markdown files into modules at build time, so that no page loads a parser. */
export function guide(): Plugin {
  return {
    name: "guide",
    enforce: "pre",
    transform(markdown, id) {
      if (!/\/docs\/guide\/[^/]+\.md$/.test(id)) return null;
      return {
        code: `export default ${JSON.stringify(guidePage(markdown))}`,
        map: null,
        moduleType: "js",
      };
    },
  };
}

/** A page from its Markdown: one heading, a lead paragraph, then sections. Throws if the title or the lead is missing. */
export function guidePage(markdown: string): GuidePage {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        return `<a href="${addressOf(href)}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text, escaped }: Tokens.Code) {
        // A long line scrolls, even by keyboard.
        const html = escaped
          ? text
          : text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
        return `<pre tabindex="0"><code>${html}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        // A wide table scrolls by itself.
        const row = (cells: Tokens.TableCell[], tag: "th" | "td") =>
          `<tr>${cells.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((cells) => row(cells, "td")).join("");
        return `<div class="table-scroll" tabindex="0"><table><thead>${row(token.header, "th")}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
  const [title, lead, ...rest] = marked.lexer(markdown).filter(({ type }) => type !== "space");
  if (title?.type !== "heading" || lead?.type !== "paragraph") {
    throw new Error("A page of the guide begins with a heading and a paragraph.");
  }
  return { lead: marked.parser([lead]), html: marked.parser(rest) };
}

/** Id of a heading, as GitHub forms it. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, "")
    .replaceAll(" ", "-");
}

/** Links between the guide's files become addresses of help pages. */
function addressOf(href: string): string {
  const page = /^([\w-]+)\.md(#[\w-]+)?$/.exec(href);
  return page ? `/help/${page[1]}${page[2] ?? ""}` : href;
}
