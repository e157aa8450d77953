import { Check } from "lucide-react";
import type { ReactNode } from "react";
import { joinClasses } from "../../components/join-classes.ts";

/** One column of the price page; the button stays at the bottom. */
export function PriceCard({
  title,
  price,
  priceNote,
  points,
  pill,
  highlighted = false,
  children,
}: {
  title: string;
  price: string;
  priceNote: string;
  /** First the figures that differ, then what every plan has. */
  points: readonly string[];
  pill?: ReactNode;
  highlighted?: boolean;
  children: ReactNode;
}) {
  return (
    <article
      aria-label={title}
      className={joinClasses(
        "relative flex flex-col rounded-card bg-card p-5",
        highlighted ? "border-2 border-primary" : "border border-line",
      )}
    >
      {pill && <div className="absolute -top-3 left-5 rounded-full bg-card">{pill}</div>}
      <h2 className="text-base">{title}</h2>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-1.5">
        <span className="text-[2rem] leading-10 font-semibold tracking-tight tabular-nums">
          {price}
        </span>
        {/* The space is for screen readers and copying; visually, the row's gap separates the two. */}
        {!priceNote.startsWith("/") && " "}
        <span className="text-ink-3">{priceNote}</span>
      </p>
      <ul className="mt-5 mb-6 space-y-2.5">
        {points.map((point, at) => (
          <li
            key={point}
            className={joinClasses("flex gap-2", at < 2 ? "font-medium" : "text-ink-2")}
          >
            <Check aria-hidden className="mt-0.5 size-4 shrink-0 text-ok" />
            {point}
          </li>
        ))}
      </ul>
      <div className="mt-auto">{children}</div>
    </article>
  );
}
