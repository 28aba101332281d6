/** The smallest of the numbers that were added and not yet taken. Equal ones are kept apart. */
export class MinHeap {
  readonly #numbers: number[] = [];

  add(number: number): void {
    const numbers = this.#numbers;
    let at = numbers.push(number) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (this.#at(above) <= this.#at(at)) break;
      this.#swap(above, at);
      at = above;
    }
  }

  take(): number | undefined {
    const [smallest] = this.#numbers;
    const last = this.#numbers.pop();
    if (smallest === undefined || last === undefined || this.#numbers.length === 0) return smallest;
    this.#numbers[0] = last;
    this.#sink();
    return smallest;
  }

  #sink(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const smaller = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      if (this.#at(smaller) >= this.#at(at)) return;
      this.#swap(smaller, at);
      at = smaller;
    }
  }

  #swap(a: number, b: number): void {
    const [x, y] = [this.#at(a), this.#at(b)];
    this.#numbers[a] = y;
    this.#numbers[b] = x;
  }

  #at(index: number): number {
    return this.#numbers[index] ?? Number.POSITIVE_INFINITY;
  }
}
