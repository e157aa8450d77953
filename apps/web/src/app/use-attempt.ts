import { useState } from "react";
import { ApiError, errorText } from "./api.ts";

export interface Message {
  text: string;
  failed: boolean;
  /** Code of the server's reason, used to choose the link the page offers. */
  code?: string;
}

/** What a failure says. */
export const failure = (text: string, error: unknown): Message => ({
  text,
  failed: true,
  ...(error instanceof ApiError && { code: error.code }),
});

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
      setMessage(failure(text, error));
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { attempt, busy, message, setMessage };
}
