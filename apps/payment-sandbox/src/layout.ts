import type { FastifyReply } from "fastify";

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

export function html(reply: FastifyReply, page: string, status = 200): FastifyReply {
  return reply.status(status).type("text/html; charset=utf-8").send(page);
}

export function form(action: string, content: string): string {
  return `<form method="post" action="${escape(action)}">${content}</form>`;
}

const STYLE = `
:root{color-scheme:light;font:16px/1.5 system-ui,sans-serif;color:#0f1b2a;background:#f7f9fb}
body{margin:0}
header{background:#fff4db;color:#8a5a00;padding:12px 24px;font-weight:600;text-align:center}
header a{color:inherit;margin-left:16px}
main{max-width:640px;margin:32px auto;padding:0 16px}
.card{background:#fff;border:1px solid #d9e0e8;border-radius:12px;padding:24px;margin-bottom:24px}
.price{font-size:40px;font-weight:600}
.error{color:#b42318;font-weight:600;margin:8px 0}
label{display:block;font-weight:600;margin-top:16px}
input,button{font:inherit;padding:8px 16px;border:1px solid #7b8794;border-radius:8px;margin:4px 8px 8px 0}
button{background:#4338a8;color:#fff}
form{display:inline}
dl{display:grid;grid-template-columns:auto 1fr;gap:8px 24px}
pre{font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
`;

/** A complete page, headed by the notice that no real money is involved. */
export function layout(title: string, content: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escape(title)}</title><link rel="icon" href="data:,"><style>${STYLE}</style></head><body><header>Payment sandbox: no real card is charged, no email is sent.<nav><a href="/">Console</a><a href="/outbox">Outbox</a></nav></header><main>${content}</main></body></html>`;
}
