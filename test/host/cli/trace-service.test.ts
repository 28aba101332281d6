import { describe, expect, it } from 'vitest';
import { withKeysFiles } from '../../support/keys-of.ts';
import { workspace } from './memory-host.ts';

const TOPOLOGY = `version: 1
name: europe
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
  turin: { podCIDR: 10.203.0.0/16 }
  oslo: { podCIDR: 10.204.0.0/16 }
sharing:
  - { consumer: rome, provider: milan }
  - { consumer: rome, provider: turin }
  - { consumer: oslo, provider: rome }
offloading:
  - { cluster: rome, namespace: demo }
  - { cluster: rome, namespace: broken, directConnections: true }
  - { cluster: oslo, namespace: demo, remoteName: oslo-demo }
`;

const fleet = () => workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));
const weft = (...args: readonly string[]) => fleet().weft('trace', '--service', ...args);

describe('weft trace --service', () => {
  it('prints the path to the pods in each cluster, then the hops', async () => {
    const { code, stdout } = await weft('demo/web', '--from', 'milan', '--of', 'rome');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^milan to Service demo\/web of rome: reaches the pods in all 3 clusters\n/);
    expect(stdout).toMatch(/^ {2}turin +through rome +10\.\d+\.\d+\.\?$/m);
    expect(stdout).toMatch(/^milan\/10\.202\.0\.10 to turin\/10\.203\.0\.10: delivered, through rome$/m);
  });

  it('explains why endpoints are missing although compile refuses the topology', async () => {
    const { code, stdout, stderr } = await weft('broken/web', '--from', 'milan');
    expect(code).toBe(1);
    expect(stderr).not.toContain('error');
    expect(stdout).toContain('reaches the pods in 1 of 3 clusters');
    expect(stdout).toContain('"milan" gets no endpoints of other clusters, since it cannot map one of them');
    expect(stdout).toContain('What would change it: Add the shortcut [milan, turin]');
    expect((await fleet().weft('compile')).stderr).toContain('sharing/direct-connections-without-links');
  });

  it('prints the paths of every cluster that has the Service, without hops', async () => {
    const { code, stdout } = await weft('demo/web', '--of', 'rome');
    expect(code).toBe(0);
    expect(stdout.match(/^\w+ to Service demo\/web of rome: /gm)).toHaveLength(3);
    expect(stdout).not.toContain('There');
  });

  it('reports a cluster that does not have the Service', async () => {
    const { code, stdout } = await weft('broken/web', '--from', 'oslo');
    expect([code, stdout]).toEqual([
      1,
      'oslo to Service broken/web of rome: no such Service\n  "rome" does not offload the namespace to "oslo".\n',
    ]);
  });

  it('is data, and Markdown', async () => {
    const { stdout } = await weft('broken/web', '--from', 'milan', '-o', 'json');
    const { ok, services } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(services).toMatchObject([{ service: 'broken/web', of: 'rome', from: 'milan', exists: true }]);
    expect(services[0].endpoints.map((it: { fate: string }) => it.fate)).toEqual(['withheld', 'delivered', 'withheld']);
    const { stdout: markdown } = await weft('demo/web', '--of', 'rome', '--from', 'milan', '-o', 'markdown');
    expect(markdown).toContain('| turin | through rome | 10.');
  });

  it.each<[string, readonly string[], string]>([
    ['a Service without a namespace', ['demo'], 'is not the namespace and the name of a Service'],
    ['a namespace of several clusters', ['demo/web', '--from', 'milan'], 'several clusters offload a namespace "demo"'],
    ['a namespace that is not offloaded', ['nope/web'], 'no cluster offloads a namespace "nope"'],
    ['a name in a provider', ['demo-rome/web'], 'in its providers "demo" of "rome" is called so: write demo'],
    ['an unknown cluster', ['demo/web', '--from', 'rom'], '"rom"'],
    ['ends of a packet', ['demo/web', 'rome', 'milan'], '--service takes no FROM and TO'],
    ['--all', ['demo/web', '--all'], '--service and --all exclude each other'],
    ['--through', ['demo/web', '--through', 'rome'], '--service and --through exclude each other'],
  ])('refuses %s', async (_, args, message) => {
    const { code, stderr } = await weft(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  it('is needed by --from and --of', async () => {
    expect(await fleet().weft('trace', '--from', 'rome', 'milan', 'turin')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--from belongs to --service'),
    });
  });
});
