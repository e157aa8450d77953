import { HELP_PAGE_NAMES, type HelpPageName } from "@stipple/contract/help-pages";
import { useEffect, useState, type MouseEvent } from "react";
import { Link, Redirect, useLocation, useParams } from "wouter";
import type { GuidePage } from "../../../guide.ts";
import { loadCode } from "../../app/load-code.ts";
import { usePageTitle } from "../../app/use-page-title.ts";
import { joinClasses } from "../../components/join-classes.ts";
import { HELP_PAGES, helpTexts } from "../../components/help-texts.ts";

const files = import.meta.glob<{ default: GuidePage }>("../../../../../docs/guide/*.md");

/** The list of help pages, and one of them: /help/<name>. */
export function HelpPage() {
  const { page } = useParams();
  if (page === undefined) return <HelpStart />;
  if (!Object.hasOwn(HELP_PAGES, page)) return <Redirect to="/404" replace />;
  return <Article key={page} name={page as HelpPageName} />;
}

function HelpStart() {
  usePageTitle(helpTexts.title);
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-14 sm:px-6 lg:py-20">
      <h1 className="text-[2.5rem] leading-[1.1] tracking-[-0.03em]">{helpTexts.title}</h1>
      <p className="mt-3 text-ink-2">{helpTexts.lead}</p>
      <ul className="mt-8 grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {HELP_PAGE_NAMES.map((name) => (
          <li key={name}>
            <Link
              to={`/help/${name}`}
              className="flex h-full min-h-16 items-center rounded-card border border-line bg-card p-5 text-base font-medium text-primary hover:bg-raised"
            >
              {HELP_PAGES[name]}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Article({ name }: { name: HelpPageName }) {
  const title = HELP_PAGES[name];
  usePageTitle(title);
  const page = useGuidePage(name);
  const [, navigate] = useLocation();

  /** Links in the text stay in the app. */
  function follow(event: MouseEvent<HTMLElement>): void {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const to = link?.getAttribute("href");
    if (!to?.startsWith("/") || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    navigate(to);
  }

  return (
    <div className="mx-auto grid w-full max-w-[1200px] gap-10 px-4 py-10 sm:px-6 lg:grid-cols-[15rem_minmax(0,1fr)] lg:py-14">
      <nav aria-label={helpTexts.pages} className="max-lg:order-last">
        <ul className="flex flex-col gap-1 lg:sticky lg:top-20">
          {HELP_PAGE_NAMES.map((other) => (
            <li key={other}>
              <Link
                to={`/help/${other}`}
                aria-current={other === name ? "page" : undefined}
                className={joinClasses(
                  "block rounded-control px-3 py-2",
                  other === name
                    ? "bg-primary-tint font-medium text-primary"
                    : "text-ink-2 hover:bg-raised hover:text-ink",
                )}
              >
                {HELP_PAGES[other]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <article className="min-h-dvh min-w-0">
        <h1 className="text-[2.25rem] leading-[1.1] tracking-[-0.03em]">{title}</h1>
        {page ? (
          // The text is our own, converted when the pages were built.
          <div className="prose-page guide mt-5" onClick={follow}>
            <div className="text-[1.0625rem]" dangerouslySetInnerHTML={{ __html: page.lead }} />
            <div dangerouslySetInnerHTML={{ __html: page.html }} />
          </div>
        ) : (
          <p role="status" className="mt-5 text-ink-3">
            {helpTexts.loading}
          </p>
        )}
      </article>
    </div>
  );
}

/** The page once it is loaded; then the section that the address names comes into view. */
function useGuidePage(name: HelpPageName): GuidePage | null {
  const [page, setPage] = useState<GuidePage | null>(null);
  useEffect(() => {
    let isCurrent = true;
    void loadCode(files[`../../../../../docs/guide/${name}.md`]!).then((loaded) => {
      if (isCurrent) setPage(loaded.default);
    });
    return () => {
      isCurrent = false;
    };
  }, [name]);
  const [place] = useLocation();
  useEffect(() => {
    const id = decodeURIComponent(window.location.hash.slice(1));
    if (page && id) document.getElementById(id)?.scrollIntoView();
  }, [page, place]);
  return page;
}
