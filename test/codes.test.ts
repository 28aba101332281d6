import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CODES, type Code } from '../src/base/diagnostics/codes.ts';
import type { Outcome } from '../src/base/diagnostics/outcome.ts';
import { compile } from '../src/compile.ts';
import { codes, pages, SECTIONS, sectionOf, sourcesOf, WITHOUT_EXCERPT } from './support/code-pages.ts';
import { compileGolden, goldenNames } from './support/golden.ts';
import { keysOf } from './support/keys-of.ts';

/** Codes from reading files, which `compile` does not do, and one that takes a large fleet: with the test that raises them. */
const RAISED_ELSEWHERE: Readonly<Partial<Record<Code, string>>> = {
  'source/too-large': 'test/host/app/topology-files.test.ts',
  'source/not-text': 'test/host/app/topology-files.test.ts',
  'topology/cannot-include': 'test/host/app/read-included.test.ts',
  'ipam/many-order-dependent': 'test/fleet/ipam/many-order-dependent.test.ts',
  'topology/other-schema': 'test/host/cli/schema-copy.test.ts',
  'translate/empty': 'test/reach/translate/parse-input.test.ts',
  'translate/not-a-slice': 'test/reach/translate/parse-input.test.ts',
  'translate/not-an-address': 'test/reach/translate/parse-input.test.ts',
  'translate/ipv6': 'test/reach/translate/parse-input.test.ts',
  'translate/hostname': 'test/reach/translate/parse-input.test.ts',
  'translate/address-of-nobody': 'test/reach/translate/translate-endpoints.test.ts',
  'plan/removes-too-much': 'test/host/cli/plan.test.ts',
  'plan/loses-keys': 'test/host/cli/plan.test.ts',
  'plan/loses-lock': 'test/host/cli/lost-and-merged.test.ts',
  'plan/deletes-namespaces': 'test/host/cli/plan-sharing.test.ts',
  'topology/too-many-links': 'test/fleet/topology/rules/links.test.ts',
  'topology/too-many-rules': 'test/fleet/topology/rules/links.test.ts',
  'topology/too-many-loans': 'test/fleet/topology/rules/links.test.ts',
  ...raisedByIdentities(),
  'public-keys/old': 'test/fleet/keys/old-keys.test.ts',
  'public-keys/not-made': 'test/host/cli/keys-collect.test.ts',
  'public-keys/wrong-secret': 'test/host/cli/keys-collect.test.ts',
  'public-keys/differs': 'test/host/cli/keys-collect.test.ts',
  'public-keys/no-gateway': 'test/host/cli/keys-collect.test.ts',
  'live/empty': 'test/live/dumps/read-dump.test.ts',
  'live/unreadable': 'test/live/dumps/read-dump.test.ts',
  'live/not-an-object': 'test/live/dumps/read-dump.test.ts',
  'live/another-cluster': 'test/host/cli/drift.test.ts',
  'live/whose-dump': 'test/host/cli/drift.test.ts',
  'live/one-id-twice': 'test/host/app/read-live-clusters.test.ts',
  'live/one-cluster-twice': 'test/host/app/read-live-clusters.test.ts',
  'live/looks-like-another': 'test/live/drift/looks-like-another.test.ts',
  'live/incomplete': 'test/host/cli/incomplete-dump.test.ts',
  'live/fence-bypassed': 'test/live/problems/limit-problems.test.ts',
  'live/firewall-of-others': 'test/live/problems/limit-problems.test.ts',
  'live/policy-names-unseen': 'test/live/problems/limit-problems.test.ts',
  'live/policy-of-others': 'test/live/problems/limit-problems.test.ts',
  'live/limits-unread': 'test/live/problems/limit-problems.test.ts',
  ...raisedByDrift(),
  'conformance/off': 'test/host/cli/conformance.test.ts',
  'conformance/no-prober': 'test/live/probers/find-prober.test.ts',
  'conformance/prober-not-ready': 'test/live/probers/find-prober.test.ts',
  'conformance/several-probers': 'test/live/probers/find-prober.test.ts',
  'conformance/prober-elsewhere': 'test/live/probers/find-prober.test.ts',
  'conformance/not-dialled': 'test/host/cli/conformance.test.ts',
  ...raisedByNetworks(),
  ...raisedByInventories(),
  'import/forced-view': 'test/live/adopt/adopt-lock.test.ts',
  'import/broken-view': 'test/live/adopt/adopt-lock.test.ts',
  'import/unkept-port': 'test/live/adopt/adopt-lock.test.ts',
  ...raisedByLoans(),
  ...raisedByPlan(),
  ...raisedByVerify(),
  ...raisedByPullRequests(),
};

/** Codes of loans in live clusters need dumps. */
function raisedByLoans(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) =>
    /^import\/.*(loan|slice|virtual-node|offloading|selector|other-(name|account)|proxy|answer|authentication|chart)/.test(
      it,
    ),
  );
  return Object.fromEntries(ours.map((it) => [it, 'test/live/import/sharing/findings.test.ts']));
}

