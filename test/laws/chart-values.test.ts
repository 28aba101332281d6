import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { Outcome } from '../../src/base/diagnostics/outcome.ts';
import { CHART, CHART_DEFS, type ChartPart, isInRelease, resolvedPart } from '../../src/base/releases/chart-values.ts';
import { NEWEST_PATCH, RELEASE_LINES, type ReleaseLine } from '../../src/base/releases/release.ts';
import { type Compiled, compile } from '../../src/compile.ts';
import { isEmptyPlan } from '../../src/plan/plan-changes.ts';
import { planBetween } from '../plan/run-edit.ts';
import { verifyCompiled, verifyFiles } from '../proof/verify/verify-golden.ts';
import { drawn, firstOfEach } from '../support/drawn.ts';

/*
 * Every value that the chart of a release has can be set: it is then in helm-values.yaml, a plan names it, and `weft verify`
 * proves it. Or it is refused, because another key decides it.
 */

/** Values that other keys of the topology decide, or a Secret. */
const REFUSED =
  /^(apiServer|discovery\.config\.clusterID|fullnameOverride|ipam\.(external|additionalPools|externalCIDR|internalCIDR|podCIDRs?|pools|reservedSubnets|serviceCIDR)|metrics|nameOverride|networking\.(clientResources|enabled|fabric\.config\.(fullMasquerade|gatewayMasqueradeBypass)|gatewayTemplates|genevePort|serverResources)|openshiftConfig\.enabled?|tag)(\.|$)/;

/** A value that the chart of no release has by default. */
function valueFor(part: ChartPart): unknown {
  const { enum: values, type, minimum = 0, items, 'x-weft-format': format } = part;
  if (values) return values[0];
  switch ([type].flat()[0]) {
    case 'boolean':
      return true;
    case 'integer':
      return minimum + 7;
    case 'array':
      return [items ? valueFor(resolvedPart(items)) : 'text'];
    case 'object':
      return { name: format === 'resources' ? '7' : 'text' };
    default:
      return format === 'no-secret' ? { secretKeyRef: { name: 'aws', key: 'id' } } : 'text';
  }
}

/** Every value of the chart of a release, with a value for it. */
function* valuesIn(
  part: ChartPart,
  version: string,
  path: readonly string[] = [],
): Generator<readonly [string, unknown]> {
  for (const [name, it] of Object.entries(part.properties ?? {})) {
    const below = resolvedPart(it);
    if (!isInRelease(below, version)) continue;
    const here = [...path, name];
    const isOwnMap = below.properties !== undefined && below.type === 'object';
    if (isOwnMap) yield* valuesIn(below, version, here);
    else yield [here.join('.'), adjusted(here.join('.'), below)];
  }
}

function adjusted(path: string, part: ChartPart): unknown {
  if (part['x-weft-format'] === 'resources') return { cpu: '7' };
  if (part['x-weft-format'] === 'tolerations') return [{ key: 'a', operator: 'Exists' }];
  // True is the chart's own value, which is accepted.
  if (path === 'networking.enabled') return false;
  return path.endsWith('enabled') && /^(authentication|offloading)\./.test(path) ? true : valueFor(part);
}

const nested = (path: string, value: unknown): unknown =>
  path.split('.').reduceRight<unknown>((below, key) => ({ [key]: below }), value);

function compiledWith(line: ReleaseLine, helmValues: unknown): Outcome<Compiled> {
  const text = stringify({
    version: 1,
    name: 'europe',
    liqo: { version: line },
    hub: 'rome',
    defaults: { serviceCIDR: '10.96.0.0/12', externalCIDR: 'auto' },
    clusters: {
      rome: { podCIDR: '10.1.0.0/16', gateway: '203.0.113.1', helmValues },
      milan: { podCIDR: '10.2.0.0/16' },
    },
  });
  return compile(
    { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined },
    { relock: [], only: null },
  );
}

describe.each(drawn(RELEASE_LINES, (it) => it === RELEASE_LINES.at(-1)))('a value of the chart of Liqo %s', (line) => {
  const before = compiledWith(line, {});
  if (!before.ok) throw new Error('the fleet does not compile');
  const all = [...valuesIn(CHART, NEWEST_PATCH[line])];

  it('is one of many', () => {
    expect(all.length).toBeGreaterThan(200);
    expect(all.filter(([path]) => REFUSED.test(path)).length).toBeGreaterThan(20);
    expect(Object.keys(CHART_DEFS).length).toBeGreaterThan(0);
  });

  it('reaches helm-values.yaml, a plan and the proof, or another key decides it', () => {
    // On a push, one of each form in each part of the chart, and every twentieth.
    const some = drawn(
      all,
      firstOfEach(([path, value]) => `${path.split('.')[0]} ${REFUSED.test(path) || JSON.stringify(value)}`),
    );
    const wrong = some.flatMap(([path, value]) => {
      const after = compiledWith(line, nested(path, value));
      if (REFUSED.test(path)) {
        const codes = after.diagnostics.filter((it) => it.severity === 'error').map((it) => it.code);
        return codes.length > 0 && codes.every((it) => it === 'topology/decided-value') ? [] : [`${path}: ${codes}`];
      }
      if (!after.ok) return [`${path}: ${after.diagnostics.map((it) => `${it.code} ${it.message}`).join('; ')}`];
      const values: unknown = parse(after.value.bundle.get('rome/helm-values.yaml') ?? '');
      const found = path
        .split('.')
        .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values);
      const written = path === 'offloading.reflection.skip.annotations' ? [found].flat().slice(-1) : found;
      return [
        ...(isDeepStrictEqual(written, value) ? [] : [`${path} is ${JSON.stringify(found)}`]),
        ...(isEmptyPlan(planBetween(before.value, after.value)) ? [`a plan has nothing to say about ${path}`] : []),
        ...verifyCompiled(after.value).map((it) => `${path}: ${it.code} ${it.message}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['replicas: 2', 'replicas: 3'],
    ['replicas: 2', 'port: 9444'],
    ['webhook:', 'proxy:'],
    ['webhook:', 'proxy: { replicas: 3 }\nwebhook:'],
    ['ipam:', 'ipam:\n  internal: { graphviz: true }'],
  ])('that is %j in the topology and %j in the files is found by the proof', (instead, found) => {
    const after = compiledWith(line, { webhook: { replicas: 2 } });
    if (!after.ok) throw new Error('the fleet does not compile');
    const text = after.value.bundle.get('rome/helm-values.yaml') ?? '';
    expect(text).toContain(instead);
    const files = new Map(after.value.bundle).set('rome/helm-values.yaml', text.replace(instead, found));
    expect(verifyFiles(after.value, files).map((it) => it.code)).toContain('verify/platform');
  });
});
