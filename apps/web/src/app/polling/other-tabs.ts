import { decodeToken, storedToken } from "../token.ts";

interface Message {
  /** The user the response is for: another user may sign in before it is received. */
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

/** The user named by the stored token. All tabs share the token, whatever each has loaded about the user so far. */
function person(): string | null {
  const token = storedToken();
  return token === null ? null : (decodeToken(token)?.sub ?? null);
}

/** Passes a server response to the other tabs of this browser. */
export function postToOtherTabs(key: string, answer: unknown): void {
  const user = person();
  if (user === null) return;
  const message: Message = { user, key, answer };
  open()?.postMessage(message);
}

/** Receives the responses that other tabs got for the user signed in here. */
export function onOtherTabs(listener: (key: string, answer: unknown) => void): void {
  open()?.addEventListener("message", ({ data }: MessageEvent<Message>) => {
    if (data.user === person()) listener(data.key, data.answer);
  });
}
