import { Button } from "../../../components/button.tsx";
import { toast } from "../../../components/toast-store.ts";
import { FACTOR_DIALOG_TEXTS as TEXTS } from "./texts.ts";

const FILE_NAME = "stipple-recovery-codes.txt";

/** The codes, to copy or save: they cannot be shown again. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = `${codes.join("\n")}\n`;
  const save = (): void => {
    const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = FILE_NAME;
    link.click();
    // The browser has read the data by then.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  };
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    toast(TEXTS.codesCopied, { ok: true });
  };
  return (
    <div className="flex flex-col gap-4">
      <ul className="grid grid-cols-2 gap-x-6 gap-y-1.5 rounded-card border border-line bg-canvas px-4 py-3 font-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        {/* Browsers do not offer the clipboard to pages loaded without TLS. */}
        {window.isSecureContext && (
          <Button size="sm" onClick={() => void copy()}>
            {TEXTS.codesCopy}
          </Button>
        )}
        <Button size="sm" onClick={save}>
          {TEXTS.codesSave}
        </Button>
      </div>
    </div>
  );
}
