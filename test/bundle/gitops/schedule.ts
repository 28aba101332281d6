/** A clock with work to do. The random source decides the order of events at about the same time. */
export class Schedule {
  now = 0;
  readonly #work: { readonly at: number; readonly run: () => void }[] = [];
  #dice: number;

  constructor(seed: number) {
    this.#dice = seed | 0;
  }

  soon(run: () => void): void {
    this.after(this.aWhile(), run);
  }

  after(seconds: number, run: () => void): void {
    const at = this.now + seconds;
    let place = this.#work.length;
    while (place > 0 && (this.#work[place - 1]?.at ?? 0) > at) place -= 1;
    this.#work.splice(place, 0, { at, run });
  }

  /** Does everything until a time. */
  until(time: number): void {
    for (let next = this.#work[0]; next !== undefined && next.at <= time; next = this.#work[0]) {
      this.#work.shift();
      this.now = next.at;
      next.run();
    }
    this.now = time;
  }

  /** Mostly less than a second; sometimes as long as a slow API server takes. */
  aWhile(): number {
    const dice = this.#throw();
    return dice < 0.9 ? dice : (dice - 0.9) * 150;
  }

  isEvenThrow(): boolean {
    return this.#throw() < 0.5;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, dice: this.#throw() }))
      .sort((a, b) => a.dice - b.dice)
      .map(({ item }) => item);
  }

  /** Mulberry32. */
  #throw(): number {
    this.#dice = (this.#dice + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#dice ^ (this.#dice >>> 15), this.#dice | 1);
    t = (t + Math.imul(t ^ (t >>> 7), t | 61)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }
}
