import { createHmac } from "node:crypto";
import type { SandboxState } from "./state.ts";

const TIMEOUT_MS = 10_000;

/** Records events and delivers them, retrying until our webhook accepts them, even across restarts. */
export class Webhooks {
  readonly #state: SandboxState;
  readonly #url: string;
  readonly #secret: string;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(state: SandboxState, url: string, secret: string) {
    this.#state = state;
    this.#url = url;
    this.#secret = secret;
  }

  /** Records an event. Its delivery starts when the caller, which saves the state, is done. */
  emit(type: string, object: unknown): void {
    const { id } = this.#state.add("events", {
      type,
      data: { object: structuredClone(object) },
      delivered: false,
    });
    if (!this.#state.data.holdEvents) this.#later(0, id);
  }

  /** Delivers held events, one after another in the requested order. */
  async release(order: "oldest" | "newest"): Promise<void> {
    this.#state.data.holdEvents = false;
    const waiting = this.#waiting();
    for (const id of order === "newest" ? waiting.reverse() : waiting) await this.#deliver(id);
  }

  /** Resumes events that an earlier run could not deliver. */
  resume(): void {
    if (!this.#state.data.holdEvents) for (const id of this.#waiting()) this.#later(0, id);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #waiting(): string[] {
    const events = Object.values(this.#state.data.events);
    return events.filter(({ delivered }) => !delivered).map(({ id }) => id);
  }

  /** Delivers an event; if it is not taken, again after `pauseMs`, and then twice as long, up to a minute. */
  async #deliver(id: string, pauseMs = 500): Promise<void> {
    const event = this.#state.data.events[id];
    const { delivered, ...sent } = event;
    const times = this.#state.data.sendTwice ? 2 : 1;
    let isTaken = true;
    for (let time = 0; time < times; time++) isTaken &&= await this.#post(JSON.stringify(sent));
    event.delivered ||= isTaken;
    if (!isTaken) this.#later(pauseMs, id, Math.min(60_000, 2 * pauseMs));
  }

  /** Signs as the provider's SDKs verify it: t=<seconds>,v1=<HMAC-SHA256 of "t.payload">, by the real time. */
  async #post(body: string): Promise<boolean> {
    const t = Math.floor(Date.now() / 1000);
    const mac = createHmac("sha256", this.#secret).update(`${t}.${body}`).digest("hex");
    try {
      const answer = await fetch(this.#url, {
        method: "POST",
        headers: { "content-type": "application/json", "stripe-signature": `t=${t},v1=${mac}` },
        body,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  #later(ms: number, id: string, pauseMs?: number): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void this.#deliver(id, pauseMs);
    }, ms);
    this.#timers.add(timer);
  }
}
