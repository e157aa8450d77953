import { Mail } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { SocialLinks } from "../components/social-links.tsx";
import { HELP, LEGAL_LINKS, QUICK_LINKS, SHELL_TEXTS, type NavigationItem } from "./shell-texts.ts";
import { Logo } from "./logo.tsx";
import { CONTACT_EMAIL, SOCIAL_LINKS } from "./settings.ts";

export function Footer() {
  return (
    <footer className="border-t border-line bg-card peer-has-data-page-loading:hidden">
      <div className="mx-auto grid max-w-[1200px] grid-cols-2 gap-x-6 gap-y-10 px-4 py-12 sm:px-6 md:grid-cols-[2fr_1fr_1fr_1.5fr]">
        <div className="col-span-2 md:col-span-1">
          <Logo />
          <p className="mt-3 max-w-64 text-ink-2">{SHELL_TEXTS.tagline}</p>
          <div className="mt-3">
            <LinkList items={[HELP]} />
          </div>
        </div>
        <FooterColumn title={SHELL_TEXTS.quickLinks}>
          <LinkList items={QUICK_LINKS} />
        </FooterColumn>
        <FooterColumn title={SHELL_TEXTS.legal}>
          <LinkList items={LEGAL_LINKS} />
        </FooterColumn>
        <FooterColumn title={SHELL_TEXTS.connect} className="col-span-2 md:col-span-1">
          <a
            href={`mailto:${CONTACT_EMAIL}`}
            className="inline-flex items-center gap-2 text-ink-2 hover:text-ink hover:underline"
          >
            <Mail aria-hidden className="size-4" />
            {CONTACT_EMAIL}
          </a>
          <SocialLinks links={SOCIAL_LINKS} className="mt-3 -ml-2" />
        </FooterColumn>
      </div>
      <div className="border-t border-line">
        <p className="mx-auto max-w-[1200px] px-4 py-5 text-ink-3 sm:px-6">
          © {new Date().getFullYear()} {SHELL_TEXTS.product}. {SHELL_TEXTS.rights}
        </p>
      </div>
    </footer>
  );
}

function FooterColumn({
  title,
  className,
  children,
}: {
  title: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <div className={className}>
      <h2 className="mb-3 text-sm tracking-normal">{title}</h2>
      {children}
    </div>
  );
}

function LinkList({ items }: { items: readonly NavigationItem[] }) {
  return (
    <ul className="space-y-2">
      {items.map(({ label, to }) => (
        <li key={to}>
          <Link to={to} className="text-ink-2 hover:text-ink hover:underline">
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}
