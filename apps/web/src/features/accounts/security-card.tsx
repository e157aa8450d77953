import { exportAccount } from "@stipple/contract";
import { useState } from "react";
import { apiResponse, errorText } from "../../app/api.ts";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { SettingRow } from "../../components/setting-row.tsx";
import { toast } from "../../components/toast-store.ts";
import { SECURITY_TEXTS as TEXTS } from "./texts.ts";
import { ChangePasswordDialog } from "./change-password-dialog.tsx";
import { DeleteAccountDialog } from "./delete-account-dialog.tsx";

/** Password, stored data and the end of the account. */
export function SecurityCard() {
  const [asking, setAsking] = useState<"password" | "delete" | null>(null);
  const [exporting, setExporting] = useState(false);
  const close = (): void => setAsking(null);

  const download = async (): Promise<void> => {
    setExporting(true);
    try {
      const url = URL.createObjectURL(await (await apiResponse(exportAccount)).blob());
      const link = document.createElement("a");
      link.href = url;
      link.download = "stipple-account.json";
      link.click();
      // The browser has read the data by then.
      setTimeout(() => URL.revokeObjectURL(url), 10_000);
    } catch (error) {
      toast(errorText(error, TEXTS.exportFailed), { failed: true });
    } finally {
      setExporting(false);
    }
  };

  return (
    <Card title={TEXTS.title} description={TEXTS.description}>
      <div className="divide-y divide-line">
        <SettingRow title={TEXTS.passwordTitle} text={TEXTS.passwordText}>
          <Button size="sm" onClick={() => setAsking("password")}>
            {TEXTS.change}
          </Button>
        </SettingRow>
        <SettingRow title={TEXTS.exportTitle} text={TEXTS.exportText}>
          <Button size="sm" busy={exporting} onClick={() => void download()}>
            {TEXTS.export}
          </Button>
        </SettingRow>
        <SettingRow title={TEXTS.deleteTitle} text={TEXTS.deleteText}>
          <Button
            size="sm"
            variant="ghost"
            className="text-bad!"
            onClick={() => setAsking("delete")}
          >
            {TEXTS.delete}
          </Button>
        </SettingRow>
      </div>
      <ChangePasswordDialog open={asking === "password"} onClose={close} />
      <DeleteAccountDialog open={asking === "delete"} onClose={close} />
    </Card>
  );
}
