import { useState } from "react";
import { errorText } from "./api.ts";

export interface Message {
  text: string;
  failed: boolean;
}

/** Does one thing at a time, and holds the message about it. */
export function useAttempt(initialProblem?: string) {
  const [busy, setBusy] = useState(false);
  const [message, setMessage] = useState<Message | null>(
    initialProblem ? { text: initialProblem, failed: true } : null,
  );

  /** Whether it worked. A failure becomes the message: the server's sentence or `otherwise`, or what that makes of the error. */
  async function attempt(
    act: () => Promise<void>,
    otherwise: string | ((error: unknown) => string),
  ): Promise<boolean> {
    setBusy(true);
    setMessage(null);
    try {
      await act();
      return true;
    } catch (error) {
      const text = typeof otherwise === "string" ? errorText(error, otherwise) : otherwise(error);
      setMessage({ text, failed: true });
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { attempt, busy, message, setMessage };
}
