import { Component, type ReactNode } from "react";
import { Button } from "./button.tsx";
import { toast } from "./toast-store.ts";

const FAILED = "A part of this page didn't load. Reload the page once you are online.";

/**
 * Shows a way to continue when a page breaks, usually because a new version replaced its files. The next page, `at`
 * another address, is tried again, and so is the same one when the browser is online again. A part of a page says that
 * it is missing and leaves everything else: `instead` is shown in its place.
 */
export class ErrorBoundary extends Component<
  { at?: string; instead?: ReactNode; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    if (this.props.instead !== undefined) toast(FAILED, { failed: true });
    window.addEventListener("online", this.#tryAgain, { once: true });
  }

  override componentDidUpdate(before: { at?: string }): void {
    if (before.at !== this.props.at && this.state.failed) this.#tryAgain();
  }

  #tryAgain = (): void => this.setState({ failed: false });

  override render(): ReactNode {
    const { instead, children } = this.props;
    if (!this.state.failed) return children;
    if (instead !== undefined) return instead;
    return (
      <div className="grid min-h-[80dvh] place-items-center p-6 text-center">
        <div role="alert">
          <h1 className="text-2xl">This page could not be displayed</h1>
          <p className="mt-2 text-ink-2">
            A new version may have been installed. Your projects are safe.
          </p>
          <Button
            variant="primary"
            className="mt-6"
            onClick={() => {
              window.location.reload();
            }}
          >
            Reload
          </Button>
        </div>
      </div>
    );
  }
}
