import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { NEWEST_PATCH, RELEASE_LINES, type ReleaseLine } from '../../../src/base/releases/release.ts';
import {
  firstLineWith,
  linesWith,
  type ReleaseTraits,
  type TraitName,
  traitsOf,
} from '../../../src/base/releases/traits.ts';
import { schemaText } from '../../support/crd.ts';

/**
 * The releases in which each trait holds, from the reference of Liqo (sections 2.6, 2.11, 3.4, 4.2, 4.5, 5.4 to 5.7 and
 * 6.2). A row without an entry here, or an entry without a row, does not compile.
 */
const HOLDS: Readonly<Record<TraitName, readonly ReleaseLine[]>> = {
  takesSeveralPodCIDRs: ['1.2'],
  remapsEveryPodCIDR: ['1.2'],
  namesPeerNetworksByCIDR: ['1.2'],
  namesReservedNetworksByCIDR: ['1.2'],
  namesBypassRulesByCIDR: ['1.2'],
  labelsSharedNetworks: ['1.2'],
  pinsExplicitOwnCIDRs: ['1.2'],
  labelsNamespacesForPodSecurity: ['1.2'],
  reportsReadinessAsCondition: ['1.2'],
  omitsIdentityRules: ['1.2'],
  annotatesGatewayServices: ['1.2'],
  hasDirectConnections: ['1.2'],
  hasFences: ['1.1', '1.2'],
  worksWithShortcutOperator: ['1.0', '1.1'],
  labelsSingleGatewayActive: ['1.1', '1.2'],
  setsElectionInEveryContainer: ['1.1', '1.2'],
  monitorsRulesAndRoutes: ['1.1', '1.2'],
  preservesClientEndpoint: ['1.2'],
  clampsSegmentSize: ['1.1', '1.2'],
  bindsMetricsWithoutHandshake: ['1.1', '1.2'],
  ordersRoutingRules: ['1.2'],
  answersHealthChecksOverHTTP: ['1.2'],
  annotatesInTreeLoadBalancers: ['1.0'],
  renewsCertificates: ['1.2'],
  bindsConsumersWithCredentials: ['1.1', '1.2'],
};

/** Fields of a kind's schema in only one release. */
const PROVEN: readonly (readonly [trait: TraitName, kind: string, text: RegExp])[] = [
  ['annotatesGatewayServices', 'GatewayServer', /"serviceAnnotations":/],
  ['reportsReadinessAsCondition', 'Configuration', /"conditions":/],
  ['clampsSegmentSize', 'FirewallConfiguration', /"tcpmssclamp"/],
];

describe('the traits of a release', () => {
  it.each(Object.entries(HOLDS))('%s holds in the releases that the reference lists', (name, lines) => {
    expect(RELEASE_LINES.filter((line) => new Map(Object.entries(traitsOf(line))).get(name))).toEqual(lines);
  });

  it.each(PROVEN)('%s agrees with the CRDs of each release', (trait, kind, text) => {
    expect(RELEASE_LINES.filter((line) => text.test(schemaText(kind, NEWEST_PATCH[line])))).toEqual(
      RELEASE_LINES.filter((line) => traitsOf(line)[trait]),
    );
  });

  it('have a first line', () => {
    for (const lines of Object.values(HOLDS)) expect(lines).not.toEqual([]);
    expect(firstLineWith('hasDirectConnections')).toBe('1.2');
    expect(firstLineWith('clampsSegmentSize')).toBe('1.1');
    expect(linesWith('worksWithShortcutOperator')).toEqual(['1.0', '1.1']);
  });

  it('are the same for every release of a line, and one object', () => {
    for (const line of RELEASE_LINES) expect(traitsOf(line)).toBe(traitsOf(line));
  });

  it('cite a source in every row', () => {
    const text = readFileSync(new URL('../../../src/base/releases/traits.ts', import.meta.url), 'utf8');
    const rows = [...text.matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s+(\w+): \{ '1\.0'/g)];
    expect(rows.map(([, , name]) => name)).toEqual(Object.keys(HOLDS));
    for (const [, comment, name] of rows) expect(comment, name).toContain('Source: ');
  });

  it('need a value for every line', () => {
    const complete = { '1.0': false, '1.1': false, '1.2': true } satisfies Record<ReleaseLine, boolean>;
    // @ts-expect-error: a row without an answer for 1.2 does not compile.
    const incomplete = { '1.0': false, '1.1': false } satisfies Record<ReleaseLine, boolean>;
    // @ts-expect-error: a line without a column in the tables does not exist.
    const unknown = (): ReleaseTraits => traitsOf('1.3');
    expect([Object.keys(complete).length, Object.keys(incomplete).length, unknown]).toEqual([3, 2, unknown]);
  });
});
