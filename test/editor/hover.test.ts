import { describe, expect, it } from 'vitest';
import { expectRecorded } from '../support/recorded.ts';
import { atCursor, CURSOR, editorForTests, MODELINE } from './editor.ts';
import { languageServerMissing } from './language-server.ts';

const TOPOLOGY = `${MODELINE}version: 1
name: europe
hub: europe
liqo: { version: "1.2", shortcutOperator: true }
defaults:
  serviceCIDR: 10.96.0.0/12
  externalCIDR: auto
clusters:
  europe:
    podCIDR: 10.200.0.0/16
    reserved: [192.168.10.0/24]
    platform: eks
    gateway:
      addresses: [203.0.113.10]
      service: LoadBalancer
      mtu: 1340
      dial: { address: 198.51.100.7, port: 51840 }
      server: prefer
peerings:
  - { between: [europe, rome], servicePort: 51840 }
shortcuts:
  - [rome, milan]
sharing:
  - { consumer: rome, provider: milan, resources: { cpu: 4 } }
offloading:
  - { cluster: rome, namespace: demo, directConnections: true }
gitops:
  repository: https://github.com/example/network.git
`;

const KEYS = [
  ...['version: 1', 'name', 'hub', 'version: "', 'shortcutOperator', 'defaults', 'serviceCIDR', 'externalCIDR'],
  ...['clusters', 'podCIDR', 'reserved', 'platform', 'gateway', 'addresses', 'service:', 'mtu', 'dial', 'port:'],
  ...['server:', 'peerings', 'servicePort', 'shortcuts', 'sharing', 'resources', 'directConnections', 'repository'],
];

describe.skipIf(languageServerMissing)('hover in editors (skipped without test/editor/node_modules)', () => {
  const editor = editorForTests();
  const hover = (key: string): Promise<string> => {
    const at = TOPOLOGY.indexOf(key, MODELINE.length);
    const { text, position } = atCursor(`${TOPOLOGY.slice(0, at + 1)}${CURSOR}${TOPOLOGY.slice(at + 1)}`);
    return editor().hover(text, position);
  };

  it('shows what a key is, its default and an example, as recorded', async () => {
    const texts: string[] = [];
    for (const key of KEYS) {
      const text = (await hover(key)).replace(/\n\nSource: .*$/, '');
      expect(text, key).toContain('Example:');
      texts.push(`--- ${key.replace(/\W.*/, '')}\n${text}\n`);
    }
    expectRecorded(new URL('hover/', import.meta.url), new Map([['keys.txt', texts.join('\n')]]));
  });

  it('names a key in words, not by the name of a type', async () => {
    expect(await hover('podCIDR')).toMatch(/^#### pod network\n/);
    expect(await hover('gateway')).toMatch(/^#### gateway\n/);
  });

  it('says the default, and since which release a key matters', async () => {
    expect(await hover('mtu')).toContain('Default: `1340`');
    expect(await hover('directConnections')).toContain('Since Liqo 1.2.');
    expect(await hover('shortcutOperator')).toContain('Until Liqo 1.1.');
  });
});
