import { describe, expect, it } from 'vitest';
import { fleetOfTheSlides } from '../simulated/fleet-of-the-slides.ts';
import { simulateLiqoctl } from '../simulated/simulate-liqoctl.ts';
import { lineOf } from './line-of.ts';
import { liveOf } from './live-of.ts';
import { importLive, whatWouldChange } from './what-would-change.ts';

describe.each(['1.0', '1.1', '1.2'] as const)('the fleet of the slides, made with liqoctl on %s', (release) => {
  const live = [...simulateLiqoctl(fleetOfTheSlides(release))].map(([id, { items }]) => liveOf(id, items));
  const imported = importLive(live, 'slides');

  it('is a topology as a person would write it', () => {
    const version = release === '1.2' ? [] : [`liqo: { version: "${release}" }`];
    expect(imported.sources.topology.text.split('\n')).toEqual([
      'version: 1',
      'name: slides',
      ...version,
      'hub: hub',
      'keys: { secretName: "gw-{peer}" }',
      'defaults: { podCIDR: 10.200.0.0/16 }',
      "# All have the external CIDR 10.70.0.0/16, so each sees its peers' as another.",
      'clusters:',
      '  hub: { serviceCIDR: 10.61.0.0/16, gateway: 203.0.113.11 }',
      '  cluster2: { serviceCIDR: 10.62.0.0/16 }',
      '  cluster3: { serviceCIDR: 10.63.0.0/16, gateway: 203.0.113.13 }',
      'shortcuts:',
      '  - [cluster2, cluster3]',
      '',
    ]);
  });

  it('has the networks of the slides in its lock', () => {
    const views = imported.sources.lock?.text.match(/\S+\/view\/\S+\/pod\/\S+: \S+/g) ?? [];
    expect(views.map((it) => it.replace(/^\S+\/view\/(\S+)\/pod\/\S+:/, '$1')).sort()).toEqual([
      'cluster2 10.61.0.0/16',
      'cluster2 10.63.0.0/16',
      'cluster3 10.61.0.0/16',
      'cluster3 10.62.0.0/16',
      'hub 10.60.0.0/16',
      'hub 10.63.0.0/16',
    ]);
  });

  it('would get what liqoctl leaves out, and nothing that moves', () => {
    const lines = whatWouldChange(imported.compiled, live).flatMap((it) => it.findings.map(lineOf));
    const others = lines.filter(
      (it) => !/ is (undefined|"")$/.test(it) && !it.startsWith('extra ForeignClusterConnection'),
    );
    expect(others).toEqual([]);
    const parts = lines.flatMap((it) => /(metadata\.(labels|annotations)|spec\.\w+)/.exec(it)?.[0] ?? []);
    // Since 1.2 liqoctl sets the labels of Pod Security, too.
    const labels = release === '1.2' ? [] : ['metadata.labels'];
    expect([...new Set(parts)].sort()).toEqual(['metadata.annotations', ...labels, 'spec.endpoint', 'spec.secretRef']);
  });
});