/** Warnings of a plan need two topologies, before and after. */
function raisedByPlan(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter(
    (it) =>
      it.startsWith('plan/') &&
      !['plan/removes-too-much', 'plan/loses-keys', 'plan/loses-lock', 'plan/deletes-namespaces'].includes(it),
  );
  return Object.fromEntries(ours.map((it) => [it, 'test/plan/plan-diagnostics.test.ts']));
}

/** Codes of the answers of providers need dumps of clusters. */
function raisedByIdentities(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) => it.startsWith('identities/'));
  const file = (it: Code): string => (/\/end/.test(it) ? 'ending-certificates' : 'collect-answers');
  return Object.fromEntries(ours.map((it) => [it, `test/live/identities/${file(it)}.test.ts`]));
}

/** Codes of drift need dumps of live clusters. */
function raisedByDrift(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) => it.startsWith('drift/'));
  return Object.fromEntries(ours.map((it) => [it, 'test/live/drift/codes-of-drift.test.ts']));
}

/** Codes of faults in live clusters need dumps. */
function raisedByNetworks(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) => it.startsWith('import/'));
  return Object.fromEntries(ours.map((it) => [it, 'test/live/import/findings.test.ts']));
}

/** Codes of inventories, which a compile does not read. */
function raisedByInventories(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) => it.startsWith('inventory/'));
  return {
    ...Object.fromEntries(ours.map((it) => [it, 'test/live/inventory/update-inventory.test.ts'])),
    'inventory/empty': 'test/host/cli/import-clusters.test.ts',
  };
}

/** Codes of verify, which finds files that were edited by hand; goldens are not edited. */
function raisedByVerify(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) => it.startsWith('verify/'));
  return Object.fromEntries(ours.map((it) => [it, 'test/proof/verify/corruptions.test.ts']));
}

/** Codes of forged edits need a repository with a base. */
function raisedByPullRequests(): Readonly<Partial<Record<Code, string>>> {
  const ours = codes.filter((it) => it.startsWith('provenance/'));
  const files = (it: Code): string => {
    if (/answer|server/.test(it)) return 'identities.test.ts';
    if (it.endsWith('acts-on-files')) return 'around.test.ts';
    if (/half|pending/.test(it)) return 'pending.test.ts';
    return /lock|key/.test(it) ? 'lock-and-keys.test.ts' : 'forgeries.test.ts';
  };
  return Object.fromEntries(ours.map((it) => [it, `test/proof/provenance/${files(it)}`]));
}

function raisedBy(outcome: Outcome<unknown>): ReadonlySet<Code> {
  return new Set(outcome.diagnostics.map((it) => it.code));
}

describe('the page of a diagnostic', () => {
  it('exists for every code, and only for codes', () => {
    expect([...pages.keys()].sort()).toEqual([...codes].sort());
  });

  it.each(codes)('has its sections in order and a sentence on top: %s', (code) => {
    const page = pages.get(code) ?? '';
    expect(page.startsWith(`# ${code}\n\n`)).toBe(true);
    expect(page.split('\n')[2]).toMatch(/^[A-Z].{20,110}\.$/);
    expect([...page.matchAll(/^## (.*)$/gm)].map((it) => it[1])).toEqual([...SECTIONS]);
    for (const section of SECTIONS) expect(sectionOf(page, section).trim().length, section).toBeGreaterThan(20);
    expect(page.endsWith('\n') && !page.endsWith('\n\n')).toBe(true);
    for (const line of page.split('\n')) expect(line.length, line).toBeLessThanOrEqual(120);
  });

  it.each(codes.filter((it) => !WITHOUT_EXCERPT.includes(it)))(
    'shows what raises it, and what resolves it: %s',
    (code) => {
      const page = pages.get(code) ?? '';
      const before = compile(sourcesOf(page, 'Instead of'), { relock: [], only: null });
      expect(raisedBy(before)).toContain(code);
      const use = sourcesOf(page, 'Use');
      if (!use.any) return;
      // Assertions about packets need gateways with keys.
      const keys = code.startsWith('assertion/') ? keysOf(use.topology) : use.keys;
      const after = compile({ ...use, keys }, { relock: [], only: null });
      expect(after.diagnostics.filter((it) => it.severity === 'error')).toEqual([]);
      expect(raisedBy(after)).not.toContain(code);
    },
  );
});

/** A comment that names a code raises nothing. */
const withoutComments = (text: string): string => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');

describe('every code', () => {
  const raised = new Map<Code, string[]>();
  for (const folder of goldenNames()) {
    for (const code of raisedBy(compileGolden(folder))) raised.set(code, [...(raised.get(code) ?? []), folder]);
  }

  it.each(codes)('is raised by a golden that is named after what it shows: %s', (code) => {
    const elsewhere = RAISED_ELSEWHERE[code];
    if (elsewhere !== undefined) {
      expect(withoutComments(readFileSync(new URL(`../${elsewhere}`, import.meta.url), 'utf8'))).toContain(`'${code}'`);
      return;
    }
    const prefix = { error: 'invalid-', warning: 'warns-', note: 'notes-' }[CODES[code]];
    expect((raised.get(code) ?? []).filter((it) => it.startsWith(prefix))).not.toEqual([]);
  });
});
