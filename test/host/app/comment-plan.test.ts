import { describe, expect, it } from 'vitest';
import { compile } from '../../../src/compile.ts';
import { type CommentRequest, commentPlan } from '../../../src/host/app/plan-pull-request.ts';
import { ForgeError } from '../../../src/host/forge/forge.ts';
import type { Plan } from '../../../src/plan/plan-changes.ts';
import { EMPTY_STATE, planOf } from '../../support/plan-of.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';
import { forgeOnGitHub } from '../github/forge-on-github.ts';

const PLAN = (() => {
  const topology = { path: 'topologies/topology.yaml', text: TOPOLOGY };
  const done = compile({ topology, keys: undefined, lock: undefined }, { relock: [], only: null });
  if (!done.ok) throw new Error('the topology does not compile');
  const head = { files: done.value.bundle, lock: done.value.lock, known: null };
  return planOf({ base: EMPTY_STATE, head });
})();
const EMPTY = { ...PLAN, changes: [], files: [] };

const REQUEST: CommentRequest = {
  repository: { owner: 'acme', name: 'fleet' },
  token: 'secret',
  pull: 4,
  isFromFork: false,
  author: undefined,
  owner: { id: 'europe', source: 'topologies/topology.yaml', isOtherTopology: () => true },
  lead: '',
  runUrl: 'https://github.com/acme/fleet/actions/runs/7',
  diff: null,
  report: null,
};

const planned = (plan: Plan) => ({ plan, planId: 'a1' });

const forbidden = (): never => {
  throw new ForgeError('not-permitted', { operation: 'comment', reason: 'no', status: 403, hint: 'none' });
};

describe('commenting a plan', () => {
  it('says what became of the one comment', async () => {
    const { forge, fake, openPull } = await forgeOnGitHub({});
    await openPull(4);
    const comment = () => commentPlan(async () => forge, planned(PLAN), REQUEST);
    expect(await comment()).toEqual({
      ...{ kind: 'commented', change: 'created', pull: 4, namesRun: false },
      url: expect.stringContaining('/pull/4#issuecomment-'),
    });
    expect(await comment()).toMatchObject({ kind: 'commented', change: 'unchanged' });
    expect(fake.comments).toHaveLength(1);
  });

  it('is done where the change only accepts warnings', async () => {
    const { forge, fake, openPull } = await forgeOnGitHub({});
    await openPull(4);
    expect(await commentPlan(async () => forge, planned(EMPTY), REQUEST)).toMatchObject({ kind: 'not-needed' });
    const added = [{ code: 'keys/missing', clusters: ['rome', 'milan'], reason: 'later @all', count: 1 }] as const;
    const accepting = { ...EMPTY, acceptances: { warnings: 1, notes: 0, added } };
    expect(await commentPlan(async () => forge, planned(accepting), REQUEST)).toMatchObject({ change: 'created' });
    expect(JSON.stringify(fake.comments)).toContain('keys/missing on rome/milan (1 warning): later');
    expect(JSON.stringify(fake.comments)).not.toContain('later @all');
  });

  it('refuses what it does not know, and asks the forge nothing', async () => {
    const refusalOf = async (over: Partial<CommentRequest>) =>
      commentPlan(
        () => {
          throw new Error('the forge was connected');
        },
        planned(PLAN),
        { ...REQUEST, ...over },
      );
    expect(await refusalOf({ pull: null })).toEqual({ kind: 'refused', refusal: { kind: 'no-pull-request' } });
    expect(await refusalOf({ repository: null })).toEqual({ kind: 'refused', refusal: { kind: 'no-repository' } });
    expect(await refusalOf({ token: undefined })).toEqual({ kind: 'refused', refusal: { kind: 'no-token' } });
    expect(await refusalOf({ token: undefined, isFromFork: true })).toEqual({ kind: 'read-only-token', pull: 4 });
  });

  it('takes a missing permission for what it is on a fork, and for an error elsewhere', async () => {
    const { forge, between, openPull } = await forgeOnGitHub({});
    await openPull(4);
    between.set('createComment', forbidden);
    const fork = { ...REQUEST, isFromFork: true };
    expect(await commentPlan(async () => forge, planned(PLAN), fork)).toEqual({ kind: 'read-only-token', pull: 4 });
    between.set('createComment', forbidden);
    await expect(commentPlan(async () => forge, planned(PLAN), REQUEST)).rejects.toThrow('cannot comment: no (403)');
  });

  it('makes no comment for an empty plan', async () => {
    const { forge, fake, openPull } = await forgeOnGitHub({});
    await openPull(4);
    expect(await commentPlan(async () => forge, planned(EMPTY), REQUEST)).toMatchObject({
      kind: 'not-needed',
      pull: 4,
    });
    expect(fake.comments).toEqual([]);
  });
});
