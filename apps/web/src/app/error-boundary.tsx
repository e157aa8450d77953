import { Component, type ReactNode } from "react";
import { Button } from "../components/button.tsx";

/**
 * Shows a way to continue when a page breaks, usually because a new version replaced its files. The next page, `at`
 * another address, is tried again.
 */
export class ErrorBoundary extends Component<
  { at?: string; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidUpdate(before: { at?: string }): void {
    if (before.at !== this.props.at && this.state.failed) this.setState({ failed: false });
  }

  override render(): ReactNode {
    if (!this.state.failed) return this.props.children;
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
