import { describe, expect, it } from 'vitest';
import { readVector, vectorFiles } from '../../support/vectors.ts';
import { workspace } from './memory-host.ts';

const FLEET = 'live/overlap/1.2';

const read = (path: string): string => readVector(`${FLEET}/${path}`);

/** A fleet of seven clusters whose hub was asked for the networks of peer "b" again. */
function fleet(edit: (hub: string) => string = (it) => it) {
  const names = vectorFiles(FLEET).filter((it) => it.endsWith('.json'));
  return workspace({
    'topologies/topology.yaml': read('topology.yaml'),
    'topologies/topology.keys.yaml': read('topology.keys.yaml'),
    'topologies/topology.lock.yaml': read('topology.lock.yaml'),
    ...Object.fromEntries(names.map((it) => [`dumps/${it}`, read(it)])),
    'dumps/hub.json': edit(read('after/hub.del2.json')),
    'before/hub.json': read('hub.json'),
  });
}

const LOCK = 'topologies/topology.lock.yaml';

describe('weft drift --adopt', () => {
  it('shows what the lock and the bundles would be, and writes the lock alone', async () => {
    const { weft, read: textOf } = fleet();
    await weft('compile', '-q');
    const before = await textOf(LOCK);
    const shown = await weft('drift', '--adopt', '--check', '--live', 'dumps/');
    expect(shown.code).toBe(1);
    expect(shown.stdout).toContain("~ hub sees b's pods at 10.64.0.0/17 instead of 10.71.128.0/17");
    expect(shown.stdout).toContain(`${LOCK} would get 2 views as they are in the clusters; nothing was written`);
    expect(shown.stdout).toContain('no order of joining gives 2 views of 43; the lock keeps them');
    // The clusters are so already: deleting anything would move them again.
    expect(shown.stdout).not.toMatch(/What to do|break/);
    expect(shown.stderr).toContain('import/forced-view');
    expect(await textOf(LOCK)).toBe(before);

    const bundle = await textOf('out/hub/expected/configurations.yaml');
    const written = await weft('drift', '--adopt', '--live', 'dumps/');
    expect(written.code).toBe(0);
    expect(written.stdout).toContain(`wrote ${LOCK}: 2 views as they are in the clusters; run "weft compile"`);
    expect(await textOf('out/hub/expected/configurations.yaml')).toBe(bundle);

    expect((await weft('compile', '-q')).code).toBe(0);
    const after = await weft('drift', '--live', 'dumps/');
    expect(after.stdout).not.toContain('drift/other-view');
    expect((await weft('drift', '--adopt', '--check', '--live', 'dumps/')).stdout).toBe(
      `${LOCK} has every view and port of these clusters already; "weft drift" shows what else differs\n`,
    );
    // Deciding again gives the views of a rollout, as compile had them before.
    const relock = await weft('plan', '--relock', 'hub');
    expect(relock.stdout).toContain("~ hub sees b's pods at 10.71.128.0/17 instead of 10.64.0.0/17");
    const relockAll = await weft('plan', '--relock', 'all');
    expect(relockAll.stdout).toContain("~ hub sees b's pods at 10.71.128.0/17 instead of 10.64.0.0/17");
    expect(relockAll.stdout.match(/^ {2}~ .* sees /gm)).toHaveLength(2);
  });

  it('has nothing to do for a fleet as it was rolled out', async () => {
    const { weft, read: textOf } = fleet();
    await weft('compile', '-q');
    const before = await textOf(LOCK);
    const { code, stdout } = await weft('drift', '--adopt', '--live', 'before/');
    expect([code, stdout]).toEqual([
      0,
      `${LOCK} has every view and port of these clusters already; "weft drift" shows what else differs\n`,
    ]);
    expect(await textOf(LOCK)).toBe(before);
  });

  it('is refused where a view would have to be guessed', async () => {
    // The hub has the network of "b" for "c" now, and "b" has none yet.
    const { weft, read: textOf } = fleet((text) => {
      const list = JSON.parse(text) as { items: { kind: string; metadata: { name: string }; status?: unknown }[] };
      for (const it of list.items) {
        if (it.kind !== 'Configuration') continue;
        if (it.metadata.name === 'b') it.status = {};
        if (it.metadata.name === 'c')
          it.status = JSON.parse(JSON.stringify(it.status).replace(/("external":\[")[^"]+/, '$110.64.0.0/16'));
      }
      return JSON.stringify(list);
    });
    await weft('compile', '-q');
    const before = await textOf(LOCK);
    const { code, stderr } = await weft('drift', '--adopt', '--live', 'dumps/');
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /nothing shows how "hub" sees \S+ of "b": the lock has 10\.64\.0\.0\/16, which "hub" uses for another peer/,
    );
    expect(await textOf(LOCK)).toBe(before);
  });

  it.each([
    [['--check'], '--check is about --adopt'],
    [['--adopt', '-o', 'sarif'], '--adopt does not print sarif'],
    [['--adopt', '--wait', '1m'], '--adopt does not wait'],
  ])('refuses %j', async (options, message) => {
    const { code, stderr } = await fleet().weft('drift', ...options, '--live', 'dumps/');
    expect([code, stderr.includes(message)]).toEqual([2, true]);
  });

  it('prints JSON', async () => {
    const { weft } = fleet();
    await weft('compile', '-q');
    const { code, stdout } = await weft('drift', '--adopt', '--check', '--live', 'dumps/', '-o', 'json');
    expect(code).toBe(1);
    const document = JSON.parse(stdout);
    expect(document).toMatchObject({
      ok: false,
      adopted: { file: LOCK, changed: true, written: false, views: { remapped: 43, forced: 2 } },
    });
    expect(document.adopted.changes).toContainEqual(expect.objectContaining({ kind: 'view-moved', action: 'change' }));
  });
});
