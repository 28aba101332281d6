import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import { memoryHost, TOPOLOGY, workspace } from './memory-host.ts';

/** A repository with a fleet in `net/`, and folders in and beside it. */
function repository() {
  const space = workspace({ '.git/HEAD': 'ref: refs/heads/main\n', 'net/topologies/topology.yaml': TOPOLOGY });
  const weftIn = async (folder: string, ...argv: readonly string[]) => {
    mkdirSync(join(space.folder, folder), { recursive: true });
    const { host, said } = memoryHost(join(space.folder, folder));
    return { code: await runWeft(argv, host), ...said() };
  };
  return { ...space, weftIn };
}

describe('a command in a folder below the fleet', () => {
  it('uses that fleet, says so, and names files as they are reached from there', async () => {
    const { weftIn } = repository();
    const { code, stdout, stderr } = await weftIn('net/docs/a', 'validate');
    expect(code).toBe(0);
    expect(stderr).toContain('Using the fleet in ../../\n');
    expect(stderr).toContain('../../topologies/topology.yaml:2:7: ');
    expect(stdout).toContain('../../topologies/topology.yaml is valid');
  });

  it('writes beside the topologies what it writes there', async () => {
    const { weftIn, folder, read } = repository();
    expect((await weftIn('net', 'compile')).code).toBe(0);
    const before = read('net/out/rome/kustomization.yaml');
    expect((await weftIn('net/docs', 'compile', '--check')).code).toBe(0);
    expect((await weftIn('net/docs', 'compile')).stdout).toContain('../out');
    expect(read('net/out/rome/kustomization.yaml')).toBe(before);
    expect(existsSync(join(folder, 'net/docs/out'))).toBe(false);
    expect((await weftIn('net/out/rome', 'verify')).code).toBe(0);
    expect((await weftIn('net/topologies', 'plan', '--detailed-exitcode')).code).toBe(0);
  });

  it('takes paths that are typed from where it is called', async () => {
    const { weftIn, folder } = repository();
    expect((await weftIn('net/docs', 'compile', '--out', 'here')).code).toBe(0);
    expect(existsSync(join(folder, 'net/docs/here/rome'))).toBe(true);
  });

  it.each([
    [['view', 'rome'], 'rome on Liqo'],
    [['view', 'rome', 'milan'], 'rome and milan are joined'],
    [['trace', 'rome', 'milan'], 'milan'],
    [['whois', '10.202.0.1'], 'rome'],
    [['compile', '--all'], 'out'],
    [['graph'], 'flowchart'],
  ])('answers weft %j', async (argv, answer) => {
    const { weftIn } = repository();
    // A link without keys is an answer, too.
    expect((await weftIn('net/docs', ...argv)).stdout).toContain(answer);
  });

  it.each([
    [['view', 'rome/'], 'rome on Liqo'],
    [['view', 'rome/', 'milan/'], 'rome and milan are joined'],
    [['ports', 'rome/'], 'rome'],
    [['trace', 'rome/', 'milan'], 'rome/10.202.0.10 to milan'],
    [['graph', 'rome/'], 'rome'],
  ])('reads a cluster in weft %j as a shell completes the folder of its bundle', async (argv, answer) => {
    const { weftIn, folder } = repository();
    await weftIn('net', 'compile');
    for (const from of ['net', 'net/out']) expect((await weftIn(from, ...argv)).stdout).toContain(answer);
    // A folder with a topology is one.
    cpSync(join(folder, 'net/topologies'), join(folder, 'net/fleets'), { recursive: true });
    const { code, stdout } = await weftIn('net', argv[0] ?? '', 'fleets/', ...argv.slice(1));
    expect([code === 2, stdout]).toEqual([false, expect.stringContaining(answer)]);
  });

  it('says nothing when it is quiet', async () => {
    const { weftIn } = repository();
    expect((await weftIn('net/docs', 'view', 'rome', '-q')).stderr).not.toContain('Using');
  });
});

describe('a fleet that is not above', () => {
  it('is not looked for when one is here, or when one is named', async () => {
    const { weftIn, write } = repository();
    write('net/sub/topologies/topology.yaml', TOPOLOGY);
    expect((await weftIn('net/sub', 'validate')).stdout).toContain('topologies/topology.yaml is valid');
    expect((await weftIn('net/sub', 'validate')).stderr).not.toContain('Using');
    expect((await weftIn('net/docs', 'validate', 'topologies/topology.yaml')).code).toBe(2);
  });

  it('is not taken from around the repository', async () => {
    const { weftIn, write } = repository();
    write('net/inner/.git/HEAD', 'ref: refs/heads/main\n');
    const { code, stderr } = await weftIn('net/inner/docs', 'validate');
    expect(code).toBe(2);
    expect(stderr).toContain('there is no topology here');
  });

  it('is not taken by init, which begins one', async () => {
    const { weftIn, folder } = repository();
    expect((await weftIn('net/new', 'init')).code).toBe(0);
    expect(existsSync(join(folder, 'net/new/topologies/topology.yaml'))).toBe(true);
  });
});
