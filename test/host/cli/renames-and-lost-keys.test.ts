import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keysOf } from '../../support/keys-of.ts';
import { workspace } from './memory-host.ts';

const PATH = 'topologies/topology.yaml';
const KEYS = 'topologies/topology.keys.yaml';

const FLEET = `version: 1
name: fleet
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome: { podCIDR: 10.201.0.0/16 }
  milan: { podCIDR: 10.202.0.0/16 }
  oslo: { podCIDR: 10.203.0.0/16 }
assertions:
  - { from: rome, to: europe, expect: reachable }
`;
const ASSERTION = 'expect: reachable';
const RENAMED = FLEET.replace('oslo:', 'bergen:');

async function compiledFleet() {
  const keys = keysOf({ path: PATH, text: FLEET })?.text ?? '';
  const it = workspace({ [PATH]: FLEET, [KEYS]: keys });
  expect((await it.weft('compile')).code).toBe(0);
  const errors = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await it.weft(...args);
    return {
      code,
      codes: [...stderr.matchAll(/ (?:error|warning) (\S+):/g)].map(([, found]) => found),
      stdout,
      stderr,
    };
  };
  return { ...it, errors };
}

const RENAME = 'write `renamedFrom: oslo` in "bergen" if it is the same cluster';

describe('a rename without a declaration', () => {
  it.each([
    ['compile', 'compile'],
    ['compile --check', 'compile', '--check'],
    ['validate', 'validate'],
    ['plan', 'plan'],
    ['keys generate', 'keys', 'generate'],
  ])('is one error with the line to write, and nothing that follows from it: %s', async (_, ...args) => {
    const it = await compiledFleet();
    it.write(PATH, RENAMED);
    const found = await it.errors(...args);
    expect([found.code, found.codes]).toEqual([1, ['topology/undeclared-rename']]);
    expect(found.stderr).toContain(RENAME);
  });

  it('has a plan all the same', async () => {
    const it = await compiledFleet();
    it.write(PATH, RENAMED);
    const { stdout } = await it.errors('plan');
    expect(stdout).toContain('oslo leaves the fleet, and bergen looks like oslo renamed');
    const json = JSON.parse((await it.weft('plan', '-o', 'json')).stdout);
    expect([json.ok, json.plan.empty]).toEqual([false, false]);
  });

  it('is a rename when it is declared, and another cluster when it is said, in one of two ways', async () => {
    const declared = await compiledFleet();
    declared.write(PATH, RENAMED.replace('bergen: {', 'bergen: { renamedFrom: oslo,'));
    expect((await declared.errors('compile')).codes).toEqual([]);

    const retired = await compiledFleet();
    retired.write(
      PATH,
      `${FLEET.replace(/^assertions:\n.*\n/m, '').replace('oslo: {', 'oslo: { retired: true,')}  bergen: { podCIDR: 10.203.0.0/16 }\n`,
    );
    expect((await retired.errors('validate')).codes).not.toContain('topology/undeclared-rename');

    const destroyed = await compiledFleet();
    destroyed.write(PATH, RENAMED);
    expect((await destroyed.errors('plan', '--allow-destroy')).codes).not.toContain('topology/undeclared-rename');
    expect((await destroyed.errors('compile', '--allow-destroy')).code).toBe(0);
    // The lock contains the new cluster now.
    expect((await destroyed.errors('validate')).codes).toEqual([
      'keys/unknown-cluster',
      'keys/unknown-cluster',
      'ipam/history',
      'keys/missing',
    ]);
    expect((await destroyed.weft('keys', 'generate')).code).toBe(0);
  });

  it('does not hide the fleet from those who only look', async () => {
    const it = await compiledFleet();
    it.write(PATH, RENAMED);
    expect((await it.weft('view', 'bergen')).code).toBe(0);
  });

  it('is seen for several clusters at once, and not where more leave than join', async () => {
    const it = await compiledFleet();
    it.write(PATH, RENAMED.replace('milan:', 'turin:'));
    expect((await it.errors('compile')).codes).toEqual(['topology/undeclared-rename', 'topology/undeclared-rename']);
    const same = FLEET.replaceAll(/10\.20[23]\.0\.0/g, '10.203.0.0');
    it.write(PATH, same);
    it.write(KEYS, keysOf({ path: PATH, text: same })?.text ?? '');
    expect((await it.errors('compile')).codes).toEqual([]);
    it.write(PATH, same.replace('milan:', 'turin:').replace('oslo:', 'bergen:'));
    const both = await it.errors('compile');
    expect(both.codes).toEqual(['topology/undeclared-rename', 'topology/undeclared-rename']);
    expect(both.stderr).toContain('write `renamedFrom: OLD` in "turin"');
    it.write(PATH, same.replace('milan:', 'turin:').replace(/ {2}oslo.*\n/, ''));
    expect((await it.errors('validate')).codes).not.toContain('topology/undeclared-rename');
  });
});

describe('lost keys, with an assertion that needs them', () => {
  it('are the cause that is named, by compile and by plan', async () => {
    const it = await compiledFleet();
    rmSync(join(it.folder, KEYS));
    const compile = await it.errors('compile');
    expect([compile.code, compile.codes]).toEqual([1, []]);
    expect(compile.stderr).toContain(`restore ${KEYS} from git`);
    const plan = await it.errors('plan');
    expect([plan.code, plan.codes]).toEqual([1, ['plan/loses-keys']]);
    expect(plan.stderr).not.toContain('keys generate');
    expect(plan.stdout).toContain('Plan:');
    expect((await it.weft('keys', 'generate')).stderr).toContain(`restore ${KEYS} from git`);
    const { stderr } = await it.errors('validate');
    expect(stderr).toContain(
      'hint: restore the keys file from git if there was one; otherwise run "weft keys generate", or',
    );
  });

  it('do not hide what is missing beside them', async () => {
    const it = await compiledFleet();
    it.write(PATH, `${FLEET.replace(/^assertions:\n.*\n/m, '')}  bari: { podCIDR: 10.204.0.0/16 }\n`);
    it.write(KEYS, 'version: 1\nkeys: {}\n');
    const { codes, stderr } = await it.errors('plan');
    expect(codes).toEqual(['plan/loses-keys', 'keys/missing']);
    expect(stderr).toContain(
      '2 of 8 gateways have no public key, so no PublicKey is written for them: "bari" towards europe; "europe" towards bari',
    );
  });
});

describe('an assertion that does not hold', () => {
  it('is reported beside the plan', async () => {
    const it = await compiledFleet();
    it.write(PATH, FLEET.replace(ASSERTION, 'expect: unreachable').replace(/ {2}milan.*\n/, ''));
    const { code, codes, stdout } = await it.errors('plan');
    expect([code, codes[0]]).toEqual([1, 'assertion/broken']);
    expect(stdout).toContain('milan leaves the fleet');
    const compile = await it.errors('compile');
    expect([compile.code, compile.codes[0]]).toEqual([1, 'assertion/broken']);
  });
});
