import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { readVectorLines, vectorFiles } from '../../support/vectors.ts';

/** A fleet with real controllers at a moment of a run of `test/engines`. */
export interface EngineMoment {
  /** `Flux 1.2` */
  readonly run: string;
  /** `a cluster is added` */
  readonly moment: string;
  /** The topology, its keys and its lock, and a dump of each cluster. */
  readonly files: Readonly<Record<string, string>>;
  /** The objects of each dump. */
  readonly dumps: ReadonlyMap<string, readonly KubernetesObject[]>;
}

/** A line of a recording, as `test/engines/support/recorder.ts` writes it. */
interface RecordedPart {
  readonly at: readonly string[];
  readonly path: string;
  readonly text?: string;
  readonly item?: KubernetesObject;
}

/** Every recorded moment of every run, in order. */
export const engineMoments = (): readonly EngineMoment[] =>
  vectorFiles('engines')
    .filter((it) => it.endsWith('.jsonl'))
    .flatMap((file) =>
      momentsOf(file.slice(0, -'.jsonl'.length), readVectorLines(`engines/${file}`) as RecordedPart[]),
    );

function momentsOf(run: string, parts: readonly RecordedPart[]): readonly EngineMoment[] {
  // The lock is written at each edit, so every moment is among these.
  return [...new Set(parts.flatMap((it) => it.at))].map((moment) => {
    const its = parts.filter((it) => it.at.includes(moment));
    const dumps = new Map<string, KubernetesObject[]>();
    const files: Record<string, string> = {};
    for (const { path, text, item } of its) {
      if (text !== undefined) files[path] = text;
      if (item !== undefined) dumps.set(path, [...(dumps.get(path) ?? []), item]);
    }
    for (const [path, items] of dumps) files[path] = JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
    return { run, moment, files, dumps };
  });
}
