import { TOKEN_FIELD } from "../guard.ts";

/** Text escaped for HTML content and double-quoted attributes. */
export function escape(value: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#39;",
  };
  return value.replaceAll(/[&<>"']/g, (character) => entities[character]!);
}

/** US dollars, e.g. $1,499.00. */
export function dollars(cents: number): string {
  return (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
}

/** UTC to the second, e.g. 2026-03-01 12:00:00. */
export function when(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace("T", " ").slice(0, 19);
}

const STYLE = `
:root{color-scheme:light;font:16px/1.5 system-ui,sans-serif;color:#0f1b2a;background:#f7f9fb}
body{margin:0}
.notice{background:#fff4db;color:#8a5a00;padding:12px 24px;font-weight:600;display:flex;flex-wrap:wrap;gap:4px 24px;justify-content:center;text-align:center}
.notice a{color:inherit;margin-right:16px}
main{max-width:960px;margin:32px auto;padding:0 16px}
.card{background:#fff;border:1px solid #d9e0e8;border-radius:12px;padding:24px;margin-bottom:24px}
.narrow{max-width:440px;margin-inline:auto}
h1{font-size:24px;letter-spacing:-.02em;margin:0 0 4px}
h2{font-size:16px;margin:0 0 12px}
.price{font-size:40px;font-weight:600;font-variant-numeric:tabular-nums;margin:8px 0 16px}
.price small{font-size:14px;font-weight:400;color:#5f6e80}
label{display:block;font-weight:600;margin:16px 0 4px}
input,select{width:100%;box-sizing:border-box;height:40px;padding:0 12px;border:1px solid #7b8794;border-radius:8px;font:inherit}
button{height:40px;padding:0 20px;border:0;border-radius:8px;background:#4338a8;color:#fff;font:inherit;font-weight:600;cursor:pointer}
button.quiet{background:#fff;color:#0f1b2a;border:1px solid #7b8794}
.wide{width:100%;margin-top:20px}
a{color:#4338a8}
.error{background:#fdecea;color:#b42318;border-radius:8px;padding:10px 12px;margin-top:16px}
table{width:100%;border-collapse:collapse;font-size:14px}
th,td{text-align:left;padding:8px 8px 8px 0;border-bottom:1px solid #d9e0e8;vertical-align:top}
code{font:13px ui-monospace,monospace;word-break:break-all}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 24px;margin:16px 0 0}
dt{color:#5f6e80}
dd{margin:0;text-align:right;overflow-wrap:anywhere}
pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere;margin:16px 0 0}
.cards td:first-child code{white-space:nowrap;word-break:normal}
.cards tr:last-child td{border-bottom:0}
.quiet-text{color:#5f6e80}
.row{display:flex;gap:12px;flex-wrap:wrap;align-items:end}
.row form{display:flex;gap:8px}
.scroll{overflow-x:auto}
:focus-visible{outline:2px solid #4338a8;outline-offset:2px}
`;

/** A form with the token that we require from browsers. */
export function form(action: string, token: string, content: string): string {
  return `<form method="post" action="${escape(action)}"><input type="hidden" name="${TOKEN_FIELD}" value="${escape(token)}">${content}</form>`;
}

/** A complete page, headed by the notice that no real money is involved. */
export function layout(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><header class="notice"><span>Payment sandbox: no real card is charged, no email is sent.</span><nav><a href="/">Console</a><a href="/outbox">Outbox</a></nav></header><main>${content}</main></body></html>`;
}
