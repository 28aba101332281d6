import { createHash } from 'node:crypto';
import { printKeysFile } from '../../src/keys/print-keys-file.ts';
import { decisionsOf } from '../../src/lock/decisions.ts';
import { resolveModel } from '../../src/model/resolve-model.ts';
import type { Source } from '../../src/source/source.ts';
import { checkTopology } from '../../src/topology/check-topology.ts';
import { parseTopology } from '../../src/topology/parse-topology.ts';

/**
 * The keys file of a topology: a public key for every gateway, always the same one, except for those named
 * `cluster/peer`. `undefined` for a topology that has errors, since its links are not known.
 */
export function keysOf(topology: Source, without: readonly string[] = []): Source | undefined {
  const parsed = parseTopology(topology);
  const checked = parsed.ok ? checkTopology(parsed.value) : parsed;
  const model = checked.ok ? resolveModel(checked.value, undefined, decisionsOf(undefined)) : checked;
  if (!model.ok) return undefined;
  const keys = new Map<string, Map<string, string>>();
  for (const { server, client } of model.value.links) {
    const ends = [server.cluster.name, client.cluster.name] as const;
    for (const [own, other] of [ends, ends.toReversed()] as [string, string][]) {
      if (without.includes(`${own}/${other}`)) continue;
      keys.set(own, (keys.get(own) ?? new Map()).set(other, publicKeyFor(own, other)));
    }
  }
  return { path: topology.path.replace(/\.yaml$/, '.keys.yaml'), text: printKeysFile(keys) };
}

/** 32 bytes as base64. The highest bit of a public key is never set: it is a number below 2^255. */
export function publicKeyFor(cluster: string, peer: string): string {
  const bytes = createHash('sha256').update(`${cluster}/${peer}`).digest();
  bytes[31] = (bytes[31] ?? 0) & 0x7f;
  return bytes.toString('base64');
}
