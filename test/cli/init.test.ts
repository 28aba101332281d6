import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { workspace } from './memory-host.ts';

describe('weft init', () => {
  it('starts a fleet that compiles, and names the next two commands', async () => {
    const it = workspace();
    const answer = await it.weft('init', 'fleet');
    expect(answer).toMatchObject({ code: 0, stderr: '' });
    expect(answer.stdout).toMatch(/\n {2}cd fleet && weft compile\n {2}weft view rome\n$/);
    expect(it.read('fleet/topologies/topology.yaml')).toContain('externalCIDR: auto');
    expect(parse(it.read('fleet/topologies/topology.yaml')).name).toBe('fleet');
    const compiled = await it.weft('compile', 'fleet/topologies', '--out', 'fleet/out');
    expect(compiled.code).toBe(0);
    expect(compiled.stderr).not.toContain(': error ');
    expect((await it.weft('view', 'fleet/topologies/topology.yaml', 'rome')).code).toBe(0);
  });

  it('writes a workflow with least privilege and actions pinned by commit', async () => {
    const it = workspace();
    await it.weft('init');
    const workflow = parse(it.read('.github/workflows/weft.yml'));
    expect(Object.keys(workflow.on)).toEqual(['pull_request', 'push']);
    expect(workflow.permissions).toEqual({});
    const { check, comment, open } = workflow.jobs;
    expect(check.permissions).toEqual({ contents: 'read' });
    expect(comment.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
    expect(open.permissions).toEqual({ contents: 'write', 'pull-requests': 'write' });
    // GitHub's token of a fork may not comment, and no secret reaches it.
    expect(comment.if).toContain('head.repo.full_name == github.repository');
    expect(open.if).toBe("github.event_name == 'push'");
    for (const [mode, job] of Object.entries<typeof check>(workflow.jobs)) {
      const [checkout, weft] = job.steps;
      expect(job.steps).toHaveLength(2);
      expect(checkout.uses).toMatch(/^actions\/checkout@[0-9a-f]{40}$/);
      expect(checkout.with['persist-credentials']).toBe(false);
      expect(weft.uses).toMatch(/^your-organisation\/weft@0{40}$/);
      expect(weft.with.mode).toBe(mode);
      expect(job.concurrency.group).toMatch(
        /^weft-(check|comment|open)-\$\{\{ github\.(event\.pull_request\.number|ref) \}\}$/,
      );
      expect(job.concurrency['cancel-in-progress']).toBe(mode !== 'open');
    }
  });

  it('gives editors the schema that the modeline names', async () => {
    const it = workspace();
    await it.weft('init');
    const [modeline = ''] = it.read('topologies/topology.yaml').split('\n');
    const path = /\$schema=(.*)$/.exec(modeline)?.[1] ?? '';
    expect(JSON.parse(it.read(join('topologies', path))).title).toBe('Topology');
  });

  it.each(['topologies/topology.yaml', '.github/workflows/weft.yml'])('overwrites nothing: %s', async (path) => {
    const it = workspace({ [path]: 'mine' });
    const before = readdirSync(it.folder);
    const answer = await it.weft('init');
    expect(answer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${path} already exists`) });
    expect(it.read(path)).toBe('mine');
    expect(readdirSync(it.folder)).toEqual(before);
  });

  it('does not take a folder name that no fleet can have', async () => {
    const it = workspace();
    await it.weft('init', 'My Fleet_1');
    expect(parse(it.read('My Fleet_1/topologies/topology.yaml')).name).toBe('europe');
  });
});
