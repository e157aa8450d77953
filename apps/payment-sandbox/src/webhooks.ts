import { createHmac } from "node:crypto";
import type { SandboxState } from "./state.ts";

const ATTEMPTS = 12;
const PATIENCE_MS = 10_000;
/** Delay between attempts to save the state while the disk cannot be written. */
const UNSAVED_PAUSE_MS = 1_000;

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

  /** Records an event; the caller saves the state, then the delivery starts. */
  emit(type: string, object: unknown): void {
    const { id } = this.#state.add("events", {
      type,
      data: { object: structuredClone(object) },
      attempts: 0,
      delivered: false,
    });
    if (!this.#state.data.holdEvents) this.#later(0, () => this.#deliver(id));
  }

  /** Delivers held events, one after another in the requested order. */
  async release(order: "oldest" | "newest"): Promise<void> {
    this.#state.data.holdEvents = false;
    const waiting = Object.values(this.#state.data.events).filter(({ delivered }) => !delivered);
    if (order === "newest") waiting.reverse();
    for (const { id } of waiting) await this.#deliver(id);
  }

  /** Resumes events that an earlier run could not deliver. */
  resume(): void {
    if (this.#state.data.holdEvents) return;
    for (const { id, delivered } of Object.values(this.#state.data.events)) {
      if (!delivered) this.#later(0, () => this.#deliver(id));
    }
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async #deliver(id: string): Promise<void> {
    const event = this.#state.data.events[id];
    if (!event) return;
    if (!this.#isStored(() => this.#state.assertSaved())) {
      this.#later(UNSAVED_PAUSE_MS, () => this.#deliver(id));
      return;
    }
    event.attempts++;
    const { attempts, delivered, ...sent } = event;
    const payload = JSON.stringify(sent);
    const twice = this.#state.data.sendTwice;
    const taken = (await this.#post(payload)) && (!twice || (await this.#post(payload)));
    event.delivered ||= taken;
    // If this is lost, the event is sent again, as real providers do.
    this.#isStored(() => this.#state.save());
    if (!taken && event.attempts < ATTEMPTS) {
      // 0.5 s, 1 s, 2 s … up to a minute between attempts.
      this.#later(Math.min(60_000, 250 * 2 ** event.attempts), () => this.#deliver(id));
    }
  }

  #isStored(save: () => void): boolean {
    try {
      save();
      return true;
    } catch {
      return false;
    }
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
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      await answer.arrayBuffer();
      return answer.ok;
    } catch {
      return false;
    }
  }

  #later(ms: number, task: () => Promise<void>): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      void task();
    }, ms);
    this.#timers.add(timer);
  }
}
