import type { Transaction } from "@stipple/contract";
import { transactionReceipt } from "@stipple/contract/routes/billing";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { api, errorText } from "../../app/api.ts";
import { longDate } from "../../app/long-date.ts";
import { Button } from "../../components/button.tsx";
import { toast } from "../../components/toast-store.ts";
import { PROFILE_TEXTS as TEXTS } from "./texts.ts";
import { isWebAddress } from "./checkout.ts";

/** Opens the provider's receipt for a payment in a new tab. The provider generates receipt links on request. */
export function ReceiptButton({ entry }: { entry: Transaction }) {
  const [busy, setBusy] = useState(false);
  const kind = entry.status === "succeeded" ? TEXTS.receipt : TEXTS.invoice;

  const open = async (): Promise<void> => {
    // Opened during the click: browsers block tabs opened after waiting.
    const tab = window.open("", "_blank");
    setBusy(true);
    try {
      const { url } = await api(transactionReceipt, { params: { id: entry.id } });
      if (!isWebAddress(url)) throw new Error(`not a web address: ${url}`);
      if (!tab) window.location.assign(url);
      else {
        tab.opener = null;
        tab.location.replace(url);
      }
    } catch (error) {
      tab?.close();
      toast(errorText(error, TEXTS.receiptFailed), { failed: true });
    } finally {
      setBusy(false);
    }
  };

  return (
    <Button
      size="sm"
      variant="ghost"
      busy={busy}
      icon={ExternalLink}
      aria-label={TEXTS.receiptNamed(kind, entry.plan_type, longDate(entry.date))}
      onClick={() => void open()}
    >
      {kind}
    </Button>
  );
}
