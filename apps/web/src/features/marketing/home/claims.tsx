import { CLAIMS, HOME_TEXTS, NOTES } from "./texts.ts";

/** The five claims, each with the footnote that defines it. Our own figures follow in the validation teaser. */
export function Claims() {
  return (
    <section aria-label={HOME_TEXTS.claimsLabel} className="border-y border-line bg-card">
      <div className="mx-auto max-w-[1200px] px-4 py-10 sm:px-6">
        <ul className="grid gap-x-6 gap-y-8 sm:grid-cols-2 lg:grid-cols-5">
          {CLAIMS.map(({ value, label, note }) => (
            <li key={label}>
              <p className="text-ink-2">
                <span className="mb-1 block text-2xl font-semibold tracking-tight text-ink">
                  {value}{" "}
                </span>
                {label}
                {note !== undefined && (
                  <sup>
                    <a
                      href={`#note-${note}`}
                      aria-label={`Note ${note}`}
                      className="ml-0.5 px-0.5 text-primary hover:underline"
                    >
                      {note}
                    </a>
                  </sup>
                )}
              </p>
            </li>
          ))}
        </ul>
        <ol
          aria-label={HOME_TEXTS.notesLabel}
          className="mt-8 space-y-1 border-t border-line pt-5 text-[0.8125rem] text-ink-3"
        >
          {NOTES.map((note, at) => (
            <li key={note} id={`note-${at + 1}`} className="scroll-mt-24">
              <sup>{at + 1}</sup> {note}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
