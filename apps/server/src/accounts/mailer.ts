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
  /** Whether emails are delivered anywhere. */
  canSend: boolean;
  /** Page on which this installation's mails can be read; null with a mail server. */
  outboxUrl: string | null;
}

const PATIENCE_MS = 15_000;

export function openMailer({ mail: { smtpUrl, from }, stripe }: Config): Mailer {
  if (smtpUrl) {
    // Loaded with the first mail.
    const transport = lazily(async () => {
      const { createTransport } = await import("nodemailer");
      return createTransport({
        url: smtpUrl,
        connectionTimeout: PATIENCE_MS,
        greetingTimeout: PATIENCE_MS,
        socketTimeout: PATIENCE_MS,
      });
    });
    return {
      canSend: true,
      outboxUrl: null,
      async send(mail) {
        await (await transport()).sendMail({ from, ...mail });
      },
    };
  }
  const { sandboxUrl, secretKey } = stripe;
  if (!sandboxUrl) {
    return {
      canSend: false,
      outboxUrl: null,
      send: () => Promise.reject(new Error("no mail can be sent: SMTP_URL is not set")),
    };
  }
  const outbox = new URL("/outbox", sandboxUrl);
  return {
    canSend: true,
    outboxUrl: outbox.href,
    async send(mail) {
      const answer = await fetch(outbox, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${secretKey}` },
        body: JSON.stringify({ from, ...mail }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      if (!answer.ok) throw new Error(`the outbox answered ${answer.status}`);
    },
  };
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}
