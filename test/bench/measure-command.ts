import { type BenchFolder, runWeft, useTopology } from './bench-folder.ts';
import type { MeasuredCommand } from './commands.ts';
import type { Floors } from './floors.ts';
import { median } from './median.ts';
import { type ProcessCost, ProgramFailed } from './process-cost.ts';

/** Medians of some runs. */
export interface Measured {
  readonly runs: number;
  readonly wallMs: number;
  readonly fastestMs: number;
  readonly slowestMs: number;
  readonly cpuMs: number | null;
  readonly peakMB: number | null;
}

/** A command of one fleet: numbers, or the reason why there are none. */
export interface CommandRow {
  readonly command: MeasuredCommand;
  readonly now: Measured | string;
  readonly reference: Measured | string;
  /** Ratios of wall times: each run divided by the reference that ran before it. */
  readonly ratio: number | null;
  readonly before: Measured | string | null;
}

export interface MeasureRequest {
  readonly now: BenchFolder;
  readonly before: BenchFolder | null;
  readonly floors: Floors;
  readonly runs: number;
  /** A column stops after a run with which it has taken so long. */
  readonly seconds: number;
  /** A single run is ended after so long. */
  readonly limitSeconds: number;
  readonly withReference: boolean;
}

/** Reference, this build and the other build take turns, so that all of them have the same machine. */
export function measureCommand(command: MeasuredCommand, request: MeasureRequest): CommandRow {
  const { now, before, floors, limitSeconds } = request;
  const reference = new Column(request);
  const columns = [new Column(request), ...(before === null ? [] : [new Column(request)])] as const;
  const folders = [now, ...(before === null ? [] : [before])];
  const ratios: number[] = [];
  for (let run = 0; run < request.runs; run++) {
    const base =
      request.withReference && columns[0].isOpen ? reference.add(() => referenceCost(command, now, floors)) : null;
    folders.forEach((folder, i) => {
      const column = columns[i];
      if (!column?.isOpen) return;
      const cost = column.add(() => {
        command.prepare?.(folder, run);
        return runWeft(folder, command.args(folder), { limitSeconds, ...(command.exits && { exits: command.exits }) });
      });
      if (i === 0 && cost && base) ratios.push(cost.wallMs / base.wallMs);
    });
  }
  for (const it of folders) command.restore?.(it);
  return {
    command,
    now: columns[0].result(),
    before: columns[1]?.result() ?? null,
    reference: reference.result(),
    ratio: ratios.length === 0 ? null : median(ratios),
  };
}

function referenceCost(command: MeasuredCommand, now: BenchFolder, floors: Floors): ProcessCost {
  if (command.reference !== 'unchanged') return floors[command.reference]();
  useTopology(now, 'base');
  return runWeft(now, ['compile', '--check', '--no-cache']);
}

/** The runs of one program for one row. */
class Column {
  readonly #costs: ProcessCost[] = [];
  readonly #budgetMs: number;
  #failure: string | null = null;

  constructor({ seconds }: MeasureRequest) {
    this.#budgetMs = seconds * 1000;
  }

  get isOpen(): boolean {
    return this.#failure === null && this.#costs.reduce((sum, it) => sum + it.wallMs, 0) < this.#budgetMs;
  }

  add(run: () => ProcessCost): ProcessCost | null {
    try {
      const cost = run();
      this.#costs.push(cost);
      return cost;
    } catch (error) {
      if (!(error instanceof ProgramFailed)) throw error;
      this.#failure = error.message;
      return null;
    }
  }

  result(): Measured | string {
    return this.#failure ?? (this.#costs.length === 0 ? 'not measured' : measuredOf(this.#costs));
  }
}

export function measuredOf(costs: readonly ProcessCost[]): Measured {
  const walls = costs.map((it) => it.wallMs);
  const known = (values: readonly (number | null)[]): number | null => {
    const numbers = values.filter((it) => it !== null);
    return numbers.length === 0 ? null : median(numbers);
  };
  return {
    runs: costs.length,
    wallMs: median(walls),
    fastestMs: Math.min(...walls),
    slowestMs: Math.max(...walls),
    cpuMs: known(costs.map((it) => it.cpuMs)),
    peakMB: known(costs.map((it) => it.peakMB)),
  };
}
