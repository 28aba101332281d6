import { describe, expect, it } from 'vitest';
import { oncePerText } from '../../../src/base/core/once.ts';
import { compile } from '../../../src/compile.ts';
import { isWeftCommit, sourceOf, withTrailer } from '../../../src/host/forge/commits-of-weft.ts';
import { jobSummary } from '../../../src/host/forge/job-summary.ts';
import { commentText, MAX_BODY_CHARACTERS, pullText } from '../../../src/host/forge/pull-text.ts';
import { GITHUB_WORDS } from '../../../src/host/github/ask-github.ts';
import type { Plan } from '../../../src/plan/plan-changes.ts';
import { HOSTILE, SECRET } from '../../support/hostile-text.ts';
import { lineFaults, markdownFaults } from '../../support/line-faults.ts';
import { EMPTY_STATE, planOf } from '../../support/plan-of.ts';
import { TOPOLOGY } from '../cli/memory-host.ts';

const OWN_WORDING = { title: undefined, bodyPrefix: undefined, commitMessage: undefined, deletesBranch: false };

const plainFleet = (leaves: number): string => {
  const head = TOPOLOGY.slice(0, TOPOLOGY.indexOf('shortcuts')).replace(/ {2}(rome|milan): .*\n/g, '');
  const lines = Array.from(
    { length: leaves },
    (_, i) => `  leaf-${i}: { podCIDR: 100.${64 + (i >> 8)}.${i & 255}.0/24, externalCIDR: auto }\n`,
  );
  return head + lines.join('');
};

const compiled = oncePerText((topology) => {
  const source = { path: 'topologies/topology.yaml', text: topology };
  const done = compile({ topology: source, keys: undefined, lock: undefined }, { relock: [], only: null });
  if (!done.ok) throw new Error(JSON.stringify(done.diagnostics.map(({ message }) => message)));
  return { input: { files: done.value.bundle, lock: done.value.lock, known: null }, diagnostics: done.diagnostics };
});

function planBetween(before: string | null, after: string): Plan {
  const base = before === null ? EMPTY_STATE : compiled(before).input;
  return planOf({ base, head: compiled(after).input });
}

describe('texts about 300 clusters', () => {
  const large = plainFleet(300);
  const plans = {
    'that are new': planBetween(null, large),
    'that change': planBetween(
      large,
      large.replace('10.200.0.0/16', '10.201.0.0/16').replace('203.0.113.10', '203.0.113.11'),
    ),
  };

  it.each(Object.entries(plans))('%s are short enough for GitHub, and begin with the blast radius', (_, plan) => {
    const { body, title } = pullText(
      { plan, planId: 'a1', words: GITHUB_WORDS },
      'topologies/topology.yaml',
      OWN_WORDING,
    );
    const runUrl = 'https://github.com/acme/fleet/actions/runs/7';
    const diff = {
      markdown: 'weft-diff.md',
      html: 'weft-diff.html',
      words: '+9 \u22129 lines in 9 files of 9 clusters',
    };
    const report = { path: 'review/weft-report.html', url: undefined };
    const { body: comment } = commentText({ plan, planId: 'a1' }, { lead: '', runUrl, diff, report });
    expect(comment).toContain('It is in `weft-diff.html` and `weft-diff.md` among the artifacts of [this run](');
    expect(comment).toContain(
      `\n\n**Before and after**: the fleet as a page, \`weft-report.html\` among the artifacts of [this run](${runUrl}).\n\nPlan id`,
    );
    for (const text of [body, comment]) {
      expect(text.length).toBeLessThan(MAX_BODY_CHARACTERS);
      expect(text.match(/^#+ .*/m)?.[0]).toMatch(/^### Blast radius/);
    }
    expect(body).toMatch(/^<!-- weft:manifests id=europe -->\n/);
    expect(body).toContain('Commits that you add to its branch stay');
    expect(title.length).toBeLessThan(256);
    // GitHub shows 1 MiB on the page of a run.
    const summary = jobSummary({
      topology: 'a',
      diagnostics: compiled(large).diagnostics,
      plan,
      pathOf: (path) => path,
    });
    expect(Buffer.byteLength(summary)).toBeLessThan(1024 * 1024);
  });

  it('name no run in a pull request, so that ten runs give one text', () => {
    const { body } = pullText(
      { plan: plans['that are new'], planId: 'a1', words: GITHUB_WORDS },
      'topologies/topology.yaml',
      OWN_WORDING,
    );
    expect(body).not.toMatch(/actions\/runs|\d{4}-\d\d-\d\d/);
  });
});

it('the page of a run shows what a stranger wrote as text', () => {
  const at = { source: { path: 'a|b.yaml', text: 'x' }, start: 0, end: 1 };
  const diagnostic = {
    code: 'topology/unknown-cluster',
    severity: 'error',
    message: 'no cluster is called "<img src=x> @ada | [x](http://evil)"',
    span: at,
    related: [],
  } as const;
  const summary = jobSummary({ topology: 't', diagnostics: [diagnostic], plan: null, pathOf: (path) => path });
  expect(summary).not.toMatch(/<img|@ada|[^\\]\]\(http/);
  expect(summary.split('\n').filter((line) => line.startsWith('| error'))).toHaveLength(1);
});

describe('texts about a topology in a file of a hostile name', () => {
  const plan = planBetween(null, TOPOLOGY);
  const NAMES = Object.entries(HOSTILE).filter(([, it]) => !it.includes(SECRET));

  it.each(NAMES)('%s', (_, name) => {
    const { title, body, message, closingComment } = pullText(
      { plan, planId: 'a1', words: GITHUB_WORDS },
      name,
      OWN_WORDING,
    );
    expect([...markdownFaults(title), ...markdownFaults(closingComment)]).toEqual([]);
    expect(markdownFaults(body)).toEqual([]);
    expect(body.split('\n')[0]).toBe('<!-- weft:manifests id=europe -->');
    const commit = { id: '', tree: '', parents: [], message };
    expect(isWeftCommit(commit)).toBe(false);
    const signed = { ...commit, message: withTrailer(message, { source: name, digest: '0'.repeat(64) }) };
    expect(isWeftCommit(signed)).toBe(true);
    expect(lineFaults(signed.message)).toEqual([]);
    expect(signed.message).not.toMatch(/@|#|\bGH-\d/);
    expect(signed.message.split('\n')).toHaveLength(7);
    expect(sourceOf(signed)).toBe(name.replace(/\p{Cs}/gu, '\ufffd'));
  });
});
