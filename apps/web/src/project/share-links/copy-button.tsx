import { Check, Copy } from "lucide-react";
import { useEffect, useState, type ComponentProps } from "react";
import { Button } from "../../components/button.tsx";
import { copyText } from "./copy-text.ts";
import { shareLinkTexts as texts } from "./texts.ts";

const SHOWN_MS = 2_500;

/** Copies a text, and confirms on the button and to screen readers. */
export function CopyButton({
  text,
  children = texts.copy,
  ...rest
}: { text: () => string } & Omit<ComponentProps<typeof Button>, "onClick" | "icon">) {
  const [outcome, setOutcome] = useState<boolean | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <>
      <Button
        icon={
          outcome ? (
            <Check aria-hidden className="size-4" />
          ) : (
            <Copy aria-hidden className="size-4" />
          )
        }
        onClick={async () => setOutcome(await copyText(text()))}
        {...rest}
      >
        {outcome ? texts.copied : children}
      </Button>
      <span role="status" className={outcome === false ? "text-[0.8125rem] text-bad" : "sr-only"}>
        {outcome === null ? "" : outcome ? texts.copied : texts.copyFailed}
      </span>
    </>
  );
}
