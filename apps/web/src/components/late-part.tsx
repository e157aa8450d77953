import { Component, Suspense, type ReactNode } from "react";
import { toast } from "./toast-store.ts";

const FAILED = "A part of this page didn't load. Reload the page once you are online.";

/**
 * Shows a part whose code is loaded when it is first needed, and `waiting` until then. If it does not load, as offline or
 * after an update of the server, the page keeps everything else.
 */
export class LatePart extends Component<
  { waiting?: ReactNode; children: ReactNode },
  { failed: boolean }
> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    toast(FAILED, { failed: true });
  }

  override render(): ReactNode {
    const { waiting = null, children } = this.props;
    return this.state.failed ? waiting : <Suspense fallback={waiting}>{children}</Suspense>;
  }
}
