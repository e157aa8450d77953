/** Emails and the like, whose requests do not wait for them; the process does before it ends. */
export class Background {
  readonly #underWay = new Set<Promise<void>>();

  add(work: Promise<void>, onFailure: (error: unknown) => void): void {
    const mine: Promise<void> = work.catch(onFailure).finally(() => this.#underWay.delete(mine));
    this.#underWay.add(mine);
  }

  /** Resolves when all that was added so far has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}
