/** The delay of a controller before it processes an object, in steps. Chance in real clusters, a function here. */
export type Delay = (controller: string, request: string) => number;

interface Item {
  readonly at: number;
  readonly number: number;
  readonly controller: string;
  readonly request: string;
}

/** The objects that controllers must process, by time and arrival, without duplicates. */
export class WorkQueue {
  readonly #heap: Item[] = [];
  readonly #queued = new Set<string>();
  readonly #delay: Delay;
  #now = 0;
  #number = 0;

  constructor(delay: Delay) {
    this.#delay = delay;
  }

  add(controller: string, request: string): void {
    const id = `${controller} ${request}`;
    if (this.#queued.has(id)) return;
    this.#queued.add(id);
    const at = this.#now + 1 + this.#delay(controller, request);
    this.#push({ at, number: this.#number++, controller, request });
  }

  take(): { readonly controller: string; readonly request: string } | undefined {
    const [first] = this.#heap;
    if (first === undefined) return undefined;
    const last = this.#heap.pop() as Item;
    if (this.#heap.length > 0) this.#sink(last);
    this.#now = Math.max(this.#now, first.at);
    this.#queued.delete(`${first.controller} ${first.request}`);
    return first;
  }

  #push(item: Item): void {
    let i = this.#heap.push(item) - 1;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = this.#heap[parent] as Item;
      if (!isBefore(item, above)) break;
      this.#heap[i] = above;
      i = parent;
    }
    this.#heap[i] = item;
  }

  #sink(item: Item): void {
    let i = 0;
    for (;;) {
      const [left, right] = [this.#heap[2 * i + 1], this.#heap[2 * i + 2]];
      if (left === undefined) break;
      const [child, at] = right !== undefined && isBefore(right, left) ? [right, 2 * i + 2] : [left, 2 * i + 1];
      if (!isBefore(child, item)) break;
      this.#heap[i] = child;
      i = at;
    }
    this.#heap[i] = item;
  }
}

const isBefore = (a: Item, b: Item): boolean => a.at < b.at || (a.at === b.at && a.number < b.number);
