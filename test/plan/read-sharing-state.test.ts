import { describe, expect, it } from 'vitest';
import { encodeBase64, utf8Bytes } from '../../src/base/core/encodings.ts';
import { inFolders } from '../../src/base/core/folder-files.ts';
import type { SharedModel } from '../../src/fleet/sharing/shared-model.ts';
import { remoteNamespaces } from '../../src/plan/compare-sharing.ts';
import type { SharingState } from '../../src/plan/network-state.ts';
import { readFolderState } from '../../src/plan/read-folder-state.ts';
import { readSharingState } from '../../src/plan/read-sharing-state.ts';
import { sharingRecordings } from '../fleet/sharing/recordings.ts';
import { compileGolden, goldenNames } from '../support/golden.ts';

function sharingOf(files: ReadonlyMap<string, string>): SharingState {
  const { folders, inFolder } = inFolders(files);
  return readSharingState(new Map(folders.map((it) => [it, readFolderState(it, inFolder(it))])));
}

/** The facts in the model of the files. */
function stateOf({ shares, offloadings }: SharedModel): SharingState {
  return {
    shares: new Map(
      shares
        .map(({ consumer, provider, auth, condition, credentials, key, identity, slices }) => ({
          consumer: consumer.name,
          provider: provider.name,
          tenant:
            auth === 'handshake' && key === null
              ? null
              : {
                  condition,
                  policy: auth === 'handshake' ? 'KeysExchange' : 'TolerateNoHandshake',
                  publicKey: auth === 'handshake' ? (key?.publicKey ?? null) : null,
                  request: auth === 'handshake' ? (key?.request ?? null) : null,
                  signature: auth === 'handshake' ? (key?.signature ?? null) : null,
                  nonce: auth === 'handshake' && key !== null ? encodeBase64(utf8Bytes(key.nonce)) : null,
                },
          identity:
            auth === 'credentials' || identity === null
              ? null
              : {
                  endpoint: { apiServer: identity.apiServer, ca: identity.ca, proxyURL: identity.proxyURL },
                  certificate: identity.certificate,
                },
          credentials:
            credentials === null
              ? null
              : [`${credentials.storeKind} ${credentials.store}`, credentials.key, credentials.property]
                  .filter((it) => it !== null)
                  .join(', ')
                  .replace('{consumer}', consumer.name)
                  .replace('{provider}', provider.name),
          slices: slices.map(({ name, class: itsClass, resources, request, virtualNode }) => ({
            ...{ name, class: itsClass, resources, request },
            // The values of Liqo, too, and the settings.
            node:
              virtualNode === null || (auth === 'handshake' && identity === null)
                ? null
                : expect.objectContaining({ clusterID: provider.name }),
          })),
        }))
        .map((it) => [`${it.consumer}/${it.provider}`, it] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
    offloadings: new Map(
      offloadings
        .map(({ cluster, namespace, providers, pods, mapping, remoteName, createNamespace }) => ({
          cluster: cluster.name,
          namespace,
          providers: providers.map((it) => it.name),
          pods,
          mapping,
          remoteName,
          isCreated: createNamespace,
        }))
        .map((it) => [`${it.cluster}/${it.namespace}`, it] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

describe('what is shared, read from files,', () => {
  const goldens = goldenNames().filter((it) => !it.startsWith('invalid-'));

  it('is what they were made from: every golden', () => {
    let shares = 0;
    for (const name of goldens) {
      const outcome = compileGolden(name);
      if (!outcome.ok) throw new Error(`${name} does not compile`);
      const { bundle, model } = outcome.value;
      expect(sharingOf(bundle), name).toEqual(stateOf(model));
      shares += model.shares.length;
    }
    expect(shares).toBeGreaterThan(1);
  });

  it('is what they were made from: the recorded fleets', () => {
    for (const { name, compiled } of sharingRecordings()) {
      expect(sharingOf(compiled.bundle), name).toEqual(stateOf(compiled.model));
    }
  });

  it('survives files that were cut or are of another kind', () => {
    const text = 'apiVersion: v1\nkind: ResourceSlice\n';
    const files = new Map([
      ['rome/sharing/milan.yaml', text],
      ['rome/sharing/turin.yaml', ''],
      ['rome/sharing/kustomization.yaml', text],
      ['rome/offloading/demo.yaml', 'kind: NamespaceOffloading\n'],
      ['rome/peers/milan/milan.yaml', text],
    ]);
    const { shares, offloadings } = sharingOf(files);
    expect([...shares.keys()]).toEqual(['rome/milan']);
    expect(offloadings.size).toBe(0);
  });
});

describe('namespaces of providers', () => {
  const outcome = compileGolden('sharing-of-a-hub-with-its-spokes');
  if (!outcome.ok) throw new Error('it does not compile');
  const state = sharingOf(outcome.value.bundle);
  const [share] = state.shares.values();
  if (share?.tenant == null) throw new Error('nothing is shared');
  const withShare = (it: object): SharingState => ({
    ...state,
    shares: new Map([...state.shares, ['rome/milan', { ...share, ...it }]]),
  });
  const inMilan = (it: SharingState): readonly string[] =>
    remoteNamespaces(it).flatMap(({ provider, name }) => (provider === 'milan' ? [name] : []));

  it('are there with one half of the handshake, until the provider takes all back', () => {
    expect(inMilan(state)).toEqual(['demo-rome']);
    expect(inMilan(withShare({ identity: null }))).toEqual(['demo-rome']);
    expect(inMilan(withShare({ tenant: null }))).toEqual(['demo-rome']);
    expect(inMilan(withShare({ tenant: null, identity: null }))).toEqual([]);
    expect(inMilan(withShare({ tenant: { ...share.tenant, condition: 'Drained' } }))).toEqual([]);
    expect(inMilan(withShare({ tenant: { ...share.tenant, condition: 'Cordoned' } }))).toEqual(['demo-rome']);
  });
});
