import { TRANSACTION_MERGE_MS } from "@stipple/contract/business/intervals";
import type { Transaction } from "@stipple/contract";

/**
 * Merges, for the view only, transactions of one plan type that are at most ten seconds after the first of their group
 * (no chaining: a true second payment later is its own line). The largest amount is kept, and the entry succeeded if
 * any of them did. Newest first.
 */
export function mergeTransactions(transactions: readonly Transaction[]): Transaction[] {
  const oldestFirst = transactions.toSorted((a, b) => Date.parse(a.date) - Date.parse(b.date));
  const entries: Transaction[] = [];
  const openGroup = new Map<string, Transaction>();
  for (const transaction of oldestFirst) {
    const group = openGroup.get(transaction.plan_type);
    if (group && Date.parse(transaction.date) - Date.parse(group.date) <= TRANSACTION_MERGE_MS) {
      group.amount = Math.max(group.amount, transaction.amount);
      if (transaction.status === "succeeded" && group.status !== "succeeded") {
        // The receipt is that of the payment, not of the attempt.
        const { id, status, has_receipt } = transaction;
        Object.assign(group, { id, status, has_receipt });
      }
      continue;
    }
    const entry = { ...transaction };
    openGroup.set(transaction.plan_type, entry);
    entries.push(entry);
  }
  return entries.reverse();
}
