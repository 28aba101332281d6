import { describe, expect, it } from 'vitest';
import { dumpsOf } from '../../support/dumps-of.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY });

/** A fleet of which one spoke is called like the word that lists links. */
const CALLED_SO = withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY.replaceAll('rome', 'links') });

describe('weft view links', () => {
  it('lists the links of the fleet, or of one cluster', async () => {
    const { weft } = workspace(FILES);
    const all = await weft('view', 'links');
    expect({ code: all.code, stderr: all.stderr }).toEqual({ code: 0, stderr: '' });
    expect(all.stdout).toMatch(/^3 links: 2 hub links, 1 shortcut\n\nWHO DIALS WHOM {3}LINK {6}AT /);
    expect(all.stdout).toMatch(
      /\nmilan -> europe +hub +203\.0\.113\.10:\d+ +1340 {2}both\nrome -> europe .* rome in europe\nrome -> milan +shortcut +203\.0\.113\.30:\d+ .* rome in milan, milan in rome\n/,
    );
    expect(await weft('view', 'topologies/topology.yaml', 'links')).toEqual(all);
    expect(await weft('view', 'links', 'links')).toEqual(all);
    const europe = (await weft('view', 'links', 'europe')).stdout;
    expect(europe).toMatch(/^2 links of europe: 2 hub links\n/);
    expect(europe).not.toContain('shortcut');
  });

  it('is meant where the words are swapped, unless a cluster is called so', async () => {
    expect(await workspace(FILES).weft('view', 'rome', 'links')).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'error: the topology has no cluster "links"\n  hint: run "weft view links rome" to list the links of rome\n',
    });
    expect((await workspace(CALLED_SO).weft('view', 'milan', 'links')).code).toBe(0);
    expect((await workspace(FILES).weft('view', 'paris', 'links')).stderr).toMatch(
      /no cluster "paris"\n {2}hint: choose one of/,
    );
  });

  it('is data, with each network that is remapped', async () => {
    const { weft } = workspace(FILES);
    const { links } = JSON.parse((await weft('view', 'links', 'rome', '-o', 'json')).stdout);
    expect(links).toEqual([
      {
        ...{
          link: 'hub',
          server: 'europe',
          client: 'rome',
          address: '203.0.113.10',
          mtu: 1340,
          keyless: [],
          keysSince: null,
        },
        port: expect.any(Number),
        remaps: [
          {
            cluster: 'europe',
            peer: 'rome',
            kind: 'pod',
            cidr: '10.202.0.0/16',
            seenAs: '10.81.0.0/16',
            history: false,
          },
        ],
      },
      expect.objectContaining({ link: 'shortcut', server: 'milan', client: 'rome' }),
    ]);
    const { views } = JSON.parse((await weft('view', 'europe', '-o', 'json')).stdout);
    expect(views[0].shortcuts).toEqual([{ server: 'milan', client: 'rome', keyless: [] }]);
    const markdown = (await weft('view', 'links', '-o', 'markdown')).stdout;
    expect(markdown).toContain('\n| who dials whom | link | at | mtu | keys | remaps |\n| --- |');
    expect(markdown).toContain('\n- remaps: rome in europe: europe sees 10.202.0.0/16 of rome as 10.81.0.0/16;');
  });

  it('lists links of live clusters', async () => {
    const { weft } = workspace(dumpsOf(FILES, (it) => [it]));
    const { code, stdout } = await weft('view', 'links', 'rome', '--live', 'dumps/');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Live, not git: europe, milan, rome, from dumps\/\.\n\n2 links of rome: /);
    const keyless = workspace(
      dumpsOf(FILES, (it, cluster) => (cluster === 'rome' && it.kind === 'PublicKey' ? [] : [it])),
    );
    const lost = (await keyless.weft('view', 'links', '--live', 'dumps/')).stdout;
    expect(lost).toContain('; 2 without keys\n');
    expect(lost).toContain('\nkeys: a link carries nothing without the public keys of both gateways; apply the bundle');
  });

  it('shows the cluster that is called so, and says how to list links there', async () => {
    const { weft } = workspace(CALLED_SO);
    const view = await weft('view', 'links');
    expect(view.stdout).toMatch(/^links on Liqo /);
    expect(view.stderr).toBe('"links" is a cluster of this fleet; "weft view links links" lists all links\n');
    expect((await weft('view', 'links', '-q')).stderr).toBe('');
    expect((await weft('view', 'links', 'milan')).stdout).toMatch(/^links and milan are joined by a shortcut\n/);
    expect((await weft('view', 'links', 'links')).stdout).toMatch(/^3 links: /);
    expect((await weft('view', 'links', 'links', 'milan')).stdout).toMatch(/^2 links of milan: /);
    expect((await weft('view', 'links', 'links', 'links')).stdout).toMatch(/^2 links of links: /);
  });

  it.each([
    [['links', 'rom'], 'did you mean "rome"?'],
    [['links', 'rome', 'milan'], 'weft view [topology] links|forecast [CLUSTER]'],
    [['links', 'rome', '--runbook'], 'name two clusters: weft view CLUSTER PEER'],
    [['links', '--recreated'], 'weft view CLUSTER PEER --recreated'],
  ])('%j is misuse', async (argv, hint) => {
    const { code, stdout, stderr } = await workspace(FILES).weft('view', ...argv);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(hint);
  });
});

describe('weft view of a hub', () => {
  it('names the spokes that go direct, and those whose shortcut lacks a key', async () => {
    const shown = async (files: Readonly<Record<string, string>>) =>
      (await workspace(files).weft('view', 'europe')).stdout;
    expect(await shown(FILES)).toContain('\n\ndirect by a shortcut, not through europe: milan and rome\n');
    expect(await shown({ 'topologies/topology.yaml': TOPOLOGY })).toContain(
      '\n\nthrough europe while their shortcut lacks a key: milan and rome\n',
    );
  });
});
