const ENTITIES: Record<string, string> = { "&": "amp", "<": "lt", ">": "gt", '"': "quot" };

/** Text escaped for HTML content and double-quoted attributes. */
export function escape(value: string): string {
  return value.replaceAll(/[&<>"]/g, (character) => `&${ENTITIES[character]};`);
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
:root{color-scheme:light;font:16px/1.5 system-ui,sans-serif;color:#0f1b2a}
header{background:#fff4db;color:#8a5a00;padding:12px;font-weight:600;text-align:center}
header a{color:inherit;margin-left:16px}
main{max-width:640px;margin:32px auto}
.error{color:#b42318;font-weight:600}
input,button{font:inherit;padding:8px 16px}
pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
`;

/** A complete page, headed by the notice that no real money is involved. */
export function layout(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><header>Payment sandbox: no real card is charged, no email is sent.<nav><a href="/">Console</a><a href="/outbox">Outbox</a></nav></header><main>${content}</main></body></html>`;
}

export const SECRET_FIELD =
  '<label for="secret">Operator\'s secret</label> <input id="secret" name="secret" type="password" autocomplete="off" required>';
