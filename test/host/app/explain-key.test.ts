import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { printKey } from '../../../src/answers/report/explained.ts';
import { TOPOLOGY_KEYS } from '../../../src/base/generated/topology-keys.js';
import { RELEASE_LINES } from '../../../src/base/releases/release.ts';
import { linesWith } from '../../../src/base/releases/traits.ts';
import { explainName, keyAtPath, keyNames, keyWithEnd } from '../../../src/host/app/explain.ts';
import { editorsAjv } from '../../support/editors-ajv.ts';

const schema = JSON.parse(readFileSync(new URL('../../../schemas/topology.schema.json', import.meta.url), 'utf8'));

/** Every key that the text of the schema defines, wherever it is. */
function* definedKeys(node: unknown): Generator<{ readonly name: string; readonly description: unknown }> {
  if (typeof node !== 'object' || node === null) return;
  const { properties = {} } = node as { readonly properties?: Readonly<Record<string, Record<string, unknown>>> };
  for (const [name, it] of Object.entries(properties)) {
    const referred = schema.$defs[String(it['$ref']).replace('#/$defs/', '')];
    yield { name, description: it['description'] ?? referred?.description };
  }
  for (const [keyword, it] of Object.entries(node)) if (keyword !== 'examples') yield* definedKeys(it);
}

const pageOf = (name: string): string => {
  const key = keyAtPath(name);
  if (key === undefined) throw new Error(`no key ${name}`);
  return printKey(key);
};

