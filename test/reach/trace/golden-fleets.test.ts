import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printTrace } from '../../../src/answers/report/trace.ts';
import { printTraceMatrix } from '../../../src/answers/report/trace-pairs.ts';
import { addressCount, type Prefix } from '../../../src/base/net/prefix.ts';
import type { AddressedCluster } from '../../../src/fleet/ipam/addressed-model.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { rulePlace } from '../../../src/reach/trace/packet.ts';
import { trace } from '../../../src/reach/trace/trace.ts';
import { traceAll } from '../../../src/reach/trace/trace-all.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { expectSameAsNaive } from './compare-with-naive.ts';

const fleets = compiledFleets();

/** Every ordered pair, and for each every pair of pod CIDRs. */
function questionsOf(model: SharedModel, fromNode: boolean) {
  const clusters = [...model.clusters.values()];
  return clusters.flatMap((from) =>
    clusters.flatMap((to) =>
      from.podCIDRs.flatMap((own, i) =>
        to.podCIDRs.map((others, j) => ({
          from: from.name,
          to: to.name,
          source: [i, hostIn(own.value, 17)] as const,
          destination: [j, hostIn(others.value, 151)] as const,
          fromNode,
          mappedHost: 5,
          through: null,
        })),
      ),
    ),
  );
}

/** A host of a network, also of one that is very small. */
const hostIn = (cidr: Prefix, wanted: number): number => Math.min(wanted, addressCount(cidr) - 2);

describe('every pair of a golden fleet', () => {
  it.each(fleets.map((it) => [it.name, it] as const))('%s', (_, { compiled: { model, bundle } }) => {
    for (const fromNode of [false, true]) {
      for (const ask of questionsOf(model, fromNode)) {
        const traced = expectSameAsNaive(model, ask);
        for (const { did } of traced.there) {
          if (!('rule' in did) || did.rule === null) continue;
          const { file = '', line = 0 } = rulePlace(model, did.rule) ?? {};
          const text = (bundle.get(file) ?? '').split('\n')[line - 1];
          expect(text, `${file}:${line}`).toMatch(new RegExp(` comment "${did.rule.rule.name}"$`));
        }
      }
    }
  });
});

/** `UPDATE_GOLDEN=1` writes what is produced over what is recorded; CI never does. */
const updating = process.env['UPDATE_GOLDEN'] === '1' && !process.env['CI'];
const FOLDER = new URL('golden/', import.meta.url).pathname;

/** The matrix, then each way between leaves and to a hub, as people see it. */
function recordOf(model: SharedModel): string {
  const printed = { model, out: 'out' };
  const of = (from: AddressedCluster, to: AddressedCluster, more: object = {}) =>
    printTrace(
      trace(model, {
        from: { cluster: from.name, address: null },
        to: { kind: 'cluster', cluster: to.name, address: null },
        ...more,
      }),
      printed,
      plainPaint,
    );
  const clusters = [...model.clusters.values()];
  const [first, second] = clusters;
  const node = first && second ? [of(first, second, { fromNode: true })] : [];
  const pairs = clusters.flatMap((from) => clusters.filter((it) => it.name > from.name).map((to) => of(from, to)));
  return [printTraceMatrix(traceAll(model), plainPaint), ...pairs, ...node].join('\n');
}

describe('the printed traces', () => {
  it.each([
    'deck-two-one-pod-cidr-everywhere',
    'equal-networks-everywhere-are-remapped',
    'releases-differ-between-peers',
    'several-pod-cidrs',
    'two-hubs-with-tiers',
    'a-retired-cluster-leaves',
    'warns-eks-on-1.2',
    'warns-hub-on-eks-forwards-untested',
  ])('%s', (name) => {
    const fleet = fleets.find((it) => it.name === name);
    if (!fleet) throw new Error(`there is no golden ${name}`);
    const text = recordOf(fleet.compiled.model);
    const file = `${FOLDER}${name}.trace.txt`;
    if (updating) {
      mkdirSync(FOLDER, { recursive: true });
      writeFileSync(file, text);
    }
    expect(text).toBe(existsSync(file) ? readFileSync(file, 'utf8') : '(not recorded)');
  });
});
