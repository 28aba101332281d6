import { join } from 'node:path';
import { printBundlePath } from '../../base/core/bundle-path.ts';
import type { Compiled } from '../../compile.ts';
import type { PlanState } from '../../plan/plan-state.ts';
import { readPlanState } from '../../plan/read-plan-state.ts';
import { topologyFacts } from '../../plan/topology-facts.ts';
import { compileThen, sourcesThen } from './compile-then.ts';
import type { ReadyTopology } from './compile-topology.ts';
import { type Base, type BaseReader, openBase } from './open-base.ts';
import { OperationRefused } from './operation-refused.ts';
import { ownFiles } from './own-files.ts';
import type { FileReader } from './ports.ts';

export interface BaseRequest {
  readonly base: Base;
  readonly out: string;
  /** The topology as it is now. */
  readonly topology: Pick<ReadyTopology, 'files' | 'sources' | 'compiled'>;
}

/**
 * The state before. Clusters apply files, so the files count; the topology of the base adds facts that no file contains, which
 * `readBaseFacts` finds. A base without files is the result of its topology.
 */
export async function readBase(files: FileReader, { base, out, topology }: BaseRequest): Promise<PlanState> {
  const { sources, compiled, files: paths } = topology;
  const reader = await openBase(files, base);
  const found = ownFiles(await reader.filesBelow(out, compiled.bundle), compiled.bundle);
  const lock = base.kind === 'out' ? sources.lock?.text : await lockText(reader, paths.lock);
  const state = readPlanState({ files: found, lock: lock ?? null, known: null });
  if (base.kind !== 'out' && (state === undefined || state.addresses === null)) {
    const then = compileThen(await sourcesThen(reader, paths));
    const compiledState = then && headState(then);
    if (compiledState !== undefined) return compiledState;
  }
  if (state !== undefined) return state;
  const path = join(out, printBundlePath({ part: 'addresses' }));
  throw new OperationRefused({ kind: 'no-base', path });
}

/** The state that a topology compiles to. */
export const headState = ({ bundle, lock, model }: Compiled): PlanState | undefined =>
  readPlanState({ files: bundle, lock, known: topologyFacts(model) });

async function lockText(reader: BaseReader, path: string): Promise<string | undefined> {
  const read = await reader.readText(path);
  return read.kind === 'ok' ? read.text : undefined;
}
