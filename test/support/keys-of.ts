import { createHash } from 'node:crypto';
import { firstPair, type RecordedPair } from '../../src/base/core/key-pair.ts';
import type { Source } from '../../src/base/source/source.ts';
import { printKeysFile } from '../../src/fleet/keys/keys-file.ts';
import { decisionsOf } from '../../src/fleet/lock/lock.ts';
import { resolveModel } from '../../src/fleet/model/resolve-model.ts';
import { checkTopology } from '../../src/fleet/topology/check-topology.ts';
import { parseTopology } from '../../src/fleet/topology/parse-topology.ts';

/**
 * The keys file of a topology: a public key for every gateway that has one, the same in every run. `undefined` for a
 * topology that has errors, since its links are not known.
 */
export function keysOf(
  topology: Source,
  hasKey: (cluster: string, peer: string) => boolean = () => true,
  included: readonly Source[] = [],
): Source | undefined {
  const parsed = parseTopology(topology, included);
  const checked = parsed.ok ? checkTopology(parsed.value) : parsed;
  const model = checked.ok ? resolveModel(checked.value, undefined, decisionsOf(undefined)) : checked;
  if (!model.ok) return undefined;
  const keys = new Map<string, Map<string, RecordedPair>>();
  for (const { server, client } of model.value.links) {
    const ends = [server.cluster.name, client.cluster.name] as const;
    for (const [own, other] of [ends, ends.toReversed()] as [string, string][]) {
      if (hasKey(own, other))
        keys.set(own, (keys.get(own) ?? new Map()).set(other, firstPair(publicKeyFor(own, other))));
    }
  }
  return {
    path: topology.path.replace(/\.yaml$/, '.keys.yaml'),
    text: printKeysFile({ gateways: keys, authentication: new Map() }),
  };
}

/** 32 bytes as base64. The highest bit of a public key is never set: it is a number below 2^255. */
export function publicKeyFor(cluster: string, peer: string): string {
  const bytes = createHash('sha256').update(`${cluster}/${peer}`).digest();
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  return bytes.toString('base64');
}

/** A choice of gateways that have keys: all of them for half of the seeds, else about four in five. */
export function someKeys(seed: number): (cluster: string, peer: string) => boolean {
  if (seed % 2 === 0) return () => true;
  return (cluster, peer) => createHash('sha256').update(`${seed} ${cluster}/${peer}`).digest().readUInt8(0) >= 51;
}

/** Topologies by path, each with its keys file beside it. */
export function withKeysFiles(topologies: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const keys = Object.entries(topologies).flatMap(([path, text]) => {
    const file = keysOf({ path, text });
    return file === undefined ? [] : [[file.path, file.text] as const];
  });
  return { ...topologies, ...Object.fromEntries(keys) };
}
