import { LoaderCircle, type LucideIcon } from "lucide-react";
import {
  isValidElement,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type ReactElement,
} from "react";
import { Link } from "wouter";
import { joinClasses } from "./join-classes.ts";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger" | "inverse";

interface Look {
  /** `primary` at most once per view; `secondary` otherwise; `inverse` on dark bands. */
  variant?: ButtonVariant | undefined;
  size?: "sm" | "md" | "lg" | undefined;
  /** Shown before the text, in the button's size; an element has its own. */
  icon?: LucideIcon | ReactElement | undefined;
}

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-primary text-primary-ink hover:bg-primary-strong",
  secondary: "border border-line-input/60 bg-card text-ink hover:bg-raised",
  ghost: "text-ink-2 hover:bg-raised hover:text-ink",
  danger: "bg-bad text-card hover:bg-bad-strong",
  inverse: "bg-white text-[#0f1b2a] hover:bg-white/85",
};
const SIZES = {
  sm: "h-8 px-3 text-[0.8125rem]",
  md: "h-10 px-4",
  lg: "h-12 px-6 text-base",
};

function look({ variant = "secondary", size = "md" }: Look, className?: string): string {
  return joinClasses(
    "inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium whitespace-nowrap transition-colors duration-150 select-none",
    "disabled:pointer-events-none disabled:opacity-50 aria-disabled:opacity-50",
    VARIANTS[variant],
    SIZES[size],
    className,
  );
}

function ButtonIcon({ icon: Icon, size }: Pick<Look, "icon" | "size">) {
  if (!Icon || isValidElement(Icon)) return Icon;
  return <Icon aria-hidden className={size === "sm" ? "size-3.5" : "size-4"} />;
}

/**
 * A button. `busy` shows a spinner instead of the icon and lets presses do nothing; unlike a disabled button it keeps the
 * focus, which otherwise goes to the first field of its form.
 */
export function Button({
  ref,
  variant,
  size,
  icon,
  busy,
  className,
  children,
  onClick,
  type = "button",
  disabled,
  ...rest
}: Look & { busy?: boolean } & ComponentProps<"button">) {
  const own = useRef<HTMLButtonElement>(null);
  useImperativeHandle(ref, () => own.current!);
  useLayoutEffect(() => {
    const button = own.current;
    // Such as that of a form which its press has emptied.
    if (!disabled || button !== document.activeElement) return;
    const form = button?.closest("form") ?? button?.parentElement;
    form?.querySelector<HTMLElement>("input, textarea")?.focus();
  }, [disabled]);
  return (
    <button
      ref={own}
      type={type}
      disabled={disabled}
      aria-disabled={busy}
      className={look({ variant, size }, className)}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? (
        <LoaderCircle aria-hidden className="size-4 animate-spin" />
      ) : (
        <ButtonIcon icon={icon} size={size} />
      )}
      {children}
    </button>
  );
}

/** A link that looks like a button and opens its own tab. */
export function NewTabLink({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: Look & ComponentProps<"a"> & { href: string }) {
  return (
    <a target="_blank" rel="noreferrer" className={look({ variant, size }, className)} {...rest}>
      <ButtonIcon icon={icon} size={size} />
      {children}
    </a>
  );
}

/** A link that looks like a button: inside the app (`to`, with optional navigation `state`). */
export function ButtonLink({
  variant,
  size,
  icon,
  className,
  children,
  ...rest
}: Look & Omit<ComponentProps<"a">, "href"> & { to: string; state?: unknown }) {
  return (
    <Link className={look({ variant, size }, className)} {...rest}>
      <ButtonIcon icon={icon} size={size} />
      {children}
    </Link>
  );
}
