import type { Transaction } from "@stipple/contract";
import { transactions, transactionReceipt } from "@stipple/contract/routes/billing";
import { useMutation, useQuery } from "@tanstack/react-query";
import { api, errorText } from "../../app/api.ts";
import { dollars } from "../../app/dollars.ts";
import { longDate } from "../../app/long-date.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { Table, type Column } from "../../components/table.tsx";
import { PROFILE_TEXTS as TEXTS } from "./texts.ts";
import { ExternalLink } from "lucide-react";
import { toast } from "../../components/toast-store.ts";
import { isWebAddress } from "./checkout.ts";
import { Loading } from "../../components/load-failure.tsx";
import { TRANSACTION_MERGE_MS } from "@stipple/contract/business/intervals";

const COLUMNS: readonly Column<HistoryEntry>[] = [
  {
    header: TEXTS.columns.plan,
    cell: ({ plan_type, records }) => (
      <span className="font-medium">
        {plan_type}
        {records.length > 1 && (
          <span className="text-[0.8125rem] font-normal text-ink-3">
            {" "}
            {TEXTS.records(records.length)}
          </span>
        )}
      </span>
    ),
  },
  { header: TEXTS.columns.date, cell: (entry) => longDate(entry.date) },
  { header: TEXTS.columns.amount, align: "right", cell: (entry) => dollars(entry.amount) },
  {
    header: TEXTS.columns.status,
    cell: (entry) =>
      entry.status === "succeeded" ? (
        <StatusPill tone="ok">{TEXTS.succeeded}</StatusPill>
      ) : (
        <StatusPill tone="bad">{TEXTS.failed}</StatusPill>
      ),
  },
  {
    header: TEXTS.columns.receipt,
    align: "right",
    cell: ({ records }) => {
      const receipts = records.filter((record) => record.has_receipt);
      if (receipts.length === 0) return "–";
      return (
        <span>
          {receipts.map((record) => (
            <ReceiptButton key={record.id} entry={record} />
          ))}
        </span>
      );
    },
  },
];

export function TransactionHistory() {
  const history = useQuery({
    queryKey: ["transactions"],
    queryFn: ({ signal }) => api(transactions, { signal }),
    select: mergeTransactions,
  });
  const { data } = history;
  return (
    <Card title={TEXTS.history} flush>
      {data && data.length > 0 && (
        <Table caption={TEXTS.history} columns={COLUMNS} rows={data} rowKey={({ id }) => id} />
      )}
      {data?.length === 0 && (
        <p className="border-t border-line px-6 py-10 text-center text-ink-2">{TEXTS.noHistory}</p>
      )}
      {!data && <Loading flush query={history} texts={TEXTS} height="h-24" />}
    </Card>
  );
}

/** Opens the provider's receipt for a payment in a new tab. The provider generates receipt links on request. */
function ReceiptButton({ entry }: { entry: Transaction }) {
  const kind = entry.status === "succeeded" ? TEXTS.receipt : TEXTS.invoice;

  const opening = useMutation({
    mutationFn: async (tab: Window | null) => {
      const { url } = await api(transactionReceipt, { params: { id: entry.id } });
      if (!isWebAddress(url)) throw new Error(`not a web address: ${url}`);
      if (!tab) window.location.assign(url);
      else {
        tab.opener = null;
        tab.location.replace(url);
      }
    },
    onError: (error, tab) => {
      tab?.close();
      toast(errorText(error, TEXTS.receiptFailed), { failed: true });
    },
  });

  return (
    <Button
      size="sm"
      variant="ghost"
      busy={opening.isPending}
      icon={ExternalLink}
      aria-label={TEXTS.receiptNamed(kind, entry.plan_type, longDate(entry.date))}
      // Opened during the click: browsers block tabs opened after waiting.
      onClick={() => opening.mutate(window.open("", "_blank"))}
    >
      {kind}
    </Button>
  );
}

/** A line of the history: a payment, with every record of it, oldest first. */
export interface HistoryEntry extends Transaction {
  records: readonly Transaction[];
}

/**
 * Merges, for the view only, transactions of one plan type that are at most ten seconds after the first of their group
 * (no chaining: a true second payment later is its own line). The largest amount is kept, and the entry succeeded if
 * any of them did. Newest first.
 */
export function mergeTransactions(transactions: readonly Transaction[]): HistoryEntry[] {
  const oldestFirst = transactions.toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const entries: (Transaction & { records: Transaction[] })[] = [];
  const openGroup = new Map<string, (typeof entries)[number]>();
  for (const transaction of oldestFirst) {
    const group = openGroup.get(transaction.plan_type);
    if (group && Date.parse(transaction.date) - Date.parse(group.date) <= TRANSACTION_MERGE_MS) {
      group.amount = Math.max(group.amount, transaction.amount);
      if (transaction.status === "succeeded") group.status = "succeeded";
      group.records.push(transaction);
      continue;
    }
    const entry = { ...transaction, records: [transaction] };
    openGroup.set(transaction.plan_type, entry);
    entries.push(entry);
  }
  return entries.reverse();
}
