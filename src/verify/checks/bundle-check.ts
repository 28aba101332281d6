import type { Code } from '../../diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../diagnostics/diagnostic.ts';
import { type Source, type Span, startOf } from '../../source/source.ts';
import type { Expectation } from '../expectation.ts';
import type { ExpectedAddresses } from '../expected/expect-addresses.ts';
import type { FoundText } from '../kube-object.ts';
import type { ReadBundle } from '../read-bundle.ts';
import type { RebuiltCluster, RebuiltNetwork, RebuiltPeer } from '../rebuild-network.ts';

/** What was found in the files, and what the topology asks for. */
export interface Evidence {
  readonly expected: Expectation;
  readonly bundle: ReadBundle;
  readonly network: RebuiltNetwork;
  /** By cluster: what its IPAM answers to the topology and the carved blocks of the files. */
  readonly addresses: ReadonlyMap<string, ExpectedAddresses>;
}

/** One promise of the bundle: yields where it is broken. */
export type BundleCheck = (evidence: Evidence) => Iterable<Diagnostic>;

/** Every end of every link, as rebuilt from the files. */
export function* ends({ network }: Evidence): Iterable<readonly [RebuiltCluster, RebuiltPeer]> {
  for (const cluster of network.values()) for (const peer of cluster.peers.values()) yield [cluster, peer];
}

export interface Claim {
  readonly code: Code;
  /** Names the thing and whose it is: `the MTU of "rome" towards "milan"`. */
  readonly what: string;
  readonly found: FoundText;
  /** `null`: there should be nothing. */
  readonly wanted: string | null;
  /** Who says so: `"milan" says`. Nothing for the topology. */
  readonly says?: string;
  readonly other?: FoundText | undefined;
}

/** Nothing when a text is what it should be. */
export function* claim({ code, what, found, wanted, says, other }: Claim): Iterable<Diagnostic> {
  if ((found.text ?? null) === wanted) return;
  const is = found.text === undefined ? `${what} is missing` : `${what} is ${found.text}`;
  const should = wanted === null ? 'there should be none' : `${says ?? 'the topology asks for'} ${wanted}`;
  const related = other ? [{ message: `${other.text ?? 'nothing'} stands here`, span: other.at }] : undefined;
  yield diagnostic(code, found.at, `${is}, ${wanted === null ? '' : 'and '}${should}`, { related });
}

/** The start of a file that is not there. */
export function missingPlace({ root }: ReadBundle, path: string): Span {
  const source: Source = { path: `${root}/${path}`, text: '' };
  return startOf(source);
}
