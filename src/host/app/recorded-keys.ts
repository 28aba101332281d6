import { bug } from '../../base/diagnostics/bug.ts';
import type { Source } from '../../base/source/source.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import type { KeylessConsumer } from '../../fleet/keys/missing-authentication.ts';
import type { RecordedKeys } from '../../fleet/keys/recorded-keys.ts';
import { readAuthentication } from '../../fleet/sharing/read-authentication.ts';
import { namesInKeys } from '../../fleet/topology/names-in-keys.ts';
import { parseKeys } from '../../fleet/topology/parse-keys.ts';
import type { ReadyTopology } from './compile-topology.ts';

/** Every recorded key, those of gateways of renamed clusters under their new names. */
export function recordedKeys({ inputs, model }: ReadyTopology['compiled']): RecordedKeys {
  const byCluster = inputs.keys?.reading.at('keys').entries() ?? [];
  const former = new Set([...model.clusters.values()].map((it) => it.renamedFrom?.value));
  return {
    gateways: new Map(byCluster.map(({ name, value }) => [name.value, new Map(Object.entries(value.textMap()))])),
    authentication: new Map([...readAuthentication(inputs.keys)].filter(([cluster]) => !former.has(cluster))),
  };
}

/** The consumers whose recorded key is for their former name: its requests are, and the new name needs others. */
export function renamedConsumers({ inputs, model }: ReadyTopology['compiled'], consumers: readonly KeylessConsumer[]) {
  const recorded = readAuthentication(inputs.keys);
  return consumers.flatMap(({ cluster }) => {
    const former = model.clusters.get(cluster)?.renamedFrom?.value;
    return former !== undefined && recorded.has(former) ? [{ cluster, former }] : [];
  });
}

/** Clusters that the keys file contains under their former names. */
export function renamedIn({ clusters }: AddressedModel, keys: Source): readonly string[] {
  const parsed = parseKeys(keys);
  if (!parsed.ok) return bug(`${keys.path} was compiled with, and cannot be read`);
  const names = namesInKeys(parsed.value);
  return [...clusters.values()].flatMap((it) =>
    it.renamedFrom !== null && names.has(it.renamedFrom.value) ? [it.name] : [],
  );
}
