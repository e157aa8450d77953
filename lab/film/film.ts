import type { Locator, Page } from "playwright-core";

/** Size of the film and of the page it shows. */
export const SIZE = { width: 1280, height: 720 };
export const FPS = 25;

type Point = readonly [x: number, y: number];
/** Left and top edge in page pixels, and magnification. */
export type View = readonly [x: number, y: number, scale: number];
export const WHOLE: View = [0, 0, 1];

/** One frame: a picture of the page, the view of it, and the cursor position. */
export interface Frame {
  picture: number;
  cursor: Point;
  cursorSeen: boolean;
  view: View;
  /** How far the picture has replaced the previous one, 0 to 1. */
  fade: number;
  /** How far a click's ring has spread, 0 to 1; 0 = none. */
  ripple: number;
  /** The cursor carries a folder. */
  carries: boolean;
}

const FADE_S = 0.32;
const smooth = (t: number): number => t * t * (3 - 2 * t);
const between = (from: number, to: number, t: number): number => from + (to - from) * t;

/**
 * Films a page picture by picture, in its own time: a picture that takes a second to capture still lasts one frame, so
 * that the film is smooth on a slow machine.
 */
export class Film {
  readonly frames: Frame[] = [];
  readonly pictures: Buffer[] = [];
  /** Start of each caption in seconds, in order. */
  readonly captions: { id: string; at: number }[] = [];
  private cursor: Point = [SIZE.width * 0.6, SIZE.height * 0.75];
  private view: View = WHOLE;
  private fadeFrom = -1;
  private page!: Page;
  cursorSeen = true;
  carries = false;

  get seconds(): number {
    return this.frames.length / FPS;
  }

  caption(id: string): void {
    console.log(`${this.seconds.toFixed(1)} s: ${id}`);
    this.captions.push({ id, at: this.seconds });
  }

  /** Cross-fades to another page. */
  async cutTo(page: Page): Promise<void> {
    this.page = page;
    await this.shoot(true);
  }

  /** Takes a new picture of the page. */
  async shoot(soft = false): Promise<void> {
    this.pictures.push(await this.page.screenshot({ type: "jpeg", quality: 93, caret: "initial" }));
    if (soft && this.pictures.length > 1) this.fadeFrom = this.frames.length;
  }

  /** Lets time pass; meanwhile the cursor and view may move, and `each` may change the page before every frame. */
  async pass(
    seconds: number,
    change: {
      cursor?: Point;
      view?: View;
      each?: (t: number, cursor: Point) => Promise<void>;
      /** Frames per picture while `each` changes the page. */
      every?: number;
    } = {},
  ): Promise<void> {
    const count = Math.max(1, Math.round(seconds * FPS));
    const [fromCursor, fromView] = [this.cursor, this.view];
    const toCursor = change.cursor ?? fromCursor;
    const toView = change.view ?? fromView;
    for (let at = 1; at <= count; at++) {
      const t = smooth(at / count);
      this.cursor = [
        between(fromCursor[0], toCursor[0], t),
        between(fromCursor[1], toCursor[1], t),
      ];
      this.view = [0, 1, 2].map((k) => between(fromView[k], toView[k], t)) as unknown as View;
      if (change.each && at % (change.every ?? 1) === 0) {
        await change.each(t, this.cursor);
        await this.shoot();
      }
      this.add();
    }
  }

  /** Moves the film's cursor together with the page's. */
  async moveTo(target: Locator | Point, seconds = 0.7): Promise<void> {
    const point = "boundingBox" in target ? await middle(target) : target;
    await this.pass(seconds, { cursor: point });
    await this.page.mouse.move(point[0], point[1]);
  }

  /** Moves to a target and clicks it; `soft` cross-fades to the result. */
  async click(target: Locator | Point, { seconds = 0.7, soft = false } = {}): Promise<void> {
    await this.moveTo(target, seconds);
    await this.page.waitForTimeout(200);
    await this.shoot();
    await this.ring();
    await this.page.mouse.click(this.cursor[0], this.cursor[1]);
    await this.settle(soft);
  }

  /** Shows the ring of a click, without clicking. */
  async ring(): Promise<void> {
    for (let at = 1; at <= 8; at++) this.add(at / 8);
  }

  async type(text: string): Promise<void> {
    for (const letter of text) {
      await this.page.keyboard.type(letter);
      await this.shoot();
      await this.pass(0.06);
    }
  }

  /** Scrolls the page until a target is this far from the top edge, and takes a picture. */
  async scrollTo(target: Locator, fromTop: number): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error(`Not to be seen: ${target}`);
    await this.page.evaluate(`window.scrollBy(0, ${box.y - fromTop})`);
    await this.settle(true);
  }

  /** Waits until the page is still, then takes a picture. */
  async settle(soft = false): Promise<void> {
    await this.page.waitForTimeout(350);
    await this.shoot(soft);
  }

  private add(ripple = 0): void {
    const passed = (this.frames.length - this.fadeFrom + 1) / (FADE_S * FPS);
    const fade = this.fadeFrom < 0 ? 1 : Math.min(1, passed);
    if (fade === 1) this.fadeFrom = -1;
    this.frames.push({
      picture: this.pictures.length - 1,
      cursor: this.cursor,
      cursorSeen: this.cursorSeen,
      view: this.view,
      fade,
      ripple,
      carries: this.carries,
    });
  }
}

async function middle(target: Locator): Promise<Point> {
  const box = await target.boundingBox();
  if (!box) throw new Error(`Not to be seen: ${target}`);
  return [box.x + box.width / 2, box.y + box.height / 2];
}

/** A view of the page around a point, clamped to the page. */
export function closeTo([x, y]: Point, scale: number): View {
  const [wide, high] = [SIZE.width / scale, SIZE.height / scale];
  return [
    Math.min(Math.max(0, x - wide / 2), SIZE.width - wide),
    Math.min(Math.max(0, y - high / 2), SIZE.height - high),
    scale,
  ];
}
