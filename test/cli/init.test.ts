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
    const text = it.read('.github/workflows/weft.yml');
    const workflow = parse(text);
    expect(Object.keys(workflow.on)).toEqual(['pull_request']);
    expect(workflow.permissions).toEqual({});
    expect(workflow.jobs.check.permissions).toEqual({ contents: 'read' });
    const { steps } = workflow.jobs.check;
    const uses = steps.flatMap((step: { uses?: string }) => step.uses ?? []);
    expect(uses.length).toBeGreaterThan(1);
    for (const action of uses) expect(action).toMatch(/^actions\/[a-z-]+@[0-9a-f]{40}$/);
    for (const step of steps)
      if (step.uses?.startsWith('actions/checkout@')) expect(step.with['persist-credentials']).toBe(false);
    const runs = steps.flatMap((step: { run?: string }) => step.run ?? []).join('\n');
    expect(runs).toContain('weft.js validate\n');
    expect(runs).toContain('weft.js compile --check');
    expect(runs).not.toContain('${{');
    expect(workflow.concurrency.group).toMatch(/^weft-\$\{\{ github\.event\.pull_request\.number \}\}$/);
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
    expect(answer).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(`${path} is there already`) });
    expect(it.read(path)).toBe('mine');
    expect(readdirSync(it.folder)).toEqual(before);
  });

  it('does not take a folder name that no fleet can have', async () => {
    const it = workspace();
    await it.weft('init', 'My Fleet_1');
    expect(parse(it.read('My Fleet_1/topologies/topology.yaml')).name).toBe('europe');
  });
});
