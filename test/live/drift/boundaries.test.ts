import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { explainLive } from '../../../src/host/app/drift-fleet.ts';
import type { Problem } from '../../../src/live/drift/drift.ts';
import { promisedObjects } from '../../../src/live/drift/promised-objects.ts';
import {
  type KubernetesObject,
  kindKeyOf,
  type LiveCluster,
  objectKey,
} from '../../../src/live/dumps/kubernetes-object.ts';
import { compiledGolden } from '../../proof/verify/verify-golden.ts';

const compiled = compiledGolden('closed-links');
const PROMISED = promisedObjects('milan', { bundle: compiled.bundle, root: 'out' });

/** The fences and policies of milan as an API server returns them. */
const APPLIED = [...compiled.bundle]
  .filter(([path]) => /^milan\/(peers|boundaries)\/.*\.yaml$/.test(path))
  .flatMap(([, text]) => parseAllDocuments(text).map((it) => it.toJS() as KubernetesObject))
  .filter((it) => ['FirewallConfiguration', 'NetworkPolicy'].includes(it.kind));

type Edit = (them: readonly KubernetesObject[]) => readonly KubernetesObject[];

/** The problems of milan: a cluster that is only a copy of its promises has some. */
function problemsOf(edit: Edit): readonly Problem[] {
  const others = [...PROMISED].filter(([, { object }]) => !APPLIED.some((it) => objectKey(it) === objectKey(object)));
  const live: LiveCluster = {
    from: 'milan.json',
    cluster: 'milan',
    objects: new Map([
      ...others.map(([key, it]) => [key, it.object] as const),
      ...edit(APPLIED).map((it) => [objectKey(it), it] as const),
    ]),
    listed: new Set([...PROMISED.values()].map((it) => kindKeyOf(it.object))),
    forbidden: new Set(),
  };
  return explainLive(compiled, 'out', live).problems;
}

/** The problems of fences and policies alone. */
const messagesOf = (edit: Edit): readonly string[] =>
  problemsOf(edit)
    .filter((it) => it.findings.some(({ object }) => /^weft-(fence|boundaries)/.test(object.name)))
    .map(({ diagnostic }) => `${diagnostic.code}: ${diagnostic.message}`);

const edited =
  (kind: string, from: string, to: string): Edit =>
  (them) =>
    them.map((it) => (it.kind === kind ? (JSON.parse(JSON.stringify(it).replace(from, to)) as KubernetesObject) : it));

describe('what limits connections in a live cluster', () => {
  it('is compared rule by rule', () => {
    expect(APPLIED.length).toBeGreaterThan(2);
    expect(messagesOf((it) => it)).toEqual([]);
  });

  it.each([
    [
      'a fence that lets in another port',
      edited('FirewallConfiguration', '"value":"5432"', '"value":"22"'),
      /^drift\/other-spec: .*weft-fence-rome" in "milan" \(peer "rome"\) was edited: it lets in 10\.202\.0\.0\/16 to 10\.202\.0\.0\/16 on tcp 22$/,
    ],
    [
      'a fence that refuses nothing',
      edited('FirewallConfiguration', '"to":"127.0.0.1"', '"to":"10.202.0.9"'),
      /was edited: it does not refuse the rest as git does$/,
    ],
    [
      'a policy that lets in another network',
      edited('NetworkPolicy', '10.81.3.0/24', '10.81.0.0/16'),
      /NetworkPolicy "weft-boundaries" in "milan" was edited/,
    ],
    [
      'a policy that is gone',
      (them: readonly KubernetesObject[]) => them.filter((it) => it.kind !== 'NetworkPolicy'),
      /^drift\/missing: NetworkPolicy/,
    ],
    [
      'a fence that is gone',
      (them: readonly KubernetesObject[]) => them.filter((it) => it.kind !== 'FirewallConfiguration'),
      /^drift\/missing: FirewallConfiguration "weft-fence-/,
    ],
    [
      'a policy that git does not have any more',
      (them: readonly KubernetesObject[]) => [
        ...them,
        ...them
          .filter((it) => it.kind === 'NetworkPolicy')
          .map((it) => ({ ...it, metadata: { ...it.metadata, namespace: 'former' } })),
      ],
      /^drift\/extra: NetworkPolicy/,
    ],
  ] as const)('shows %s', (_, edit, message) => {
    const messages = messagesOf(edit);
    expect(messages).not.toEqual([]);
    for (const it of messages) expect(it).toMatch(message);
  });
});

it('a fence that git does not have any more stays in force when it is deleted', () => {
  const former = APPLIED.filter((it) => it.kind === 'FirewallConfiguration').map(
    (it) => ({ ...it, metadata: { ...it.metadata, name: `${it.metadata.name}-former` } }) as KubernetesObject,
  );
  const hints = problemsOf((own) => [...own, ...former]).flatMap(({ diagnostic: { code, hint = '' } }) =>
    code === 'drift/extra' ? [hint] : [],
  );
  expect(hints).not.toEqual([]);
  for (const it of hints) expect(it).toContain('restart the pod of the gateway');
});

describe('objects that weft did not write', () => {
  const [fence] = APPLIED.filter((it) => it.kind === 'FirewallConfiguration');
  const copied = (name: string, priority: number): KubernetesObject =>
    JSON.parse(
      JSON.stringify({ ...fence, metadata: { ...fence?.metadata, name } })
        .replaceAll(/weft-fence-\w+/g, name)
        .replaceAll('-120', String(priority))
        .replaceAll('-110', String(priority)),
    ) as KubernetesObject;
  const said = (...them: readonly KubernetesObject[]) =>
    problemsOf((own) => [...own, ...them]).filter((it) => it.diagnostic.code.startsWith('live/'));

  it('are drift where they open a way around a fence, and a note elsewhere', () => {
    expect(said()).toEqual([]);
    const [before, behind] = [said(copied('debug', -200)), said(copied('debug', -90))];
    expect(before.map(({ diagnostic: { code, severity } }) => [code, severity])).toEqual([
      ['live/fence-bypassed', 'warning'],
    ]);
    expect(behind.map(({ diagnostic: { code, severity } }) => [code, severity])).toEqual([
      ['live/firewall-of-others', 'note'],
    ]);
  });
});
