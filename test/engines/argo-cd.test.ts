import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startArgoCd } from './support/argo-cd.ts';
import type { LiveObject } from './support/kube.ts';
import { loop } from './support/loop.ts';
import { objectsOf } from './support/objects-of.ts';
import { PlayedFleet } from './support/played-fleet.ts';
import { ARGO_CD, CONTROL_PLANE, missingPrograms } from './support/programs.ts';

const missing = missingPrograms([...CONTROL_PLANE, ...ARGO_CD, 'kustomize', 'git-verify-wrapper.sh']);
const isSkipped = missing !== null;
const skipped = isSkipped ? ` (skipped ${missing})` : '';

loop({
  title: `Argo CD${skipped}`,
  isSkipped,
  gitops: 'argo: {}',
  keysOf: (cluster) => (cluster === 'hub' ? 'gitops: { name: in-cluster }' : ''),
  start: async (fleet) => {
    const argoCd = await startArgoCd({ plane: fleet.plane('hub'), folder: join(fleet.folder, 'argo-cd') });
    for (const it of ['milan', 'rome']) await argoCd.addCluster(fleet.plane(it));
    await argoCd.bootstrap(fleet.out);
    return argoCd;
  },
});

describe.skipIf(isSkipped)(`Argo CD with entry points of weft 0.1${skipped}`, { timeout: 400_000 }, () => {
  const fleet = new PlayedFleet();
  afterAll(() => fleet.stop(), 60_000);

  it('owns `spec.local` of Configurations, and gives it up to Liqo, which keeps it, with those of today', async () => {
    await fleet.start(['hub', 'rome']);
    const { commit } = await fleet.publish(`version: 1
name: loop
hub: hub
gitops: { repository: "${fleet.repository.url}", argo: {} }
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  hub: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, gitops: { name: in-cluster } }
  rome: { podCIDR: 10.202.0.0/16 }
`);
    const { kube } = fleet.plane('hub');
    const argoCd = await startArgoCd({ plane: fleet.plane('hub'), folder: join(fleet.folder, 'argo-cd') });
    try {
      await argoCd.addCluster(fleet.plane('rome'));
      for (const it of entryPoints(fleet.out)) await kube.apply(withRuleOfBefore(it));
      await argoCd.ready(commit);
      const local = (await onlyConfiguration(fleet))['spec'].local;
      expect(local.cidr.pod).toEqual(['10.200.0.0/16']);
      await argoCd.applyAgain();
      expect(ownedByArgoCd(await onlyConfiguration(fleet))).toContain('"f:local"');

      await argoCd.bootstrap(fleet.out);
      await argoCd.ready(commit);
      await argoCd.applyAgain();
      await argoCd.ready(commit);
      const configuration = await onlyConfiguration(fleet);
      expect(configuration['spec'].local).toEqual(local);
      expect(ownedByArgoCd(configuration)).toContain('"f:remote"');
      expect(ownedByArgoCd(configuration)).not.toContain('"f:local"');
    } finally {
      await argoCd.stop();
    }
  });
});

function entryPoints(out: string): readonly LiveObject[] {
  return ['appproject', 'applicationset'].flatMap((it) =>
    objectsOf(readFileSync(join(out, '_argocd', `${it}.yaml`), 'utf8')),
  );
}

function withRuleOfBefore(entryPoint: LiveObject): LiveObject {
  if (entryPoint.kind !== 'ApplicationSet') return entryPoint;
  const { template, ...spec } = entryPoint['spec'];
  const { syncPolicy } = template.spec;
  const syncOptions = [...syncPolicy.syncOptions, 'RespectIgnoreDifferences=true'];
  const ignoreDifferences = [{ group: 'networking.liqo.io', kind: 'Configuration', jsonPointers: ['/spec/local'] }];
  const ofBefore = { ...template.spec, ignoreDifferences, syncPolicy: { ...syncPolicy, syncOptions } };
  return { ...entryPoint, spec: { ...spec, template: { ...template, spec: ofBefore } } };
}

async function onlyConfiguration(fleet: PlayedFleet): Promise<LiveObject> {
  const [found] = await fleet.plane('hub').kube.list('networking.liqo.io/v1beta1', 'Configuration');
  if (found === undefined) throw new Error('the hub has no Configuration');
  return found;
}

/** The fields that Argo CD owns, as JSON. */
function ownedByArgoCd({ metadata }: LiveObject): string {
  const all = (metadata.managedFields ?? []) as readonly { readonly manager: string }[];
  return JSON.stringify(all.filter((it) => it.manager === 'argocd-controller'));
}
