import type { GeneratedKeys } from '../../answers/report/print-made-keys.ts';
import { bug } from '../../base/diagnostics/outcome.ts';
import type { Source } from '../../base/source/source.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { generateKeys } from '../../fleet/keys/generate-keys.ts';
import { printKeysFile } from '../../fleet/keys/keys-file.ts';
import {
  isMadeByLiqo,
  type KeylessConsumer,
  type KeylessGateway,
  missingAuthentication,
  missingKeys,
  unknownAuthentication,
  unknownKeys,
} from '../../fleet/keys/missing-keys.ts';
import { readAuthentication } from '../../fleet/sharing/recorded-inputs.ts';
import { namesInKeys, parseKeys } from '../../fleet/topology/parse-recorded.ts';
import { compileFiles, type ReadyTopology, type TopologyRequest, type Unanswered } from './compile-topology.ts';
import {
  type DeliveryRequest,
  deliver,
  holdingKeys,
  recordedKeys,
  refusedTarget,
  type SecretsPorts,
} from './deliver-secrets.ts';
import { findTopology, type TopologyFiles } from './find-topology.ts';
import { type KeysInUse, keysInUse, refusedReplacement } from './losses.ts';
import type { OutputTree } from './ports.ts';

interface KeysRequest extends TopologyRequest, DeliveryRequest {
  /** Generates keys only for these clusters; empty for all. */
  readonly clusters: readonly string[];
  /** The folder of the bundles, which show the keys that are in use. */
  readonly out: string;
  /** True to replace keys that are in use. */
  readonly replace: boolean;
  /** True to write nothing. */
  readonly check: boolean;
}

interface KeysPorts extends SecretsPorts {
  readonly tree: OutputTree;
}

type KeysResult =
  | Unanswered
  | ({ readonly kind: 'generated'; readonly files: TopologyFiles } & Omit<GeneratedKeys, 'files'>);

/** Generates missing keys of gateways and consumers, delivers the private keys and records the public ones. */
export async function generateFleetKeys(ports: KeysPorts, request: KeysRequest): Promise<KeysResult> {
  const files = await findTopology(ports.files, request.topology, request.lock);
  const held = { file: files.keys, check: request.check };
  return holdingKeys(ports.keys, held, () => generateFor(ports, request, files));
}

async function generateFor(ports: KeysPorts, request: KeysRequest, files: TopologyFiles): Promise<KeysResult> {
  const topology = await compileFiles(ports.files, files, {
    only: [],
    clusters: request.clusters,
    withoutAssertions: true,
    allowReplacements: false,
  });
  return topology.kind === 'compiled' ? generate(ports, request, topology) : topology;
}

async function generate(ports: KeysPorts, request: KeysRequest, topology: ReadyTopology): Promise<KeysResult> {
  const { files, sources, compiled } = topology;
  const { model } = compiled;
  const only = request.clusters.length === 0 ? null : request.clusters;
  const byLiqo = isMadeByLiqo(model);
  const unknown = { gateways: byLiqo ? [] : unknownKeys(model, only), consumers: unknownAuthentication(model, only) };
  const [taken, kept] = request.replace ? [unknown, NO_KEYS] : [NO_KEYS, unknown];
  const left = keylessNames(kept);
  const keyless = { gateways: byLiqo ? [] : missingKeys(model, only), consumers: missingAuthentication(model, only) };
  const missing = joinedKeyless(keyless, taken);
  const moved = sources.keys === undefined ? [] : renamedIn(model, sources.keys);
  const all = [...missing.gateways, ...missing.consumers];
  const found = {
    kind: 'generated',
    files,
    byLiqo,
    counts: {
      gateways: missing.gateways.length,
      consumers: missing.consumers.length,
      clusters: new Set(all.map((it) => it.cluster)).size,
    },
    delivered: null,
    replaced: NO_KEYS_IN_USE,
    left,
    renamed: renamedConsumers(compiled, missing.consumers),
    moved,
  } as const;
  if (all.length === 0) {
    if (moved.length === 0 && left.gateways.length + left.consumers.length > 0) {
      const providers = kept.consumers.flatMap((it) => it.providers);
      return { kind: 'refused', refusal: { kind: 'keys-unknown', keys: files.keys, ...left, providers } };
    }
    if (moved.length > 0 && !request.check) {
      await (await ports.keys.prepareKeysFile(files.keys, printKeysFile(recordedKeys(compiled)))).commit();
    }
    return found;
  }
  if (request.check) return found;
  const { out, ...inBundles } = await keysInUse(ports, topology, { missing: keyless, out: request.out });
  const replaced = joinedKeyless(inBundles, keylessNames(taken));
  const inUse = request.replace ? undefined : refusedReplacement({ replaced, keys: files.keys, out });
  const refusal = inUse ?? refusedTarget(ports, request, files);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const { keysFile, secrets } = generateKeys({
    ...missing,
    recorded: recordedKeys(compiled),
    newPair: ports.keys.newKeyPair,
    randomBytes: ports.keys.randomBytes,
    today: ports.day(0),
  });
  // Private keys are delivered before public keys are recorded, so that no private key of a recorded public key is
  // lost. The public keys are already on disk then, so recording them is a rename.
  const prepared = await ports.keys.prepareKeysFile(files.keys, keysFile);
  const delivered = await deliver(ports, request.secrets, { secrets, prepared });
  if ('refusal' in delivered) return { kind: 'refused', refusal: delivered.refusal };
  return { ...found, delivered, replaced };
}

type Keyless = Both<KeylessGateway, KeylessConsumer>;

const joinedKeyless = <G, C>(a: Both<G, C>, b: Both<G, C>): Both<G, C> => ({
  gateways: [...a.gateways, ...b.gateways],
  consumers: [...a.consumers, ...b.consumers],
});

interface Both<G, C> {
  readonly gateways: readonly G[];
  readonly consumers: readonly C[];
}

const NO_KEYS: Keyless = { gateways: [], consumers: [] };
const NO_KEYS_IN_USE: KeysInUse = { gateways: [], consumers: [] };

const keylessNames = ({ gateways, consumers }: Keyless): KeysInUse => ({
  gateways: gateways.map(({ cluster, peer }) => ({ cluster, peer })),
  consumers: consumers.map((it) => it.cluster),
});

/** The consumers whose recorded key is for their former name: requests contain the name, so they need new keys. */
function renamedConsumers({ inputs, model }: ReadyTopology['compiled'], consumers: readonly KeylessConsumer[]) {
  const recorded = readAuthentication(inputs.keys);
  return consumers.flatMap(({ cluster }) => {
    const former = model.clusters.get(cluster)?.renamedFrom?.value;
    return former !== undefined && recorded.has(former) ? [{ cluster, former }] : [];
  });
}

/** The renamed clusters that the keys file contains under their former names. */
function renamedIn({ clusters }: AddressedModel, keys: Source): readonly string[] {
  const parsed = parseKeys(keys);
  if (!parsed.ok) return bug(`${keys.path} was compiled with, and cannot be read`);
  const names = namesInKeys(parsed.value);
  return [...clusters.values()].flatMap((it) =>
    it.renamedFrom !== null && names.has(it.renamedFrom.value) ? [it.name] : [],
  );
}
