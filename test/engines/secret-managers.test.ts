import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { bundleOf } from './support/bundle-of.ts';
import type { LiveObject } from './support/kube.ts';
import { ENDS, type End, KEYS_LABEL, LinkEnds, oneLink } from './support/link-ends.ts';
import { LiqoFleet } from './support/liqo-fleet.ts';
import { objectsOf } from './support/objects-of.ts';
import { pause, until } from './support/processes.ts';
import { EXTERNAL_SECRETS, missingLiqo, missingPrograms, program, SEALED_SECRETS } from './support/programs.ts';
import {
  type ExternalSecrets,
  type SealedSecrets,
  startExternalSecrets,
  startSealedSecrets,
} from './support/secret-managers.ts';

const REMOTE_CLUSTER = 'liqo.io/remote-cluster-id';

/** The controllers that make the Secrets of gateways, as `docs/keys.md` has them, and Liqo, which reads those. */
describe('Secrets of gateways', { timeout: 600_000 }, () => {
  let fleet: LiqoFleet;
  let ends: LinkEnds;

  /** A fleet whose Secrets are not applied yet; returns the folder with them. */
  const publish = async (keys: string): Promise<string> => {
    fleet = await LiqoFleet.start();
    const { secrets } = await fleet.publish(oneLink('1.2', keys));
    ends = new LinkEnds(fleet);
    for (const end of ENDS) await ends.kube(end.cluster).remove(keyPair(secrets, end));
    return secrets;
  };
  const keyPair = (folder: string, end: End, name = 'gw-keys'): LiveObject => {
    const found = ends.secretsIn(folder, end).find((it) => it.metadata.name === name);
    if (found === undefined) throw new Error(`no ${name} of ${end.cluster} in ${folder}`);
    return found;
  };
  const rotate = async (): Promise<string> => {
    const folder = join(fleet.folder, 'next');
    await fleet.shell(`weft keys rotate --link all --secrets-dir ${folder} && weft compile`);
    await fleet.shell('git add -A && git commit -qm "the next keys"');
    return folder;
  };
  const switchKeys = () =>
    fleet.shell('weft keys rotate --switch && weft compile && git add -A && git commit -qm "use the next keys"');
  const untilUsed = (end: End, secret: string) =>
    until(`${end.cluster} uses ${secret}`, async () => (await ends.deployment(end)).secret === secret, 60);
  const labelsOf = async (end: End, name: string) => (await ends.secret(end, name))?.metadata.labels;
  const dataOf = async (end: End, name: string) => (await ends.secret(end, name))?.['data'];
  const ownerOf = async (end: End, name: string) =>
    (await ends.secret(end, name))?.metadata.ownerReferences?.find((it) => it.controller)?.kind;
  const takeLabelOff = async (end: End, name: string): Promise<void> => {
    const found = (await ends.secret(end, name)) as LiveObject;
    await ends.kube(end.cluster).merge(found, { metadata: { labels: { [KEYS_LABEL]: null } } });
  };

  afterEach(() => fleet?.stop(), 120_000);

  const withoutExternal = missingLiqo('1.2') ?? missingPrograms(EXTERNAL_SECRETS);
  it.skipIf(withoutExternal !== null)(
    `are made by External Secrets, are rotated, and the rotation can be taken back ${withoutExternal ?? ''}`,
    async () => {
      const secrets = await publish('keys: { secrets: external, store: network }\n');
      const operators = new Map<string, ExternalSecrets>();
      const put = async (end: End, suffix: string, pair: LiveObject) =>
        operators.get(end.cluster)?.put(`liqo/${end.cluster}/${end.peer}${suffix}`, pair);
      for (const end of ENDS) {
        operators.set(end.cluster, await startExternalSecrets(fleet.plane(end.cluster), 'network'));
        await put(end, '', keyPair(secrets, end));
      }
      const [server, client] = ENDS;
      // One that was applied by hand is taken over.
      await ends.kube(client.cluster).apply(keyPair(secrets, client));
      await ends.apply('europe', 'rome');
      for (const end of ENDS) {
        await untilUsed(end, 'gw-keys');
        const { data, type, metadata } = keyPair(secrets, end) as LiveObject & { readonly type: string };
        await until('the operator owns it', async () => (await ownerOf(end, 'gw-keys')) === 'ExternalSecret', 30);
        expect(await ends.secret(end, 'gw-keys')).toMatchObject({ data, type, metadata: { labels: metadata.labels } });
      }
      // It comes back at the next refresh, within the hour, or when the ExternalSecret changes; a Secret comes back at once.
      await takeLabelOff(server, 'gw-keys');
      await pause(3000);
      expect(await labelsOf(server, 'gw-keys')).not.toHaveProperty([KEYS_LABEL]);
      await ends.kube(server.cluster).remove((await ends.secret(server, 'gw-keys')) as LiveObject);
      await until('the Secret is back', async () => (await labelsOf(server, 'gw-keys'))?.[KEYS_LABEL] === 'true', 30);

      const before = await ends.deployments();
      const next = await rotate();
      for (const end of ENDS) await put(end, '-2', keyPair(next, end, 'gw-keys-2'));
      await ends.apply('europe', 'rome');
      for (const end of ENDS) {
        await until('the next Secret is there', async () => (await ends.secret(end, 'gw-keys-2')) !== null);
        expect(await dataOf(end, 'gw-keys-2')).toEqual(keyPair(next, end, 'gw-keys-2')['data']);
        expect(await labelsOf(end, 'gw-keys-2')).not.toHaveProperty([KEYS_LABEL]);
      }
      expect(await ends.deployments()).toEqual(before);

      await switchKeys();
      for (const end of ENDS) await replace(end, 'gw-keys', 'gw-keys-2');
      await fleet.shell('git revert --no-edit HEAD');
      await ends.apply('europe', 'rome');
      for (const end of ENDS) {
        await until('the label is off', async () => (await labelsOf(end, 'gw-keys-2'))?.[KEYS_LABEL] === undefined, 30);
        await touch(end);
        await untilUsed(end, 'gw-keys');
        expect(await dataOf(end, 'gw-keys')).toEqual(keyPair(secrets, end)['data']);
      }
    },
  );

  /** Applies the bundle of an end and removes what it no longer has, as an engine does. */
  const replace = async (end: End, former: string, next: string): Promise<void> => {
    await ends.apply(end.cluster);
    const [external] = bundleOf(fleet, end.cluster).filter((it) => it.kind === 'ExternalSecret');
    expect(external?.metadata.name).toBe(next);
    const gone = { ...(external as LiveObject), metadata: { ...external?.metadata, name: former } };
    await ends.kube(end.cluster).remove(gone);
    await until('the former Secret is gone', async () => (await ends.secret(end, former)) === null, 30);
    await touch(end);
    await untilUsed(end, next);
  };

  /** Liqo may search before it sees the label that it has just set; it then goes on with the former Secret until something touches the gateway. */
  const touch = (end: End): Promise<void> =>
    fleet.shell(
      `${program('kubectl')} --context ${end.cluster} -n liqo-tenant-${end.peer} annotate wggatewayservers,wggatewayclients --all liqo-weft/touched="$(date +%s)" --overwrite`,
    );

  const withoutSealed = missingLiqo('1.2') ?? missingPrograms(SEALED_SECRETS);
  it.skipIf(withoutSealed !== null)(
    `are unsealed by sealed-secrets, which makes what is deleted again, and labels as they were when it starts ${withoutSealed ?? ''}`,
    async () => {
      const secrets = await publish('');
      const controllers = new Map<string, SealedSecrets>();
      const seal = async (end: End, plain: LiveObject): Promise<LiveObject> => {
        const { certificate = '' } = controllers.get(end.cluster) ?? {};
        const args = ['--cert', certificate, '--format', 'yaml'];
        const [sealed] = objectsOf(
          execFileSync(program('kubeseal'), args, { input: JSON.stringify(plain), encoding: 'utf8' }),
        );
        return ends.kube(end.cluster).apply(sealed as LiveObject);
      };
      const former = new Map<string, LiveObject>();
      const [server, client] = ENDS;
      // One that was applied by hand is replaced when it is annotated so.
      const byHand = keyPair(secrets, client);
      const annotations = { 'sealedsecrets.bitnami.com/managed': 'true' };
      await ends.kube(client.cluster).apply({ ...byHand, metadata: { ...byHand.metadata, annotations } });
      for (const end of ENDS) {
        controllers.set(end.cluster, await startSealedSecrets(fleet.plane(end.cluster)));
        former.set(end.cluster, await seal(end, keyPair(secrets, end)));
      }
      await ends.apply('europe', 'rome');
      for (const end of ENDS) {
        await untilUsed(end, 'gw-keys');
        const { data, type, metadata } = keyPair(secrets, end) as LiveObject & { readonly type: string };
        await until('the controller owns it', async () => (await ownerOf(end, 'gw-keys')) === 'SealedSecret', 30);
        expect(await ends.secret(end, 'gw-keys')).toMatchObject({ data, type });
        expect(await labelsOf(end, 'gw-keys')).toEqual(metadata.labels);
      }

      const next = await rotate();
      const used = new Map<string, LiveObject>();
      for (const end of ENDS) used.set(end.cluster, await seal(end, keyPair(next, end, 'gw-keys-2')));
      await switchKeys();
      for (const end of ENDS) {
        await takeLabelOff(end, 'gw-keys');
        await ends.apply(end.cluster);
        await untilUsed(end, 'gw-keys-2');
        // The label stays off, until the Secret is deleted while its SealedSecret is still there.
        expect(await labelsOf(end, 'gw-keys')).toEqual({ [REMOTE_CLUSTER]: end.peer });
      }
      await ends.kube(server.cluster).remove((await ends.secret(server, 'gw-keys')) as LiveObject);
      await until('it is back', async () => (await labelsOf(server, 'gw-keys'))?.[KEYS_LABEL] === 'true', 30);
      for (const end of ENDS) {
        await ends.kube(end.cluster).remove(former.get(end.cluster) as LiveObject);
        await until('the former Secret is gone', async () => (await ends.secret(end, 'gw-keys')) === null, 30);
        // The controller starts with the labels that were sealed, none; Liqo sets them when it next sees the gateway.
        await controllers.get(end.cluster)?.restart();
        await until('the labels are those sealed', async () => (await labelsOf(end, 'gw-keys-2')) === undefined, 30);
        const before = await ends.deployment(end);
        await touch(end);
        await until('the labels are back', async () => (await labelsOf(end, 'gw-keys-2'))?.[KEYS_LABEL] === 'true', 30);
        expect(await ends.deployment(end)).toEqual(before);
      }
      // Labels that people add to the template stay.
      const labels = { [KEYS_LABEL]: 'true', [REMOTE_CLUSTER]: server.peer };
      const spec = { template: { metadata: { labels } } };
      await ends.kube(server.cluster).merge(used.get(server.cluster) as LiveObject, { spec });
      await until('the template is used', async () => (await synced(server)) === 2, 30);
      await controllers.get(server.cluster)?.restart();
      await pause(5000);
      expect(await labelsOf(server, 'gw-keys-2')).toEqual(labels);
    },
  );

  /** The generation of the SealedSecret that its controller has unsealed. */
  const synced = async (end: End): Promise<number | undefined> =>
    (
      await ends.kube(end.cluster).get('bitnami.com/v1alpha1', 'SealedSecret', 'gw-keys-2', `liqo-tenant-${end.peer}`)
    )?.['status']?.observedGeneration;
});
