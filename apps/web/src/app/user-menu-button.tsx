import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { LazyBoundary } from "../components/lazy-boundary.tsx";
import { SHELL_TEXTS } from "./shell-texts.ts";
import { lazyPart } from "./load-code.ts";

const load = () => import("./user-menu.tsx");
const UserMenu = lazyPart(load, "UserMenu");

export const USER_MENU_BUTTON =
  "flex h-10 items-center gap-2 rounded-control border border-line bg-card pr-2.5 pl-1.5 font-medium hover:bg-raised";

/** What the button of the user menu shows. */
export function UserMenuFace({ email }: { email: string }) {
  return (
    <>
      <span className="sr-only">{SHELL_TEXTS.userMenu}</span>
      <span
        aria-hidden
        className="grid size-7 place-items-center rounded-md bg-primary-tint text-xs font-semibold text-primary uppercase"
      >
        {email.slice(0, 1)}
      </span>
      <span className="max-w-44 truncate">{email}</span>
      <ChevronDown aria-hidden className="size-4 text-ink-3" />
    </>
  );
}

/** Placeholder for the user menu until it is first opened: the menu's code is a quarter of what a page would load. */
export function UserMenuButton({ email }: { email: string }) {
  const [wanted, setWanted] = useState(false);
  const button = (
    <button
      type="button"
      aria-haspopup="menu"
      aria-expanded={wanted}
      className={USER_MENU_BUTTON}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      <UserMenuFace email={email} />
    </button>
  );
  if (!wanted) return button;
  return (
    <LazyBoundary waiting={button}>
      <UserMenu email={email} />
    </LazyBoundary>
  );
}
