import { describe, expect, it } from 'vitest';
import { makeAuthentication } from '../../../src/fleet/keys/generate-keys.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { FILES, FLEET, KEYS, keyOf, pullRequest, type Repository } from './pull-request.ts';

const LOCK = 'topologies/topology.lock.yaml';
const KEYS_FILE = 'topologies/topology.keys.yaml';

/** Without a remap, the order of joining has no effect. */
const WITHOUT_REMAPS = {
  ...FILES,
  'topologies/topology.yaml': FLEET.replace('rome:   { podCIDR: 10.202', 'rome:   { podCIDR: 10.203'),
};

/** The record of a cluster; another key for every number. */
function authenticationOf(
  cluster: string,
  { slices = [], number = 1 }: { slices?: readonly string[]; number?: number },
) {
  const { recorded } = makeAuthentication({ cluster, slices }, (count) => Array(count).fill(number));
  return { [cluster]: { ...recorded.key, slices: Object.fromEntries(recorded.slices) } };
}

const keysWith = (...entries: readonly object[]): string =>
  `${KEYS}authentication: ${JSON.stringify(Object.assign({}, ...entries))}\n`;

/** Rome borrows from Europe, and has a key for that. */
const SHARING = {
  'topologies/topology.yaml': `${FLEET}sharing:\n  - { consumer: rome, provider: europe, name: pool }\n`,
  'topologies/topology.keys.yaml': keysWith(authenticationOf('rome', { slices: ['pool'] })),
};

interface Edit {
  readonly files?: Readonly<Record<string, string>>;
  readonly edit: (it: Repository) => void | Promise<void>;
  /** True if the compiled result is part of the pull request. */
  readonly compiled?: true;
  readonly exit: 0 | 1;
  readonly code?: string;
  readonly says?: RegExp;
  /** The lines of the plan. */
  readonly plan?: RegExp;
}

