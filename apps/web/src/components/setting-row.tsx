import type { ReactNode } from "react";

/** One setting in a card: its description on the left, its button on the right, and more `below`. */
export function SettingRow({
  title,
  text,
  children,
  below,
}: {
  title: string;
  text: string;
  children?: ReactNode;
  below?: ReactNode;
}) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <h3 className="font-medium">{title}</h3>
        <p className="text-ink-3">{text}</p>
      </div>
      {children}
      {below}
    </div>
  );
}
