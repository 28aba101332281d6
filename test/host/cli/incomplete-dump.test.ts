import { describe, expect, it } from 'vitest';
import { COMPARED_KINDS } from '../../../src/live/drift/compare-objects.ts';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import type { LiveItem } from '../../support/objects-at-rest.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

/** A fleet at rest; the dump of rome has only some objects. */
const fleet = (isDumped: (it: LiveItem) => boolean) =>
  workspace({ ...FILES, ...dumpsOf(FILES, (it, cluster) => (cluster === 'rome' && !isDumped(it) ? [] : [it])) });

const withoutKind =
  (...kinds: readonly string[]) =>
  (it: LiveItem): boolean =>
    !kinds.includes(it.kind);

const onlyNamespaces = (it: LiveItem): boolean => it.kind === 'Namespace';

describe('a dump without a kind that its bundle promises', () => {
  it.each([
    ['Configuration', 'configurations.networking.liqo.io'],
    ['GatewayClient', 'gatewayclients.networking.liqo.io'],
    ['Network', 'networks.ipam.liqo.io'],
  ])('has no answer without any %s', async (kind, resource) => {
    const { weft } = fleet(withoutKind(kind));
    for (const argv of [
      ['drift', '--live'],
      ['drift', '--adopt', '--live'],
      ['plan', '--live'],
    ]) {
      const { code, stdout, stderr } = await weft(...argv, 'dumps/rome.json');
      expect({ argv, code, stdout }).toEqual({ argv, code: 2, stdout: '' });
      expect(stderr).toContain(`error live/incomplete: the dump has no ${resource} of "rome"`);
      expect(stderr).toContain(`kubectl get ${resource} -A -o json`);
    }
  });

  it.each(['PublicKey', 'Connection'])(
    'never ends with 0, nor with the usual words, without any %s, which may be gone',
    async (kind) => {
      const { weft } = fleet(withoutKind(kind));
      const { code, stdout, stderr } = await weft('drift', '--live', 'dumps/');
      expect(code).toBe(2);
      expect(stdout).toContain('\n  not compared: ');
      expect(stdout).toMatch(/\nno drift in what was compared; \d clusters compared/);
      expect(stderr).toContain('error live/incomplete: the dump has no ');
      const json = JSON.parse((await weft('drift', '--live', 'dumps/', '-o', 'json')).stdout);
      expect(json).toMatchObject({
        ok: false,
        diagnostics: expect.arrayContaining([expect.objectContaining({ code: 'live/incomplete' })]),
      });
    },
  );

  it.each([
    ['PublicKey', 'publickeies'],
    ['Connection', 'connections'],
  ])(
    'begins a look-up without any %s with that, as nothing shows then whether the tunnel is up',
    async (kind, resource) => {
      const { weft } = fleet(withoutKind(kind));
      const begin = `\n\nlive/incomplete  the dump has no ${resource}.networking.liqo.io of "rome"; `;
      for (const look of ['trace', 'view'])
        expect((await weft(look, 'rome', 'milan', '--live', 'dumps/')).stdout).toContain(begin);
    },
  );

  it.each([
    ['PublicKey', 'drift/key'],
    ['Connection', 'drift/not-connected'],
    ['Configuration', 'drift/missing'],
  ])('is compared where the dump says that it was asked for every %s', async (kind, code) => {
    const { weft, read, write } = fleet(withoutKind(kind));
    // Fleets at rest have no Secrets.
    const asked = COMPARED_KINDS.filter((it) => it.resource !== 'secrets').map(({ resource: name }) => ({
      apiVersion: 'weft/v1',
      kind: 'AskedFor',
      metadata: { name },
    }));
    const { items } = JSON.parse(read('dumps/rome.json')) as { readonly items: readonly object[] };
    write('dumps/rome.json', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...items, ...asked] }));
    const missing = await weft('drift', '--live', 'dumps/');
    expect(missing).toMatchObject({ code: 1, stdout: expect.stringContaining(code) });
    write(
      'dumps/rome.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [...items, ...asked.filter((it) => !it.metadata.name.startsWith('publick'))],
      }),
    );
    if (kind !== 'PublicKey') return;
    expect(await weft('drift', '--live', 'dumps/')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('\n  not compared: 2 PublicKeys; the dump was made without them\n'),
    });
  });

  it.each([
    ['trace', 'rome', 'milan'],
    ['view', 'rome'],
    ['view', 'milan'],
    ['whois', '10.202.0.9'],
  ])('is the one answer of "weft %s %s" without any Configuration, with the path of the dump', async (...argv) => {
    const { weft } = fleet(withoutKind('Configuration'));
    const { code, stdout, stderr } = await weft(...argv, '--live', 'dumps/');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.match(/^\S+ (error|warning) \S+/gm)).toEqual(['dumps/rome.json:1:1: error live/incomplete:']);
  });

  it('has the path of the dump in a plan, and in a folder of files the folder', async () => {
    const { weft, read, write } = fleet(withoutKind('Configuration'));
    const at = async (...argv: readonly string[]) =>
      /^\S+ error live\/incomplete/m.exec((await weft(...argv)).stderr)?.[0];
    expect(await at('plan', '--live', 'dumps/')).toBe('dumps/rome.json:1:1: error live/incomplete');
    expect(await at('drift', '--adopt', '--live', 'dumps/')).toBe('dumps/rome.json:1:1: error live/incomplete');
    write('split/rome/one.json', read('dumps/rome.json'));
    write('split/rome/two.json', read('dumps/rome.json'));
    expect(await at('drift', '--live', 'split')).toBe('split/rome:1:1: error live/incomplete');
  });

  it('names every kind that is absent when only what is outside of namespaces was dumped', async () => {
    const { stderr, code } = await fleet(onlyNamespaces).weft('drift', '--live', 'dumps/rome.json');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /the dump has no configurations\.networking\.liqo\.io, gateway.* and networks\.ipam\.liqo\.io of "rome"/,
    );
  });

  it('leaves the comparison of the other clusters as it is', async () => {
    const { weft } = fleet(onlyNamespaces);
    const { code, stdout, stderr } = await weft('drift', '--live', 'dumps/');
    expect(code).toBe(2);
    expect(stdout).toMatch(
      /^europe: as compiled .*\nmilan: as compiled .*\n\nno drift; 2 clusters compared, 1 not: rome\n$/,
    );
    expect(stderr).toContain('live/incomplete');
    const json = JSON.parse((await weft('drift', '--live', 'dumps/', '-o', 'json')).stdout);
    expect(json).toMatchObject({ ok: false, drift: { others: ['rome'] } });
    expect(json.diagnostics[0]).toMatchObject({ code: 'live/incomplete', file: 'dumps/rome.json' });
  });

  it('is complete where the namespaces of its links are not there either', async () => {
    const isOfLiqo = (it: LiveItem): boolean =>
      it.metadata.namespace === 'liqo' || (it.kind === 'Namespace' && !it.metadata.name.startsWith('liqo-tenant-'));
    const files = fleet((it) => isOfLiqo(it));
    files.write(
      'dumps/rome.json',
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'List',
        items: [
          ...JSON.parse(files.read('dumps/rome.json')).items,
          { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'liqo' } },
        ],
      }),
    );
    const drift = await files.weft('drift', '--live', 'dumps/rome.json');
    expect([drift.code, drift.stderr]).toEqual([1, '']);
    expect(drift.stdout).toContain('not there yet');
    expect((await files.weft('plan', '--live', 'dumps/rome.json')).stdout).toContain('+ europe and rome: new hub link');
  });
});
