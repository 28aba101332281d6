import { type PublicKeys, type RecordedPair, UNKNOWN_KEY } from '../../base/core/key-pair.ts';
import { printPrefix } from '../../base/net/text.ts';
import { isSameRelease } from '../../base/releases/release.ts';
import { type DocumentMap, type DocumentPath, nodeAt, plainOf } from '../../base/source/document-node.ts';
import { editYaml, type YamlEdit } from '../../base/source/edit-yaml.ts';
import type { NetworkModel } from '../../fleet/model/network-model.ts';
import type { ClusterDeclaration, Declaration, LinkDeclaration } from '../../fleet/topology/declaration.ts';
import { listChange } from '../changes/networks.ts';

/**
 * `upgrade`: the releases change, and nothing else. `retire`: clusters leave the network, to be installed again. `add`:
 * everything new is there beside everything old. `finish`: the wanted state.
 */
export type StageKind = 'upgrade' | 'retire' | 'add' | 'finish';

/** The name of the folder with the state before the first one. */
export const BASE_STAGE = '0-base';

/** A state of the topology and of the gateways' keys, without the lock that follows. */
export interface DraftStage {
  readonly kind: StageKind;
  /** The side whose other files belong to it. */
  readonly from: 'base' | 'wanted';
  /** The texts of changed files of that side, by path. */
  readonly texts: ReadonlyMap<string, string>;
  readonly keys: PublicKeys;
}

/** One side of a change. */
export interface StageSide {
  /** The topology and the files that it includes. */
  readonly files: readonly TopologyText[];
  readonly declaration: Declaration;
  readonly links: NetworkModel['links'];
  readonly hubsOf: ReadonlyMap<string, readonly string[]>;
  readonly keys: PublicKeys;
}

interface TopologyText {
  readonly path: string;
  readonly text: string;
  readonly root: DocumentMap;
}

/** The states between two sides, in order; the last one is the wanted side as it is. */
export function draftStages(base: StageSide, wanted: StageSide): readonly DraftStage[] {
  const stages: DraftStage[] = [];
  const before = new Map(base.declaration.clusters.map((it) => [it.name, it]));
  const both = wanted.declaration.clusters.flatMap((is) => {
    const was = before.get(is.name);
    return was === undefined || was.retired || is.retired ? [] : [{ was, is }];
  });
  const start = new Texts(base.files);
  for (const { was, is } of both) if (!isSameRelease(was.release, is.release)) start.setVersion(is, wanted);
  const keys = withNextKeys(base, wanted);
  if (start.isChanged && (keys !== null || !isWanted(start.texts(), base, wanted)))
    stages.push({ kind: 'upgrade', from: 'base', texts: start.texts(), keys: base.keys });
  const reinstalled = both.filter(({ was, is }) => needsInstallation(was, is));
  for (const { is } of reinstalled) start.set(['clusters', is.name, 'retired'], 'true');
  if (reinstalled.length > 0) stages.push({ kind: 'retire', from: 'base', texts: start.texts(), keys: base.keys });
  const added = new Texts(wanted.files);
  for (const { was, is } of both) {
    if (reinstalled.some((it) => it.is === is)) continue;
    keepPods(added, was, is);
    keepHubs(added, is.name, { base, wanted });
  }
  for (const it of linksToKeep(base, wanted)) added.keepEntry(it, base);
  if (added.isChanged || keys !== null)
    stages.push({ kind: 'add', from: 'wanted', texts: added.texts(), keys: withKeptKeys(keys ?? wanted.keys, base) });
  return [...stages, { kind: 'finish', from: 'wanted', texts: new Map(), keys: wanted.keys }];
}

/** True when the base with these texts is the wanted topology already. */
const isWanted = (texts: ReadonlyMap<string, string>, base: StageSide, { files }: StageSide): boolean =>
  base.files.length === files.length &&
  base.files.every(({ path, text }) => files.some((it) => it.path === path && it.text === (texts.get(path) ?? text)));

/** Texts of a topology, with edits that are carried out together. */
class Texts {
  readonly #files: readonly TopologyText[];
  readonly #edits = new Map<TopologyText, YamlEdit[]>();

  constructor(files: readonly TopologyText[]) {
    this.#files = files;
  }

  get isChanged(): boolean {
    return this.#edits.size > 0;
  }

