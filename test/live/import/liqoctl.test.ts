import { describe, expect, it } from 'vitest';
import { fleetOfTheSlides } from '../simulated/fleet-of-the-slides.ts';
import { LINES } from '../simulated/objects.ts';
import { simulateLiqoctl } from '../simulated/simulate-liqoctl.ts';
import { lineOf } from './line-of.ts';
import { liveOf } from './live-of.ts';
import { importLive, whatWouldChange } from './what-would-change.ts';

describe.each(LINES)('the fleet of the slides, made with liqoctl on %s', (release) => {
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
      '# Existing links keep their node ports. New ones get 30000-32767, where no `gateway.nodePorts` says otherwise: no object shows the range.',
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

describe('links among all clusters', () => {
  /** Clusters c1, c2, ... of which each is linked with each later one. */
  function mesh(
    count: number,
    others: readonly { readonly client: string; readonly server: string }[] = [],
    service: 'NodePort' | 'LoadBalancer' = 'NodePort',
  ) {
    const names = Array.from({ length: count }, (_, index) => `c${index + 1}`);
    const pairs = names.flatMap((server, index) => names.slice(index + 1).map((client) => ({ client, server })));
    const all = [...names, ...others.map((it) => it.client)];
    const made = simulateLiqoctl({
      clusters: Object.fromEntries(
        all.map((it, index) => [it, { podCIDR: `10.${index + 1}.0.0/16`, serviceCIDR: '10.96.0.0/12' }]),
      ),
      peerings: [...pairs, ...others].map((it) => ({ ...it, service })),
    });
    const { sources, compiled } = importLive(
      [...made].map(([id, { items }]) => liveOf(id, items)),
      'mesh',
    );
    expect(compiled.model.links).toHaveLength(pairs.length + others.length);
    return sources.topology.text;
  }

  it('are peerings, since no cluster is a hub', () => {
    const text = mesh(5);
    expect(text).not.toMatch(/hub|shortcuts/);
    expect(text.match(/^ {2}- .*/gm)).toHaveLength(10);
    expect(text).toContain('\npeerings:\n  - [c1, c2]\n');
  });

  it('are a hub and a shortcut where there are three', () => {
    expect(mesh(3)).toMatch(/^hub: c1$[\s\S]*^shortcuts:$/m);
  });

  it('have a comment about node ports only where these are in use', () => {
    expect(mesh(3)).toContain('gateway.nodePorts');
    expect(mesh(3, [], 'LoadBalancer')).not.toContain('nodePorts');
  });

  it('have a hub where one of them has other spokes', () => {
    expect(mesh(4, [{ client: 'd1', server: 'c1' }])).toMatch(/^hub: c1$/m);
  });
});
