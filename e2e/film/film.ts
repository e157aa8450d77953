import type { Locator, Page } from "playwright-core";

/** Size of the film, which is also that of the page that it shows. */
export const SIZE = { width: 1280, height: 720 };
export const FPS = 25;

type Point = readonly [x: number, y: number];
/** Left and top edge in page pixels, and magnification. */
export type View = readonly [x: number, y: number, scale: number];
export const WHOLE: View = [0, 0, 1];

/** One frame: which picture of the page, seen through which view, with the cursor where. */
export interface Frame {
  picture: number;
  cursor: Point;
  cursorSeen: boolean;
  view: View;
  /** How far the picture has replaced the one before, 0 to 1. */
  fade: number;
  /** How far the ring of a click has spread, 0 to 1; 0 = none. */
  ripple: number;
  /** A folder hangs at the cursor. */
  carries: boolean;
}

const FADE_S = 0.32;
const smooth = (t: number): number => t * t * (3 - 2 * t);
const between = (from: number, to: number, t: number): number => from + (to - from) * t;

/**
 * Takes a film of a page picture by picture. Its time is its own: a picture that takes a second to take lasts one frame
 * all the same, so that the film is smooth on a slow machine.
 */
export class Film {
  readonly frames: Frame[] = [];
  readonly pictures: Buffer[] = [];
  /** Second at which each caption begins, in order. */
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

  /** Cuts to another page, softly. */
  async cutTo(page: Page): Promise<void> {
    this.page = page;
    await this.shoot(true);
  }

  /** A new picture of the page as it is now. */
  async shoot(soft = false): Promise<void> {
    this.pictures.push(await this.page.screenshot({ type: "jpeg", quality: 93, caret: "initial" }));
    if (soft && this.pictures.length > 1) this.fadeFrom = this.frames.length;
  }

  /** Lets time pass; cursor and view may travel meanwhile, and `each` may change the page before every frame. */
  async pass(
    seconds: number,
    change: {
      cursor?: Point;
      view?: View;
      each?: (t: number, cursor: Point) => Promise<void>;
      /** Frames between two pictures while `each` changes the page. */
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
      this.view = [0, 1, 2].map((k) => between(fromView[k]!, toView[k]!, t)) as unknown as View;
      if (change.each && at % (change.every ?? 1) === 0) {
        await change.each(t, this.cursor);
        await this.shoot();
      }
      this.add();
    }
  }

  /** Moves the cursor, and the page's own with it. */
  async moveTo(target: Locator | Point, seconds = 0.7): Promise<void> {
    const point = "boundingBox" in target ? await middle(target) : target;
    await this.pass(seconds, { cursor: point });
    await this.page.mouse.move(point[0], point[1]);
  }

  /** Goes to something and clicks it; `soft` fades over to what the click brings. */
  async click(target: Locator | Point, { seconds = 0.7, soft = false } = {}): Promise<void> {
    await this.moveTo(target, seconds);
    await this.page.waitForTimeout(200);
    await this.shoot();
    await this.ring();
    await this.page.mouse.click(this.cursor[0], this.cursor[1]);
    await this.settle(soft);
  }

  /** The ring of a click, without the click. */
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

  /** Scrolls the page until something is this far from the upper edge, and takes its picture. */
  async scrollTo(target: Locator, fromTop: number): Promise<void> {
    const box = await target.boundingBox();
    if (!box) throw new Error(`Not to be seen: ${target}`);
    await this.page.evaluate(`window.scrollBy(0, ${box.y - fromTop})`);
    await this.settle(true);
  }

  /** Waits until the page stands still, then takes its picture. */
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

/** A view of the page around a point, kept within it. */
export function closeTo([x, y]: Point, scale: number): View {
  const [wide, high] = [SIZE.width / scale, SIZE.height / scale];
  return [
    Math.min(Math.max(0, x - wide / 2), SIZE.width - wide),
    Math.min(Math.max(0, y - high / 2), SIZE.height - high),
    scale,
  ];
}
