import { smallest, valueAt } from '../../core/collections.ts';
import type { DocumentNode, DocumentPath } from '../../source/document-node.ts';
import { shortenedPiece } from '../../source/document-problem.ts';

/** The name of a key -> its places, `clusters.NAME.gateway.mtu`, those of a cluster before those of `defaults`. */
export type KeyPlaces = Readonly<Record<string, readonly string[]>>;

interface MisplacedKey {
  readonly name: string;
  readonly value: DocumentNode | undefined;
  /** The place of the map that has it, as `placeOf` writes it. */
  readonly within: string;
  readonly places: KeyPlaces;
}

/** The place of a map, without the indexes of lists, and with NAME for a name: `clusters.NAME.gateway`. */
export const placeOf = (path: DocumentPath, named: string): string =>
  path
    .map((it, i) => (i === 1 && path[0] === named ? 'NAME' : it))
    .filter((it) => !/^\d+$/.test(String(it)))
    .join('.');

/** The hint for a key at a wrong level; `undefined` for a name that is no key, or when several places may be meant. */
export function movedKeyHint({ name, value, within, places }: MisplacedKey): string | undefined {
  const known = valueAt(places, name)?.map((it) => it.split('.').slice(0, -1)) ?? [];
  const owners = known.filter(([first]) => first !== 'defaults');
  // Places below `defaults` are those of a cluster.
  const here = within === '' ? [] : within.replace(/^defaults(?=\.|$)/, 'clusters.NAME').split('.');
  const below = owners.filter((it) => startsWith(it, here));
  const inCluster = here.length < 2 ? below.find((it) => it[0] === 'clusters')?.slice(2) : undefined;
  const ofFleet = inCluster && owners.find((it) => it.join('.') === inCluster.join('.') && it.length > 0);
  if (inCluster && !ofFleet)
    return `move ${intoMaps(inCluster, name, value)} below the name of its cluster, or below \`defaults\``;
  const shortest = smallest(below.map((it) => it.length));
  const [inner, second] = ofFleet ? [ofFleet] : below.filter((it) => it.length === shortest);
  if (inner) return second ? undefined : belowHint(inner.slice(here.length), name, value);
  const outer = owners.find((it) => startsWith(here, it));
  if (outer?.length === 0) return `start \`${name}\` in column 1: it is a key of the whole topology`;
  if (outer) return `move \`${name}\` to the level of \`${here[outer.length]}\``;
  const [only, other] = owners;
  return only && !other && !only.includes('NAME') ? belowHint(only, name, value) : undefined;
}

const belowHint = (maps: readonly string[], name: string, value: DocumentNode | undefined): string =>
  `write it below \`${maps.join('.')}\`: ${intoMaps(maps, name, value)}`;

const startsWith = (path: readonly string[], start: readonly string[]): boolean =>
  start.length <= path.length && start.every((it, i) => path[i] === it);

/** The key with its value inside of maps: `gateway: { mtu: 1340 }`. */
function intoMaps(maps: readonly string[], name: string, value: DocumentNode | undefined): string {
  const text = value?.span.source.text.slice(value.span.start, value.span.end) ?? '';
  const line = `${name}: ${text === '' || /\n/.test(text) ? '...' : shortenedPiece(text)}`;
  return `\`${[...maps].reverse().reduce((inner, map) => `${map}: { ${inner} }`, line)}\``;
}
