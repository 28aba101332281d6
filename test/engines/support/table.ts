import { appendFileSync, existsSync } from 'node:fs';

/** A row of the table that a run with real engines prints, and appends to the file that `WEFT_ENGINES_TABLE` names. */
export class Row {
  applied = 0;
  compared = 0;
  different = 0;
  refused = 0;
  writesAtRest = 0;
  eventsAtRest = 0;
  edits = 0;
  readonly #seconds = new Map<string, number[]>();
  readonly #release: string;
  readonly #engine: string;
  #since = 0;

  constructor(release: string, engine: string) {
    this.#release = release;
    this.#engine = engine;
  }

  begin(): void {
    this.#since = performance.now();
  }

  end(what: 'first rollout' | 'edit'): void {
    const all = this.#seconds.get(what) ?? [];
    this.#seconds.set(what, [...all, (performance.now() - this.#since) / 1_000]);
  }

  print(): void {
    const seconds = (what: string): string => (this.#seconds.get(what) ?? []).map((it) => it.toFixed(0)).join(', ');
    const cells = [
      ...[this.#release, this.#engine, this.applied, this.compared, this.different, this.refused],
      ...[this.writesAtRest, this.eventsAtRest, seconds('first rollout'), this.edits, seconds('edit')],
    ];
    const line = `| ${cells.join(' | ')} |`;
    console.info(`${HEADER}\n${line}`);
    const file = process.env['WEFT_ENGINES_TABLE'];
    if (file === undefined) return;
    // A file of rows alone is no table in Markdown.
    if (!existsSync(file)) appendFileSync(file, `${HEADER}\n`);
    appendFileSync(file, `${line}\n`);
  }
}

const HEADER = `| Liqo | engine | objects applied | compared | different | refused | writes in a minute at rest | Events in it | first rollout, s | edits as planned | each, s |
|---|---|---|---|---|---|---|---|---|---|---|`;