const EDITS: Readonly<Record<string, Edit>> = {
  'a view in the lock': {
    edit: (it) => it.edit(LOCK, /(rome\/europe\/view\/europe\/pod\/.*: ).*/, '$110.150.0.0/16'),
    exit: 0,
    code: 'provenance/lock-decides',
    says: /"europe" sees 10\.202\.0\.0\/16 of "rome" as 10\.150\.0\.0\/16 instead of 10\.81\.0\.0\/16/,
    plan: /10\.150\.0\.0\/16/,
  },
  'a view in the lock, with the files that follow': {
    edit: (it) => it.edit(LOCK, /(rome\/europe\/view\/europe\/pod\/.*: ).*/, '$110.150.0.0/16'),
    compiled: true,
    exit: 0,
    code: 'provenance/lock-decides',
    plan: /10\.150\.0\.0\/16/,
  },
  'a port in the lock': {
    edit: (it) => it.edit(LOCK, /(rome\/europe\/port\/europe: ).*/, '$130333'),
    compiled: true,
    exit: 0,
    code: 'provenance/lock-decides',
    says: /the port of "europe" for the link of "rome" and "europe" is 30333 instead of \d+/,
    plan: /30333/,
  },
  'a block in the lock': {
    edit: (it) => it.edit(LOCK, /(rome\/external: ).*/, '$110.250.0.0/20'),
    compiled: true,
    exit: 0,
    code: 'provenance/lock-decides',
    says: /the external CIDR of "rome" is 10\.250\.0\.0\/20 instead of/,
    plan: /10\.250\.0\.0\/20/,
  },
  'the lock into a link, behind which nobody looks': {
    edit: (it) => {
      it.write('lock.yaml', it.read(LOCK));
      it.link(LOCK, '../lock.yaml');
    },
    exit: 1,
    code: 'provenance/not-a-plain-file',
    says: /topology\.lock\.yaml:1.*symbolic link to "\.\.\/lock\.yaml"/,
  },
  'the topology into a link, whose next edit starts no workflow': {
    edit: (it) => {
      it.write('docs/fleet.yaml', it.read('topologies/topology.yaml'));
      it.link('topologies/topology.yaml', '../docs/fleet.yaml');
    },
    exit: 1,
    code: 'provenance/not-a-plain-file',
    says: /topology\.yaml:1.*symbolic link to "\.\.\/docs\/fleet\.yaml"/,
  },
  'the folder of lock and keys into a link': {
    edit: (it) => {
      it.git('mv', 'topologies', 'elsewhere');
      it.link('topologies', 'elsewhere');
    },
    exit: 1,
    code: 'provenance/not-a-plain-file',
    says: /topologies:1.*symbolic link to "elsewhere"/,
  },
  'a join number': {
    edit: (it) => it.edit(LOCK, /(rome\/europe\/join: ).*/, '$19'),
    exit: 0,
    code: 'provenance/lock-decides',
    says: /the link of "rome" and "europe" has the join number 9 instead of 2/,
    plan: /europe makes its link to rome last/,
  },
  'a join number that the plan does not show, beside another edit': {
    files: WITHOUT_REMAPS,
    edit: (it) => {
      it.edit(LOCK, /(milan\/rome\/join: ).*/, '$19');
      it.edit('topologies/topology.yaml', '203.0.113.30', '203.0.113.31');
    },
    compiled: true,
    exit: 1,
    code: 'provenance/lock-line',
    says: /no plan shows it: the link of "milan" and "rome" has the join number 9 instead of 3/,
  },
  'a line of a cluster that does not exist': {
    edit: (it) => it.write(LOCK, `${it.read(LOCK)}zulu/external: 10.1.0.0/20\n`.replace('zulu', '  zulu')),
    exit: 1,
    code: 'provenance/lock-line',
    says: /"weft compile" does not write it/,
  },
  'a comment in the lock': {
    edit: (it) => it.write(LOCK, `${it.read(LOCK)}# trust me\n`),
    exit: 1,
    code: 'provenance/lock-line',
  },
  'a line that is gone from the lock': {
    edit: (it) => it.edit(LOCK, / {2}rome\/europe\/join.*\n/, ''),
    exit: 1,
    code: 'provenance/lock-line',
    says: /1 decision of the base was removed by hand: "rome\/europe\/join"/,
  },
  'a lock that is gone': {
    edit: (it) => it.remove(LOCK),
    exit: 1,
    code: 'provenance/lock-line',
    says: /the lock was removed, with \d+ decisions/,
  },
  'a decision that is made again': {
    edit: (it) => it.compile('--relock', 'rome/europe'),
    exit: 0,
  },
  'another key': {
    edit: (it) => it.edit(KEYS_FILE, keyOf(12), keyOf(99)),
    exit: 0,
    plan: /europe towards rome: its public key is \S+… instead of \S+…/,
  },
  'another key, with the files that follow': {
    edit: (it) => it.edit(KEYS_FILE, keyOf(12), keyOf(99)),
    compiled: true,
    exit: 0,
    plan: /europe towards rome: its public key is \S+… instead of \S+…/,
  },
  'a key that no link reads': {
    edit: (it) => it.write(KEYS_FILE, `${it.read(KEYS_FILE)}  mars: { rome: ${keyOf(66)} }\n`),
    exit: 1,
    code: 'provenance/key-without-effect',
    says: /topology\.keys\.yaml:6:11: error .*this key changes nothing: "mars" and "rome" have no link/,
  },
  'the authentication key of a consumer, with everything that it signs': {
    files: SHARING,
    edit: (it) => it.write(KEYS_FILE, keysWith(authenticationOf('rome', { slices: ['pool'], number: 2 }))),
    exit: 0,
    code: 'provenance/other-key',
    says: /topology\.keys\.yaml:6:18: warning .*every provider of "rome" would let in whoever has the private half of another key/,
  },
  'the authentication key of a consumer, without what it signs': {
    files: SHARING,
    edit: (it) => {
      const other = authenticationOf('rome', { number: 2 })['rome']?.publicKey;
      it.edit(KEYS_FILE, /"publicKey":"[^"]*"/, `"publicKey":"${other}"`);
    },
    exit: 1,
    code: 'keys/wrong-request',
  },
  'the nonce of a consumer': {
    files: SHARING,
    edit: (it) => it.edit(KEYS_FILE, /"nonce":"..../, '"nonce":"AAAA'),
    exit: 1,
    code: 'keys/wrong-signature',
  },
  'an authentication key of a cluster that borrows nothing': {
    files: SHARING,
    edit: (it) =>
      it.write(
        KEYS_FILE,
        keysWith(authenticationOf('milan', { number: 2 }), authenticationOf('rome', { slices: ['pool'] })),
      ),
    exit: 1,
    code: 'provenance/key-without-effect',
    says: /topology\.keys\.yaml:6:18: error .*this key changes nothing: "milan" borrows no resources/,
  },
  'a certificate request of no slice': {
    files: SHARING,
    edit: (it) => it.write(KEYS_FILE, keysWith(authenticationOf('rome', { slices: ['pool', 'later'] }))),
    exit: 1,
    code: 'provenance/key-without-effect',
    says: /this certificate request changes nothing: "rome" has no slice "later"/,
  },
  'the request of a slice away, which Liqo makes then': {
    files: SHARING,
    edit: (it) => it.write(KEYS_FILE, keysWith(authenticationOf('rome', {}))),
    exit: 0,
  },
};

describe('a pull request that edits', () => {
  it.each(
    drawn(
      Object.entries(EDITS),
      firstOfEach(([, { code }]) => String(code)),
    ),
  )('%s', async (_, { files, edit, compiled, exit, code, says, plan }) => {
    const repository = await pullRequest(files);
    await edit(repository);
    if (compiled) await repository.compile();
    repository.commit();
    const check = await repository.check();
    expect([check.code, check.stderr]).toEqual([exit, expect.stringContaining(code ?? '')]);
    if (code === undefined) expect(check.stderr).not.toContain('provenance/');
    if (says) expect(check.stderr).toMatch(says);
    if (plan) expect(check.stdout).toMatch(plan);
    const comment = await repository.comment();
    expect(comment.code).toBe(exit);
    // There is no plan of a topology with errors.
    if (code?.startsWith('provenance/')) expect(comment.comment).toMatch(exit === 0 ? /\[!WARNING\]/ : /\[!CAUTION\]/);
  });

  it('the name of the topology, and hides nothing with it', async () => {
    const repository = await pullRequest({
      ...FILES,
      'topologies/topology.yaml': `${FLEET}assertions:\n  - { from: rome, to: milan, expect: reachable }\n`,
    });
    for (const ending of ['yaml', 'lock.yaml', 'keys.yaml'])
      repository.git('mv', `topologies/topology.${ending}`, `topologies/fleet.${ending}`);
    await repository.compile();
    repository.commit();
    const options = { base: 'main' };
    const renamed = await repository.check({ options });
    expect(renamed.code).toBe(0);
    expect(renamed.stderr).not.toContain('provenance/');
    expect(renamed.stdout).not.toMatch(/assertion|demand/i);
    repository.edit('topologies/fleet.lock.yaml', /(rome\/europe\/port\/europe: ).*/, '$130333');
    repository.edit('topologies/fleet.keys.yaml', keyOf(12), keyOf(99));
    await repository.compile();
    repository.commit();
    const edited = await repository.check({ options });
    expect(edited.stderr).toContain('topologies/fleet.lock.yaml');
    expect(edited.stderr).toContain('provenance/lock-decides');
  });

  it('a key that was without a link before, somewhere else', async () => {
    const before = { 'topologies/topology.keys.yaml': `${KEYS}  mars: { rome: ${keyOf(66)} }\n` };
    const repository = await pullRequest({ ...FILES, ...before });
    repository.edit(KEYS_FILE, keyOf(12), keyOf(99));
    repository.commit();
    expect((await repository.check()).code).toBe(0);
  });
});
