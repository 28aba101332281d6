import { type Zippable, zipSync } from 'fflate';
import { cryptography } from '#cryptography';
import { diagnosticsDocument } from '../../../answers/report/diagnostics-document.ts';
import { oncePer } from '../../../base/core/once.ts';
import { printRecords } from '../../../base/core/print-records.ts';
import { failure, type Outcome } from '../../../base/diagnostics/outcome.ts';
import type { Source } from '../../../base/source/source.ts';
import { bundleMemory } from '../../../bundle/emit/emit-bundle.ts';
import { type Compiled, compile, READERS, type Sources } from '../../../compile.ts';
import { lockMemory } from '../../../fleet/ipam/assign-addresses.ts';
import { cannotInclude, includesOf } from '../../../fleet/topology/includes-of.ts';
import { type Ask, openCompiled } from '../answers.ts';
import {
  DRAFT_FILES,
  type Drafts,
  draftSources,
  LOCK_FILE,
  type LockedDrafts,
  OUT,
  TOPOLOGY_FOLDER,
} from './drafts.ts';

export interface DraftsRequest extends LockedDrafts {
  /** The version of weft with its commit. */
  readonly weft: string;
  /** The state that readers compare with. */
  readonly kept: LockedDrafts;
}

export interface CompiledDrafts {
  readonly diagnostics: ReturnType<typeof diagnosticsDocument>['diagnostics'];
  /** The text of the next lock; `null` with an error. */
  readonly lock: string | null;
  /** Answers about the fleet; `null` with an error. */
  readonly ask: Ask | null;
  /** The fleet as a zip of the files in a repository; `null` with an error. */
  readonly zip: (() => Uint8Array) | null;
  /** True when no cluster of the kept state is left: its keys and its lock do not belong to this fleet. */
  readonly isAnotherFleet: boolean;
}

/** The words for the state that readers compare with. */
const KEPT = 'the kept state';

/**
 * A compiler for drafts that change often: it keeps what was read and printed for texts that are the same.
 *
 * @param nowSeconds since 1970
 */
export function draftCompiler(nowSeconds: () => number): (request: DraftsRequest) => CompiledDrafts {
  const sameSource = sourceMemory();
  const readers = {
    topology: READERS.topology,
    keys: oncePer(READERS.keys),
    identities: oncePer(READERS.identities),
    lock: oncePer(READERS.lock),
  };
  const [emit, lockOf] = [bundleMemory(), lockMemory()];
  return ({ drafts, lock, kept, weft }) => {
    const sources = sameSource(draftSources({ drafts, lock }));
    const compiled = andIncludes(sources, () => compile(sources, { relock: [], only: null, readers, emit, lockOf }));
    const { diagnostics } = diagnosticsDocument(compiled.diagnostics);
    if (!compiled.ok) return { diagnostics, lock: null, ask: null, zip: null, isAnotherFleet: false };
    const base = { name: KEPT, sources: draftSources(kept) };
    const data = { weft, sources, out: OUT, base, drift: null, countsMissingKeys: true };
    const { value } = compiled;
    return {
      diagnostics,
      lock: value.lock,
      ask: openCompiled(data, nowSeconds(), { compiled: value, diagnostics: compiled.diagnostics }),
      zip: () => zipOf(drafts, value),
      isAnotherFleet: kept.drafts.topology !== drafts.topology && !sharesCluster(base.sources.topology, value),
    };
  };
}

/** True when a cluster of the fleet is one of this topology, or the topology cannot be read. */
function sharesCluster(topology: Source, { model }: Compiled): boolean {
  const read = READERS.topology(topology, []);
  return !read.ok || read.value.clusters.some((it) => model.clusters.has(it.name));
}

/** A function that gives the same source again for a file whose text did not change. */
function sourceMemory(): (sources: Sources) => Sources {
  const known = new Map<string, Source>();
  const same = <T extends Source | undefined>(source: T): T => {
    if (source === undefined) return source;
    const old = known.get(source.path);
    if (old?.text === source.text) return old as T;
    known.set(source.path, source);
    return source;
  };
  return ({ topology, keys, identities, lock }) => ({
    topology: same(topology),
    keys: same(keys),
    identities: same(identities),
    lock: same(lock),
  });
}

/** There is one topology file; what it includes is missing. */
function andIncludes(sources: Sources, compiled: () => Outcome<Compiled>): Outcome<Compiled> {
  const missing = includesOf(sources.topology).map(({ value, at }) =>
    cannotInclude(at, `the playground has no file ${value}`, 'copy its clusters to this file'),
  );
  return missing.length > 0 ? failure(missing) : compiled();
}

/** The files that `weft compile` leaves in a repository, with the files that it reads. */
function zipOf(drafts: Drafts, { bundle, lock }: Compiled): Uint8Array {
  const files = new Map(bundle);
  const records = printRecords(new Map([...files].map(([path, text]) => [path, [hashOfText(text)]])));
  const read = Object.entries(DRAFT_FILES).flatMap(([draft, path]) => {
    const text = drafts[draft as keyof Drafts];
    return text === '' ? [] : [[`${TOPOLOGY_FOLDER}/${path}`, text] as const];
  });
  const all = [
    ...read,
    [`${TOPOLOGY_FOLDER}/${LOCK_FILE}`, lock] as const,
    ...[...files, ...records].map(([path, text]) => [`${OUT}/${path}`, text] as const),
  ];
  const bytes: Zippable = Object.fromEntries(all.map(([path, text]) => [path, UTF8.encode(text)]));
  // The first moment that a zip can have, so that equal fleets are equal zips.
  return zipSync(bytes, { level: 6, mtime: new Date(1980, 0, 1) });
}

const UTF8 = new TextEncoder();

const hashOfText = (text: string): string =>
  [...cryptography.sha256(UTF8.encode(text))].map((it) => it.toString(16).padStart(2, '0')).join('');
