import { describe, expect, it } from 'vitest';
import { DISTURBANCES, disturb } from './disturb.ts';
import { fleetOfTheSlides } from './fleet-of-the-slides.ts';
import { normalised } from './normalised.ts';
import { canonical, type KubernetesList } from './objects.ts';
import { listOf } from './simulate-fleet.ts';
import { liqoctlFleet } from './simulate-liqoctl.ts';

/** The keys of what is not the same in two lists. */
function changed(before: KubernetesList | undefined, after: KubernetesList | undefined): readonly string[] {
  const [a, b] = [normalised(before?.items ?? []), normalised(after?.items ?? [])];
  return [...new Set([...a.keys(), ...b.keys()])]
    .filter((key) => canonical(a.get(key)) !== canonical(b.get(key)))
    .sort();
}

const target = { cluster: 'cluster3', peer: 'hub' };

function changesOf(name: string): { readonly about: readonly string[]; readonly changes: readonly string[] } {
  const fleet = liqoctlFleet(fleetOfTheSlides('1.1'));
  const before = new Map([...fleet].map(([id, it]) => [id, listOf(it)]));
  const disturbance = DISTURBANCES[name];
  if (disturbance === undefined) throw new Error(`there is no disturbance ${name}`);
  const { about, dumps } = disturb(fleet, disturbance, target);
  const others = [...fleet.keys()].filter((it) => it !== target.cluster);
  for (const it of others) expect(changed(before.get(it), dumps.get(it))).toEqual([]);
  return { about, changes: changed(before.get(target.cluster), dumps.get(target.cluster)) };
}

describe('a disturbance', () => {
  it.each(Object.keys(DISTURBANCES).filter((it) => it !== 'restart'))('changes what it says: %s', (name) => {
    const { about, changes } = changesOf(name);
    expect(about.length).toBeGreaterThan(0);
    if (name !== 'deleteAndRecreate') expect(changes).toEqual(expect.arrayContaining([...about].sort().slice(0, 1)));
  });

  it('by restart moves nothing', () => {
    expect(changesOf('restart').changes).toEqual([]);
  });

  it.each([
    ['rotateKey', ['PublicKey liqo-tenant-hub/hub']],
    ['breakConnection', ['Connection liqo-tenant-hub/gw-hub']],
    ['addNetwork', ['Network liqo-tenant-hub/added-by-hand']],
    ['removePublicKey', ['PublicKey liqo-tenant-hub/hub']],
    [
      'setMtu',
      [
        'Deployment liqo-tenant-hub/gw-hub',
        'GatewayClient liqo-tenant-hub/hub',
        'InternalFabric liqo-tenant-hub/hub',
        'Pod liqo-tenant-hub/gw-hub-0',
        'WgGatewayClient liqo-tenant-hub/hub',
      ],
    ],
  ])('%s has these effects', (name, wanted) => {
    expect(changesOf(name).changes).toEqual(wanted);
  });
});
