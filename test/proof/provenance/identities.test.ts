import { describe, expect, it } from 'vitest';
import { drawn } from '../../support/drawn.ts';
import { type Handshakes, handshakesOf } from '../../support/handshakes.ts';
import { FLEET, KEYS, pullRequest, type Repository } from './pull-request.ts';

const TOPOLOGY = 'topologies/topology.yaml';
const KEYS_FILE = 'topologies/topology.keys.yaml';
const IDENTITIES = 'topologies/topology.identities.yaml';
const IDENTITY = 'out/rome/sharing/europe.yaml';

const SHARING = `${FLEET}sharing:
  - { consumer: rome, provider: europe }
  - { consumer: rome, provider: milan }
offloading:
  - { cluster: rome, namespace: demo }
`;

function filesOf(given: Handshakes = {}): Readonly<Record<string, string>> {
  const { authentication, identities = 'version: 1\nidentities: {}\n' } = handshakesOf(SHARING, given);
  return { [TOPOLOGY]: SHARING, [KEYS_FILE]: KEYS + authentication, [IDENTITIES]: identities };
}

const record = (it: Repository, given: Handshakes): void => {
  for (const [path, text] of Object.entries(filesOf(given))) it.write(path, text);
};

const UNANSWERED: Handshakes = { unanswered: ['rome/europe', 'rome/milan'] };
const FORGED: Handshakes = {
  apiServers: { 'rome/milan': 'https://attacker.example:6443' },
  authorities: { 'rome/milan': 'attacker' },
};

interface Edit {
  readonly before?: Handshakes;
  readonly edit: (it: Repository) => void | Promise<void>;
  readonly exit: 0 | 1;
  readonly code?: string;
  readonly says?: RegExp;
  readonly plan?: RegExp;
  readonly comment?: RegExp;
}

const EDITS: Readonly<Record<string, Edit>> = {
  'the API server and the CA of an answer': {
    edit: (it) => record(it, FORGED),
    exit: 0,
    code: 'provenance/other-server',
    says: /topology\.identities\.yaml:\d+:\d+: warning .*"rome" would reach "milan" by the API server https:\/\/attacker\.example:6443 instead of https:\/\/milan\.example:6443/,
    plan: /rome reaches the API server of milan at https:\/\/attacker\.example:6443/,
    comment: /\[!CAUTION\]\n> - trust: rome reaches the API server of milan/,
  },
  'the CA of an answer alone': {
    edit: (it) => record(it, { authorities: { 'rome/milan': 'attacker' } }),
    exit: 0,
    code: 'provenance/other-server',
    says: /"rome" would reach "milan" by another proxy or CA for https:\/\/milan\.example:6443/,
    plan: /rome trusts another CA for the API server of milan/,
  },
  'an answer of a cluster that lends nothing': {
    edit: (it) => it.write(IDENTITIES, it.read(IDENTITIES).replace('"milan":', '"mars":')),
    exit: 1,
    code: 'provenance/answer-without-effect',
    says: /this answer changes nothing: "rome" borrows nothing from "mars" by a handshake/,
  },
  'the answers into a link, behind which nobody looks': {
    edit: (it) => {
      it.write('answers.yaml', it.read(IDENTITIES));
      it.link(IDENTITIES, '../answers.yaml');
    },
    exit: 1,
    code: 'provenance/not-a-plain-file',
    says: /topology\.identities\.yaml:1.*symbolic link/,
  },
  'the API server in a bundle': {
    edit: (it) => it.edit(IDENTITY, 'https://europe.example:6443', 'https://attacker.example:6443'),
    exit: 1,
    code: 'provenance/edited',
    says: /out\/rome\/sharing\/europe\.yaml:\d+/,
  },
  'a Tenant of a bundle, so that another key is let in': {
    edit: (it) =>
      it.edit('out/milan/sharing/rome.yaml', /publicKey: .*/, `publicKey: "${Buffer.alloc(32, 7).toString('base64')}"`),
    exit: 1,
    code: 'provenance/edited',
    says: /out\/milan\/sharing\/rome\.yaml:\d+/,
  },
  'the first answers': {
    before: UNANSWERED,
    edit: (it) => record(it, {}),
    exit: 0,
    plan: /rome has the answer of europe, whose API server is https:\/\/europe\.example:6443/,
  },
  'a certificate that was signed again': {
    before: { ends: { 'rome/milan': '20270101000000Z' } },
    edit: (it) => record(it, {}),
    exit: 0,
    plan: /rome has another certificate of milan/,
  },
  'a new key, with the old answers left out': {
    edit: (it) => record(it, { otherKeys: ['rome'], ...UNANSWERED }),
    exit: 0,
    code: 'provenance/other-key',
    plan: /rome has another authentication key, which europe and milan will accept/,
    comment: /\[!CAUTION\]\n> - trust: rome has another authentication key/,
  },
};

describe.each(['alone', 'with the files that follow'])('a pull request that edits, %s,', (how) => {
  const edits = Object.entries(EDITS);
  it.each(how === 'alone' ? edits : drawn(edits))(
    '%s',
    async (name, { before = {}, edit, exit, code, says, plan, comment }) => {
      const isBundle = name.includes('bundle');
      if (isBundle && how !== 'alone') return;
      const repository = await pullRequest(filesOf(before));
      await edit(repository);
      if (how !== 'alone') await repository.compile('--allow-destroy');
      repository.commit();
      const options = { 'allow-destroy': true };
      const check = await repository.check({ options });
      expect([check.code, check.stderr]).toEqual([exit, expect.stringContaining(code ?? '')]);
      if (code === undefined) expect(check.stderr).not.toContain('provenance/');
      if (says) expect(check.stderr).toMatch(says);
      if (plan) expect(check.stdout).toMatch(plan);
      const commented = await repository.comment({ options });
      expect(commented.code).toBe(exit);
      if (comment) expect(commented.comment).toMatch(comment);
      if (code !== undefined) expect(commented.comment).toMatch(exit === 0 ? /\[!WARNING\]/ : /\[!CAUTION\]/);
    },
  );
});

describe('a pull request that deletes namespaces of providers', () => {
  it('is an error of the check without a permission, and the comment begins with them', async () => {
    const repository = await pullRequest(filesOf());
    repository.edit(TOPOLOGY, '  - { consumer: rome, provider: milan }\n', '');
    repository.write(IDENTITIES, filesOf({ unanswered: ['rome/milan'] })[IDENTITIES] ?? '');
    repository.commit();
    const check = await repository.check();
    expect([check.code, check.stderr]).toEqual([
      1,
      expect.stringContaining(
        'error plan/deletes-namespaces: 1 namespace of providers would be deleted with all volumes: demo-rome in milan',
      ),
    ]);
    const { comment } = await repository.comment();
    expect(comment).toMatch(
      /\[!CAUTION\]\n> - 1 namespace deleted with all volumes, and nothing brings them back: demo-rome in milan/,
    );
    expect((await repository.check({ options: { 'allow-destroy': true } })).code).toBe(0);
  });
});
