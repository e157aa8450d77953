import { createHmac } from "node:crypto";
import type { Event } from "./objects.ts";
import type { SandboxSettings } from "./settings.ts";
import type { SandboxState } from "./state.ts";

const API_VERSION = "2026-10-28.endive";
const ATTEMPTS = 12;
const PATIENCE_MS = 10_000;
/** Delay between attempts to save the state while the disk cannot be written. */
const UNSAVED_PAUSE_MS = 1_000;

/** Signature header as the provider's SDKs verify it: t=<seconds>,v1=<HMAC-SHA256 of "t.payload">. */
export function signatureHeader(payload: string, secret: string, seconds: number): string {
  const mac = createHmac("sha256", secret).update(`${seconds}.${payload}`).digest("hex");
  return `t=${seconds},v1=${mac}`;
}

/** Records events and delivers them, retrying until our webhook accepts them, even across restarts. */
export class Webhooks {
  readonly #state: SandboxState;
  readonly #settings: SandboxSettings;
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(state: SandboxState, settings: SandboxSettings) {
    this.#state = state;
    this.#settings = settings;
  }

  /** Records an event; the caller saves the state, then the delivery starts. */
  emit(type: string, object: unknown): void {
    const event: Event = {
      id: this.#state.newId("evt"),
      object: "event",
      type,
      api_version: API_VERSION,
      created: this.#state.now(),
      data: { object: structuredClone(object) },
      livemode: false,
      attempts: 0,
      delivered: false,
    };
    this.#state.data.events[event.id] = event;
    if (this.#state.data.holdEvents) return;
    this.#later(0, () => this.deliver(event.id, this.#state.data.sendTwice));
  }

  /** Delivers held events, one after another in the requested order. */
  async release(order: "oldest" | "newest"): Promise<void> {
    this.#state.data.holdEvents = false;
    const waiting = Object.values(this.#state.data.events).filter(({ delivered }) => !delivered);
    if (order === "newest") waiting.reverse();
    for (const { id } of waiting) await this.deliver(id, this.#state.data.sendTwice);
  }

  /** Resumes events that an earlier run could not deliver. */
  resume(): void {
    if (this.#state.data.holdEvents) return;
    for (const event of Object.values(this.#state.data.events)) {
      if (!event.delivered) this.#later(0, () => this.deliver(event.id, false));
    }
  }

  async deliver(id: string, twice: boolean): Promise<void> {
    const event = this.#state.data.events[id];
    if (!event) return;
    if (!this.#isStored(() => this.#state.assertSaved())) {
      this.#later(UNSAVED_PAUSE_MS, () => this.deliver(id, twice));
      return;
    }
    event.attempts++;
    const taken = (await this.#post(event)) && (!twice || (await this.#post(event)));
    event.delivered ||= taken;
    // If this is lost, the event is sent again, as real providers do.
    this.#isStored(() => this.#state.save());
    if (!taken && event.attempts < ATTEMPTS) {
      // 0.5 s, 1 s, 2 s … up to a minute between attempts.
      const pauseMs = Math.min(60_000, 250 * 2 ** event.attempts);
      this.#later(pauseMs, () => this.deliver(id, twice));
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

  async #post(event: Event): Promise<boolean> {
    const { attempts, delivered, ...sent } = event;
    const payload = JSON.stringify(sent);
    // Signatures use the real time: receivers reject old signatures by their own clock.
    const seconds = Math.floor(Date.now() / 1000);
    try {
      const answer = await fetch(this.#settings.webhookUrl, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "stripe-signature": signatureHeader(payload, this.#settings.webhookSecret, seconds),
        },
        body: payload,
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

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}
