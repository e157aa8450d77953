import { Link } from "wouter";
import { SHELL_TEXTS } from "./shell-texts.ts";

/** The mark (spots that dissolve into cells) and the name; goes home. */
export function Logo() {
  return (
    <Link to="/" className="flex items-center gap-2.5 rounded-control">
      <svg aria-hidden viewBox="0 0 32 32" className="size-8">
        <rect width="32" height="32" rx="8" className="fill-primary" />
        <g className="fill-primary-ink">
          <circle cx="10" cy="10" r="4" />
          <circle cx="22" cy="10" r="2.6" opacity=".85" />
          <circle cx="10" cy="22" r="2.6" opacity=".85" />
          <circle cx="19.5" cy="19.5" r="1.5" />
          <circle cx="23.5" cy="20.5" r="1.3" />
          <circle cx="20.5" cy="23.7" r="1.4" />
          <circle cx="24.3" cy="24.3" r="1" />
        </g>
      </svg>
      <span className="text-lg font-semibold tracking-tight">{SHELL_TEXTS.product}</span>
    </Link>
  );
}