  texts(): ReadonlyMap<string, string> {
    return new Map([...this.#edits].map(([file, edits]) => [file.path, editYaml(file, edits)]));
  }

  /** Sets a value, in the file that has the nearest map around it. */
  set(path: DocumentPath, value: string): void {
    const [key, ...owner] = [...path].reverse();
    const above = owner.reverse();
    const file = this.#fileWith(path) ?? this.#fileWith(above);
    if (file === undefined) return;
    if (nodeAt(file.root, path) !== undefined) this.#add(file, { kind: 'replace', path, value });
    else this.#add(file, { kind: 'add', path: above, keys: [{ key: String(key), value }] });
  }

  /** The version of a cluster: that of the fleet where it is written for all clusters, and otherwise its own. */
  setVersion({ name, release }: ClusterDeclaration, wanted: StageSide): void {
    const value = JSON.stringify(writtenVersion(wanted, name) ?? release.version);
    const [ofFleet, settings] = [
      ['liqo', 'version'],
      ['clusters', name, 'liqo'],
    ];
    const own = [...settings, 'version'];
    if (this.#fileWith(own) === undefined && this.#fileWith(ofFleet) !== undefined && !hasOwnVersion(wanted, name)) {
      if (!this.#isEdited(ofFleet)) this.set(ofFleet, value);
    } else if (this.#fileWith(settings) !== undefined) this.set(own, value);
    else this.set(settings, `{ version: ${value} }`);
  }

  /** Adds an entry of the other side to `peerings` or `shortcuts`, as it is written there. */
  keepEntry({ list, entry }: KeptEntry, { files }: StageSide): void {
    const node = files
      .flatMap(({ root }) => {
        const items = nodeAt(root, [list]);
        return items?.kind === 'list' ? items.items : [];
      })
      .find(({ span }) => span.start <= entry.at.start && entry.at.end <= span.end && span.source === entry.at.source);
    const value = JSON.stringify(node === undefined ? entry.between.map((it) => it.value) : plainOf(node));
    const file = this.#fileWith([list]);
    const [first] = this.#files;
    if (file !== undefined) this.#add(file, { kind: 'append', path: [list], value });
    else if (first !== undefined)
      this.#add(first, { kind: 'add', path: [], keys: [{ key: list, value: `[${value}]` }] });
  }

  #isEdited(path: DocumentPath): boolean {
    return [...this.#edits.values()].some((edits) => edits.some((it) => it.path.join() === path.join()));
  }

  #fileWith(path: DocumentPath): TopologyText | undefined {
    return this.#files.find(({ root }) => nodeAt(root, path) !== undefined);
  }

  #add(file: TopologyText, edit: YamlEdit): void {
    this.#edits.set(file, [...(this.#edits.get(file) ?? []), edit]);
  }
}

const writtenAt = ({ files }: StageSide, path: DocumentPath): string | undefined => {
  const found = files.flatMap(({ root }) => nodeAt(root, path) ?? [])[0];
  return found?.kind === 'scalar' && found.value !== null ? String(found.value) : undefined;
};

const hasOwnVersion = (side: StageSide, cluster: string): boolean =>
  writtenAt(side, ['clusters', cluster, 'liqo', 'version']) !== undefined;

/** The text of the version, which may be a line of releases. */
const writtenVersion = (side: StageSide, cluster: string): string | undefined =>
  writtenAt(side, ['clusters', cluster, 'liqo', 'version']) ??
  writtenAt(side, ['defaults', 'liqo', 'version']) ??
  writtenAt(side, ['liqo', 'version']);

const podTexts = ({ podCIDRs }: ClusterDeclaration): readonly string[] => podCIDRs.map((it) => printPrefix(it.value));

/** True when a running Liqo cannot change the networks of a cluster. */
function needsInstallation(was: ClusterDeclaration, is: ClusterDeclaration): boolean {
  const fixed = ({ serviceCIDR, external, internal }: ClusterDeclaration): string =>
    [
      printPrefix(serviceCIDR.value),
      ...[external, internal].map((it) => (it.kind === 'auto' ? it.kind : printPrefix(it.prefix))),
    ].join();
  if (fixed(was) !== fixed(is)) return true;
  return podTexts(was).join() !== podTexts(is).join() && !is.traits.takesSeveralPodCIDRs;
}

/** The pods of a cluster keep their network until the pods in it are gone. */
function keepPods(texts: Texts, was: ClusterDeclaration, is: ClusterDeclaration): void {
  const [from, to] = [podTexts(was), podTexts(is)];
  if (listChange(from, to) !== 'replaced') return;
  texts.set(['clusters', is.name, 'podCIDR'], `[${[...new Set([...from, ...to])].join(', ')}]`);
}

interface TwoSides {
  readonly base: StageSide;
  readonly wanted: StageSide;
}

/** A spoke keeps its former hubs until it is connected to the new ones. */
function keepHubs(texts: Texts, cluster: string, { base, wanted }: TwoSides): void {
  const [from, to] = [base, wanted].map((it) => it.hubsOf.get(cluster) ?? []) as [readonly string[], readonly string[]];
  const live = new Set(wanted.declaration.clusters.flatMap((it) => (it.retired ? [] : [it.name])));
  const left = from.filter((it) => !to.includes(it) && live.has(it));
  if (left.length === 0 || to.every((it) => from.includes(it))) return;
  texts.set(['clusters', cluster, 'hub'], `[${[...left, ...to].join(', ')}]`);
}

interface KeptEntry {
  readonly list: 'peerings' | 'shortcuts';
  readonly entry: LinkDeclaration;
}

/** The entries of links that are removed while an end of them gets another link. */
function linksToKeep(base: StageSide, wanted: StageSide): readonly KeptEntry[] {
  const [before, after] = [base, wanted].map(({ links }) => new Map(links.map((it) => [pairName(it), it])));
  const added = [...(after ?? [])].flatMap(([pair, it]) => (before?.has(pair) ? [] : namesOfEnds(it)));
  const gone = new Set([...(before ?? [])].flatMap(([pair]) => (after?.has(pair) ? [] : [pair])));
  const live = new Set(wanted.declaration.clusters.flatMap((it) => (it.retired ? [] : [it.name])));
  const entries = (['peerings', 'shortcuts'] as const).flatMap((list) =>
    base.declaration[list].map((entry) => ({ list, entry })),
  );
  return entries.filter(({ entry }) => {
    const ends = entry.between.map((it) => it.value);
    return (
      gone.has([...ends].sort().join('/')) && ends.every((it) => live.has(it)) && ends.some((it) => added.includes(it))
    );
  });
}

const namesOfEnds = ({ server, client }: NetworkModel['links'][number]): readonly string[] => [
  server.cluster.name,
  client.cluster.name,
];

const pairName = (link: NetworkModel['links'][number]): string => [...namesOfEnds(link)].sort().join('/');

/** These keys, and those of links of before, which may stay although the wanted keys file has them no longer. */
function withKeptKeys(keys: PublicKeys, base: StageSide): PublicKeys {
  const all = new Map([...keys].map(([cluster, byPeer]) => [cluster, new Map(byPeer)]));
  for (const { server, client } of base.links) {
    const [a, b] = [server.cluster.name, client.cluster.name];
    for (const [own, peer] of [
      [a, b],
      [b, a],
    ] as const) {
      const pair = base.keys.get(own)?.get(peer);
      const byPeer = all.get(own) ?? new Map<string, RecordedPair>();
      if (pair !== undefined && !byPeer.has(peer)) all.set(own, byPeer.set(peer, pair));
    }
  }
  return all;
}

/** The wanted keys, in which pairs of a next generation are not in use yet; `null` without such pairs. */
function withNextKeys(base: StageSide, wanted: StageSide): PublicKeys | null {
  let isChanged = false;
  const keys = [...wanted.keys].map(([cluster, byPeer]) => {
    const pairs = [...byPeer].map(([peer, is]): readonly [string, RecordedPair] => {
      const was = base.keys.get(cluster)?.get(peer);
      const isNext = was !== undefined && is.generation === was.generation + 1 && is.key !== UNKNOWN_KEY;
      if (!isNext || wanted.declaration.keySource === 'liqo') return [peer, is];
      isChanged ||= was.next?.key !== is.key;
      return [peer, { ...was, next: { key: is.key, since: is.since } }];
    });
    return [cluster, new Map(pairs)] as const;
  });
  return isChanged ? new Map(keys) : null;
}
