import { describe, expect, it } from 'vitest';
import { TOPOLOGY, workspace } from './memory-host.ts';

const LOCK = 'topologies/topology.lock.yaml';
const AT_CLIENT = 'out/rome/peers/milan/milan.yaml';
const AT_SERVER = 'out/milan/peers/rome/rome.yaml';

async function fleet() {
  const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
  await it.weft('keys', 'generate', '--in-repository');
  expect((await it.weft('compile')).code).toBe(0);
  return it;
}

describe('weft compile --nudge', () => {
  it('raises a counter in the lock, which becomes an annotation of the PublicKey at the client end alone', async () => {
    const it = await fleet();
    const server = it.read(AT_SERVER);
    const { code, stdout } = await it.weft('compile', '--nudge', 'rome/milan');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 nudge')]);
    expect(it.read(LOCK)).toContain('  milan/rome/nudge: 1\n');
    expect(it.read(AT_CLIENT)).toMatch(/kind: PublicKey\nmetadata:\n(?: {2}.*\n)* {4}liqo-weft\/nudge: "1"\n/);
    expect(it.read(AT_SERVER)).toBe(server);
    // It stays as it is until it is raised again, also when addresses are decided again.
    expect((await it.weft('compile', '--check')).code).toBe(0);
    await it.weft('compile', '--relock', 'all');
    expect(it.read(LOCK)).toContain('  milan/rome/nudge: 1\n');
    await it.weft('compile', '--nudge', 'milan');
    expect(it.read(LOCK)).toContain('  milan/rome/nudge: 2\n');
    expect(it.read(LOCK)).toContain('  milan/europe/nudge: 1\n');
    expect((await it.weft('verify')).code).toBe(0);
  });

  it('breaks nothing, says its plan', async () => {
    const it = await fleet();
    it.write(LOCK, it.read(LOCK).replace('  milan/rome/port', '  milan/rome/nudge: 7\n  milan/rome/port'));
    const { stdout } = await it.weft('plan');
    expect(stdout).toContain('no live flow breaks');
  });

  it('is not written at a server, which would forget its client before Liqo 1.2: verify says so', async () => {
    const it = await fleet();
    const inPublicKey = /(kind: PublicKey\nmetadata:\n(?: {2}.*\n)*? {2}annotations:\n)/;
    expect(it.read(AT_SERVER)).toMatch(inPublicKey);
    it.write(AT_SERVER, it.read(AT_SERVER).replace(inPublicKey, '$1    liqo-weft/nudge: "1"\n'));
    const { code, stdout, stderr } = await it.weft('verify');
    expect([code, stdout + stderr]).toEqual([
      1,
      expect.stringContaining('the nudge of the public key that "milan" has for "rome"'),
    ]);
  });

  it.each([
    [['--nudge', 'rome/oslo'], 2, 'has no cluster "oslo"'],
    [['--nudge', 'a/b/c'], 2, '--nudge requires a cluster or a link, not "a/b/c"'],
    [['--nudge', 'rome', '--frozen-lock'], 2, '--nudge changes the lock'],
  ])('refuses %j', async (args, code, message) => {
    const it = await fleet();
    const lock = it.read(LOCK);
    const answer = await it.weft('compile', ...args);
    expect([answer.code, answer.stderr]).toEqual([code, expect.stringContaining(message)]);
    expect(it.read(LOCK)).toBe(lock);
  });
});
