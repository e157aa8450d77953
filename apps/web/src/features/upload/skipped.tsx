import { uploadTexts } from "../../project/uploads/texts.ts";

/** How many of the chosen files are not taken; those that look like data are named with the reason. */
export function Skipped({ count, sentences }: { count: number; sentences: readonly string[] }) {
  if (count === 0) return null;
  if (sentences.length === 0) {
    return <p className="-mt-2 text-ink-3">{uploadTexts.skipped(count)}</p>;
  }
  return (
    <div className="-mt-2 text-ink-3">
      <p>{uploadTexts.skipped(count)}</p>
      <details className="mt-1">
        <summary className="cursor-pointer text-[0.8125rem] text-ink-2">
          {uploadTexts.skippedDetails}
        </summary>
        <ul className="mt-1 flex max-h-64 list-disc flex-col gap-1 overflow-y-auto pl-5 text-[0.8125rem]">
          {[...new Set(sentences)].map((sentence) => (
            <li key={sentence} className="[overflow-wrap:anywhere]">
              {sentence}
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
