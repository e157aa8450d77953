import type { Config } from "../config.ts";

export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends email: by SMTP if configured, otherwise to the payment sandbox's outbox page. */
export interface Mailer {
  /** Throws when the mail could not be handed over. */
  send(mail: Mail): Promise<void>;
  /** Forgets mail to a deleted account's address that is still kept here. */
  forget(to: string): Promise<void>;
  /** Whether emails are delivered anywhere. */
  canSend: boolean;
  /** Page on which this installation's mails can be read; null with a mail server. */
  outboxUrl: string | null;
}

const TIMEOUT_MS = 15_000;

export function openMailer({ mail: { smtpUrl, from }, stripe }: Config): Mailer {
  if (smtpUrl) {
    // Loaded with the first mail.
    const transport = lazily(async () => {
      const { createTransport } = await import("nodemailer");
      return createTransport({
        url: smtpUrl,
        connectionTimeout: TIMEOUT_MS,
        greetingTimeout: TIMEOUT_MS,
        socketTimeout: TIMEOUT_MS,
      });
    });
    return {
      canSend: true,
      outboxUrl: null,
      async send(mail) {
        // As a whole: of a text that an early version took for an address, the part after a comma would be written to.
        const to = { name: "", address: mail.to };
        await (await transport()).sendMail({ from, ...mail, to });
      },
      forget: () => Promise.resolve(),
    };
  }
  const { sandboxUrl, secretKey } = stripe;
  if (!sandboxUrl) {
    return {
      canSend: false,
      outboxUrl: null,
      send: () => Promise.reject(new Error("no mail can be sent: SMTP_URL is not set")),
      forget: () => Promise.resolve(),
    };
  }
  const outbox = new URL("/outbox", sandboxUrl);
  async function ask(method: string, url: URL, body?: string): Promise<void> {
    const answer = await fetch(url, {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`the outbox answered ${answer.status}`);
  }
  return {
    canSend: true,
    outboxUrl: outbox.href,
    async send(mail) {
      await ask("POST", outbox, JSON.stringify({ from, ...mail }));
    },
    async forget(to) {
      await ask("DELETE", new URL(`?${new URLSearchParams({ to }).toString()}`, outbox));
    },
  };
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
