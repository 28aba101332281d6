import { dirname, resolve } from 'node:path';
import { visibleText } from '../../../base/core/visible-text.ts';
import { listOf } from '../../../base/core/words.ts';
import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { findTopology, type TopologyFiles } from '../../app/find-topology.ts';
import { type NextStage, nextStage } from '../../app/next-stage.ts';
import { makeFolder, writeFileWhole } from '../../disk/write-files.ts';
import { refused } from '../refused.ts';
import { readingClusters } from '../show.ts';
import type { PullRequestCall } from './pull-request-call.ts';
import { type PullRequestRun, printLine } from './pull-request-run.ts';

/** A change in states, as far as a run has carried it. */
export interface StagedRun {
  /** The files of the next state, which are in place now. */
  readonly paths: readonly string[];
  /** The reason why nothing is proposed yet, or any more; `null` when the next state is in place. */
  readonly waits: string | null;
}

interface Unreadable {
  readonly files: TopologyFiles;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Puts the next state of a change in the place of the present one, if all clusters are as the present one has them. The
 * present files equal a state that is in git, so nothing is lost.
 */
export async function moveToNextStage(
  run: PullRequestRun,
  { folder, ...live }: NonNullable<PullRequestCall['stage']>,
): Promise<StagedRun | Unreadable> {
  const { host, options, call, ports } = run;
  const { topology, lock, out } = call.plan;
  const found = await readingClusters(host, options, (clusters) =>
    nextStage(clusters, { topology, lock, out, folder, ...live }),
  );
  switch (found.kind) {
    case 'refused':
      throw refused(found.refusal, call.words);
    case 'errors':
    case 'unreadable':
      return { files: await findTopology(ports.files, topology, lock), diagnostics: found.diagnostics };
    case 'next': {
      for (const [path, text] of found.files) {
        const target = resolve(host.cwd, path);
        await makeFolder(dirname(target));
        await writeFileWhole(target, text);
      }
      if (!options.quiet) await printLine(host, visibleText(`${found.from} has arrived: ${found.to} is next`));
      return { paths: [...found.files.keys()], waits: null };
    }
    default:
      return { paths: [], waits: waitingWords(found) };
  }
}

/** The sentence of a run that waits, or has nothing left to wait for. */
function waitingWords(found: Exclude<NextStage, { kind: 'next' }>): string {
  if (found.kind === 'finished') return `${found.stage} is the last state: nothing is left to propose`;
  const { stage, differing, unread } = found;
  const reasons = [
    ...(differing.length === 0
      ? []
      : [`${listOf(differing)} ${differing.length === 1 ? 'differs' : 'differ'} from it ("weft drift" says how)`]),
    ...(unread.length === 0 ? [] : [`${listOf(unread)} ${unread.length === 1 ? 'was' : 'were'} not read`]),
  ];
  return `${stage} has not arrived: ${reasons.join('; ')}`;
}