describe('every key of the topology', () => {
  it('has a page with its description', () => {
    const pages = new Set(TOPOLOGY_KEYS.map((it) => `${it.path.split('.').at(-1)}: ${it.description}`));
    const defined = [...definedKeys(schema)];
    expect(defined.length).toBeGreaterThan(150);
    for (const { name, description } of defined) expect(pages).toContain(`${name}: ${description}`);
    for (const name of keyNames()) expect(pageOf(name)).toMatch(/^# [\w.]+\n\n[A-Z`a-z]/);
  });

  it('has examples that are YAML of one key', () => {
    for (const { path, examples } of TOPOLOGY_KEYS) {
      expect(examples.length, path).toBeGreaterThan(0);
      for (const it of examples) expect(Object.keys(parse(it)), path).toEqual([path.split('.').at(-1)]);
    }
  });

  it('has examples at the top that are valid there', () => {
    const validate = editorsAjv().compile(schema);
    const least = { version: 1, name: 'europe', clusters: {} };
    for (const { path, examples } of TOPOLOGY_KEYS.filter((it) => !it.path.includes('.'))) {
      for (const it of examples) expect(validate({ ...least, ...parse(it) }), `${path} ${it}`).toBe(true);
    }
    for (const { path, examples } of TOPOLOGY_KEYS.filter((it) => /^clusters\.NAME\.\w+$/.test(it.path))) {
      for (const it of examples)
        expect(validate({ ...least, clusters: { rome: parse(it) } }), `${path} ${it}`).toBe(true);
    }
  });

  it('names the releases that it is for as the traits of the releases do', () => {
    const traits = {
      'liqo.shortcutOperator': 'worksWithShortcutOperator',
      'offloading.directConnections': 'hasDirectConnections',
    } as const;
    const limited = TOPOLOGY_KEYS.filter((it) => it.since !== undefined || it.until !== undefined);
    expect(limited.map((it) => it.path)).toEqual(Object.keys(traits));
    for (const [path, trait] of Object.entries(traits)) {
      const key = TOPOLOGY_KEYS.find((it) => it.path === path);
      const lines = linesWith(trait);
      expect([key?.since ?? RELEASE_LINES[0], key?.until ?? RELEASE_LINES.at(-1)]).toEqual([lines[0], lines.at(-1)]);
    }
  });
});

describe('a name that is explained', () => {
  it.each([
    ['gateway', 'gateway'],
    ['gateway.dial', 'gateway.dial'],
    ['dial', 'gateway.dial'],
    ['DIAL', 'gateway.dial'],
    ['clusters.rome.gateway.dial', 'gateway.dial'],
    ['defaults.gateway.mtu', 'gateway.mtu'],
    ['sharing[0].slices[].name', 'sharing.slices.name'],
    ['shortcuts.mtu', 'shortcuts.mtu'],
    ['shortcut', 'shortcuts'],
    ['peering', 'peerings'],
  ])('%s is the key %s', (typed, name) => {
    expect(explainName(typed)).toMatchObject({ kind: 'key', name });
  });

  it('is the key of the fleet, or that of a cluster, as it is written', () => {
    expect(keyAtPath('liqo.version')?.key.path).toBe('liqo.version');
    expect(keyAtPath('clusters.rome.liqo.version')?.key.path).toBe('clusters.NAME.liqo.version');
    expect(keyAtPath('liqo.version')?.others).toEqual(['clusters.NAME.liqo.version']);
  });

  it('is a code where it has a slash, or is the end of a code and no key', () => {
    expect(explainName('drift/gateway')).toMatchObject({ kind: 'explained', code: 'drift/gateway' });
    expect(explainName('host-bits')).toMatchObject({ kind: 'explained', code: 'topology/host-bits' });
    for (const name of ['lending', 'clusters.rome.reflection.ips'])
      expect(explainName(name)).toMatchObject({ kind: 'explained', code: 'topology/replaced-key' });
    expect(keyAtPath('gateway')?.codes.map((it) => it.code)).toContain('drift/gateway');
  });

  it('is not guessed where it begins some codes and ends another', () => {
    const codes = ['lock/unreadable', 'lock/contradiction', 'verify/lock'];
    expect(explainName('lock')).toMatchObject({
      refusal: { kind: 'several-codes', name: 'lock', codes: expect.arrayContaining(codes) },
    });
    expect(explainName('history')).toMatchObject({ kind: 'explained', code: 'ipam/history' });
  });

  it('is not guessed where several keys have it', () => {
    expect(keyWithEnd('mtu')).toMatchObject({
      refusal: { kind: 'several-keys', keys: ['peerings.mtu', 'gateway.mtu'] },
    });
  });

  it.each([
    ['topology/hots-bits', 'topology/host-bits'],
    ['podCDIR', 'podCIDR'],
    ['gatway.dial', 'gateway.dial'],
    ['direktConnections', 'offloading.directConnections'],
    ['qqqq', undefined],
  ])('%s is answered with what may be meant: %s', (typed, suggestion) => {
    expect(explainName(typed)).toEqual({ kind: 'refused', refusal: { kind: 'unknown-code', code: typed, suggestion } });
  });
});

it('shows what is to be known about a key', () => {
  expect(pageOf('gateway.dial')).toBe(
    [
      '# gateway.dial',
      '',
      'Address and port that peers dial instead, when the gateway is behind NAT.',
      '',
      '- type: a map',
      '- place: `clusters.NAME.gateway.dial`, `defaults.gateway.dial`',
      '',
      '## Example',
      '',
      '```yaml',
      'dial: { address: 198.51.100.7, port: 51840 }',
      '```',
      '',
      '## Keys',
      '',
      '- `address`: Address or DNS name outside the NAT.',
      '- `port`: UDP port outside the NAT.',
      '',
      '## Diagnostics',
      '',
      '- `link/no-dialable-end`: Neither end of a link can be dialled.',
      '- `link/dials-itself`: The address that a client dials is an address of the client itself.',
      '',
    ].join('\n'),
  );
  expect(pageOf('gateway.mtu')).toContain('- default: `1340`\n');
  expect(pageOf('offloading.directConnections')).toContain('- since Liqo 1.2\n');
  expect(pageOf('liqo.shortcutOperator')).toContain('- until Liqo 1.1\n');
  expect(pageOf('sharing.consumer')).toContain('- required\n');
});

describe("a value of Liqo's chart", () => {
  it('has a page with its type, its releases and what is below it', () => {
    const page = pageOf('clusters.rome.helmValues.Networking.reflectips');
    expect(page).toMatch(/^# helmValues\.networking\.reflectIPs\n\nFalse copies no addresses of pods/);
    expect(page).toContain('- type: true or false\n');
    expect(page).toContain('reflectIPs: false\n');
    expect(pageOf('helmValues.networking.gateway')).toContain('- since Liqo 1.1\n');
    expect(pageOf('helmValues.controllerManager.config.defaultLimitsEnforcement')).toContain(
      '- type: None, Soft, Hard\n',
    );
    expect(pageOf('helmValues.virtualKubelet')).toMatch(/## Keys\n\n- `replicas`: Pods per virtual kubelet\.\n/);
    expect(pageOf('helmValues.webhook.pod')).toContain("- `extraArgs`: a value of Liqo's chart");
  });

  it('has an example that the chart accepts', () => {
    const parts = ['storage', 'offloading.reflection.ingress.ingressClasses', 'common.tolerations', 'webhook.replicas'];
    for (const it of parts) {
      const [, example = ''] = /```yaml\n(.*)\n```/.exec(pageOf(`helmValues.${it}`)) ?? [];
      expect(Object.keys(parse(example) as object)).toEqual([it.split('.').at(-1)]);
    }
  });

  it('is not found by a part of its path, nor when the chart does not have it', () => {
    expect(keyAtPath('helmValues.networking.reflectIP')).toBeUndefined();
    expect(keyWithEnd('reflectIPs')).toBeUndefined();
  });
});
