import { dollars, escape, layout, when } from "./layout.ts";

export interface Receipt {
  title: "Receipt" | "Invoice";
  number: string;
  email: string;
  what: string;
  cents: number;
  paid: boolean;
  /** Unix seconds. */
  created: number;
  period?: { start: number; end: number };
}

/** The document for a transaction: a receipt for a charge, or an invoice. */
export function receiptPage(receipt: Receipt): string {
  const { title, number, email, what, cents, paid, created, period } = receipt;
  const rows: [string, string][] = [
    ["Number", number],
    ["Customer", email],
    ["For", what],
    ...(period
      ? [
          ["Period", `${when(period.start).slice(0, 10)} to ${when(period.end).slice(0, 10)}`] as [
            string,
            string,
          ],
        ]
      : []),
    ["Date", `${when(created)} UTC`],
    ["Status", paid ? "Paid" : "Not paid: the card was declined"],
  ];
  return layout(
    `${title} ${number}`,
    `<div class="card narrow"><h1>${title}</h1><div class="price">${dollars(cents)}</div><dl>${rows
      .map(([name, value]) => `<dt>${name}</dt><dd>${escape(value)}</dd>`)
      .join("")}</dl></div>`,
  );
}
