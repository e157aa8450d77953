import { Menu, X } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Link } from "wouter";
import { Button, ButtonLink } from "../components/button.tsx";
import { joinClasses } from "../components/join-classes.ts";
import { Skeleton } from "../components/skeleton.tsx";
import { SHELL_TEXTS, topNavigation, USER_NAVIGATION } from "./shell-texts.ts";
import { useBrowserLocation, type BrowserLocation } from "./location.tsx";
import { Logo } from "./logo.tsx";
import { signOut, useSession } from "./session.ts";
import { loadCode } from "./load-code.ts";

/** Top navigation. Below 1024 px a collapsible menu offers the same items. */
export function Header() {
  const { state, user } = useSession();
  const location = useBrowserLocation();
  const [openAt, setOpenAt] = useState<BrowserLocation | null>(null);
  // Any navigation closes the menu, even to the current page.
  const open = openAt === location;
  const items = topNavigation(state === "in");
  return (
    <header
      className="sticky top-0 z-30 border-b border-line bg-canvas/90 backdrop-blur"
      onKeyDown={({ key }) => key === "Escape" && setOpenAt(null)}
    >
      <div className="mx-auto flex h-16 max-w-[1200px] items-center gap-6 px-4 sm:px-6">
        <Logo />
        <nav aria-label={SHELL_TEXTS.mainNavigation} className="hidden flex-1 gap-1 lg:flex">
          {items.map(({ label, to }) => (
            <NavigationLink key={to} to={to} className={topLink}>
              {label}
            </NavigationLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-2">
          <div className="hidden lg:block">
            <Account />
          </div>
          <button
            type="button"
            aria-expanded={open}
            aria-controls="small-menu"
            aria-label={open ? SHELL_TEXTS.closeMenu : SHELL_TEXTS.openMenu}
            onClick={() => setOpenAt(open ? null : location)}
            className="grid size-10 place-items-center rounded-control hover:bg-raised lg:hidden"
          >
            {open ? <X aria-hidden className="size-5" /> : <Menu aria-hidden className="size-5" />}
          </button>
        </div>
      </div>
      {open && (
        <nav
          id="small-menu"
          aria-label={SHELL_TEXTS.mainNavigation}
          className="max-h-[calc(100dvh-4rem)] overflow-y-auto border-t border-line px-4 pt-2 pb-6 lg:hidden"
        >
          {items.map(({ label, to }) => (
            <NavigationLink key={to} to={to} className={menuLink}>
              {label}
            </NavigationLink>
          ))}
          <div className="mt-3 border-t border-line pt-3">
            {state === "in" && (
              <>
                <p className="truncate px-3 py-2 text-ink-3">{user.email}</p>
                {USER_NAVIGATION.map(({ label, to }) => (
                  <NavigationLink key={to} to={to} className={menuLink}>
                    {label}
                  </NavigationLink>
                ))}
                <Button className="mt-3 w-full" onClick={signOut}>
                  {SHELL_TEXTS.signOut}
                </Button>
              </>
            )}
            {state === "out" && (
              <ButtonLink to="/login" variant="primary" className="w-full">
                {SHELL_TEXTS.logIn}
              </ButtonLink>
            )}
          </div>
        </nav>
      )}
    </header>
  );
}

const menuButton = () => loadCode(() => import("./user-menu-button.tsx"));

/**
 * The way to sign in, or the menu of who is signed in. Its code, which visitors do not need, comes with that which checks
 * the token. React would keep a stand-in for `lazyPart` for a third of a second.
 */
function Account() {
  const { state, user } = useSession();
  const [code, setCode] = useState<Awaited<ReturnType<typeof menuButton>>>();
  const isOut = state === "out";
  useEffect(() => {
    const load = (): void => {
      menuButton().then(setCode, () => addEventListener("online", load, { once: true }));
    };
    if (!isOut) load();
  }, [isOut]);
  if (isOut) {
    return (
      <ButtonLink to="/login" variant="primary">
        {SHELL_TEXTS.logIn}
      </ButtonLink>
    );
  }
  if (state === "in" && code) return <code.UserMenuButton email={user.email} />;
  return <Skeleton className="h-10 w-32" />;
}

/** A link that is marked as current while its page, or one below it, is shown. */
function NavigationLink({
  to,
  className,
  children,
}: {
  to: string;
  className: (isActive: boolean) => string;
  children: ReactNode;
}) {
  const here = useBrowserLocation().pathname.toLowerCase();
  const isActive = here === to || (to !== "/" && here.startsWith(`${to}/`));
  return (
    <Link to={to} aria-current={isActive ? "page" : undefined} className={className(isActive)}>
      {children}
    </Link>
  );
}

function topLink(isActive: boolean): string {
  return joinClasses(
    "rounded-control px-3 py-2 font-medium transition-colors",
    isActive ? "bg-raised text-ink" : "text-ink-2 hover:text-ink",
  );
}

function menuLink(isActive: boolean): string {
  return joinClasses(
    "block rounded-control px-3 py-2.5 text-base font-medium",
    isActive ? "bg-raised text-ink" : "text-ink-2",
  );
}
