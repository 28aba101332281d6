import type { Code } from '../../src/base/diagnostics/codes.ts';
import type { Diagnostic } from '../../src/base/diagnostics/diagnostic.ts';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import { printPrefix } from '../../src/base/net/text.ts';
import { type Compiled, type CompileOptions, compile } from '../../src/compile.ts';

/** Compiles a topology from its text, with the text of a lock and decisions to make again. */
export function compileText(topology: string, lock?: string, relock: CompileOptions['relock'] = []): Outcome<Compiled> {
  const sources = {
    topology: { path: 'topology.yaml', text: topology },
    keys: undefined,
    lock: lock === undefined ? undefined : { path: 'topology.lock.yaml', text: lock },
  };
  // Locks of other topologies are given on purpose.
  return compile(sources, { relock, only: null, allowReplacements: true });
}

/** The result of a valid text; throws with the errors of any other. */
export function compiledText(topology: string, lock?: string, relock: CompileOptions['relock'] = []): Compiled {
  const result = compileText(topology, lock, relock);
  if (result.ok) return result.value;
  throw new Error(result.diagnostics.map((it) => `${it.code}: ${it.message}`).join('\n'));
}

export const ofCode = (result: Outcome<unknown>, code: Code): readonly Diagnostic[] =>
  result.diagnostics.filter((it) => it.code === code);

/** The views of a cluster as `peer kind cidr` to what it sees, in apply order. */
export function viewsIn({ model }: Compiled, cluster: string): Readonly<Record<string, string>> {
  const peers = model.clusters.get(cluster)?.peers.values() ?? [];
  return Object.fromEntries(
    [...peers].flatMap((peer) => [
      ...peer.podViews.map((it) => [`${peer.name} pod ${printPrefix(it.cidr)}`, printPrefix(it.seenAs)]),
      [`${peer.name} external ${printPrefix(peer.externalView.cidr)}`, printPrefix(peer.externalView.seenAs)],
    ]),
  );
}

/** The lines of a lock, by identity. */
export const linesOf = (lock: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...lock.matchAll(/^ {2}(\S+): (\S+)$/gm)].map(([, key, value]) => [key, value]));
