import { decodeToken, storedToken } from "../token.ts";

interface Message {
  /** Whose answer it is: another person may sign in between asking and hearing. */
  user: string;
  key: string;
  answer: unknown;
}

const CHANNEL = "stipple.answers";
let channel: BroadcastChannel | null | undefined;

function open(): BroadcastChannel | null {
  channel ??= typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL);
  return channel;
}

/** Whom the stored token names. All tabs share it, whatever each of them knows of the person so far. */
function person(): string | null {
  const token = storedToken();
  return token === null ? null : (decodeToken(token)?.sub ?? null);
}

/** Passes a server response to the other tabs of this browser. */
export function tellOtherTabs(key: string, answer: unknown): void {
  const user = person();
  if (user === null) return;
  const message: Message = { user, key, answer };
  open()?.postMessage(message);
}

/** Receives the responses that other tabs got for the user signed in here. */
export function hearOtherTabs(listener: (key: string, answer: unknown) => void): void {
  open()?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.user === person()) listener(data.key, data.answer);
  });
}
