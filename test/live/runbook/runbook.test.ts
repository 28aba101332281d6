import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printRunbook, printRunbookMarkdown } from '../../../src/answers/report/print-runbook.ts';
import { compile } from '../../../src/compile.ts';
import type { KubernetesObject } from '../../../src/live/dumps/kubernetes-object.ts';
import { makeRunbook } from '../../../src/live/runbook/make-runbook.ts';
import type { Runbook } from '../../../src/live/runbook/runbook.ts';
import { type LiveCluster, recordings } from '../dumps/recordings.ts';

const EXAMPLE = new URL('../../../topologies/', import.meta.url).pathname;

function exampleModel() {
  const source = (path: string) => ({ path, text: readFileSync(`${EXAMPLE}${path}`, 'utf8') });
  const compiled = compile(
    {
      topology: source('topology.yaml'),
      keys: source('topology.keys.yaml'),
      lock: source('topology.lock.yaml'),
    },
    { relock: [], only: null },
  );
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.message);
  return compiled.value.model;
}

function exampleRunbook(a: string, b: string): Runbook {
  const model = exampleModel();
  const link = model.clusters.get(a)?.peers.get(b)?.link;
  if (link === undefined) throw new Error(`${a} and ${b} have no link`);
  return makeRunbook(model, link);
}

const LOOK = { paint: plainPaint, verbose: false };

describe('runbook', () => {
  it.each([
    ['rome', 'milan'],
    ['rome', 'europe'],
  ])('of the example: %s and %s', (a, b) => {
    const path = new URL(`./${a}-${b}.txt`, import.meta.url).pathname;
    const text = printRunbook({ runbook: exampleRunbook(a, b), live: null }, LOOK);
    if (process.env['UPDATE_GOLDEN'] === '1' && process.env['CI'] === undefined) writeFileSync(path, text);
    expect(text).toBe(existsSync(path) ? readFileSync(path, 'utf8') : '');
  });

  it('has every command and value in Markdown, too', () => {
    const runbook = exampleRunbook('rome', 'milan');
    const text = printRunbookMarkdown({ runbook, live: null });
    for (const { checks } of runbook.steps) for (const { command } of checks) expect(text).toContain(`\n${command}\n`);
    expect(text.match(/^### /gm)).toHaveLength(runbook.steps.length);
  });

  it('shows what is live beside what is expected, only where it differs', () => {
    const runbook = exampleRunbook('rome', 'milan');
    const live = JSON.parse(JSON.stringify(runbook).replaceAll('10.81.0.0/16', '10.68.0.0/16')) as Runbook;
    expect(printRunbook({ runbook, live: runbook }, LOOK)).not.toContain('live: ');
    expect(printRunbook({ runbook, live }, LOOK)).toContain(
      'Network milan-pod-10-202-0-0-16, status.cidr: 10.81.0.0/16\n    live: 10.68.0.0/16\n',
    );
  });
});

/** Objects that commands name: `get KINDS NAME ...`, with the kind as recordings have it. */
function namedObjects({ steps }: Runbook) {
  const kinds: Readonly<Record<string, string>> = {
    firewallconfigurations: 'FirewallConfiguration',
    routeconfigurations: 'RouteConfiguration',
    internalfabrics: 'InternalFabric',
  };
  const named: { readonly cluster: string; readonly kind: string; readonly name: string }[] = [];
  for (const { cluster, command, expect: values } of steps.flatMap((it) => it.checks)) {
    const [, namespace = ''] = / -n (\S+) /.exec(command) ?? [];
    const [, plural = '', names = ''] = / get (\w+)\.networking\.liqo\.io ((?:[^\s-]\S* ?)+)/.exec(command) ?? [];
    const kind = kinds[plural];
    const add = (it: string, name: string) => named.push({ cluster, kind: it, name: `${namespace}/${name}` });
    if (kind !== undefined) for (const name of names.trim().split(' ')) add(kind, name);
    const [, deployment] = /exec deployment\/(\S+)/.exec(command) ?? [];
    if (deployment !== undefined) add('Deployment', deployment);
    for (const { what } of values) {
      const [, own, name = ''] =
        /^(GatewayServer|GatewayClient|PublicKey|Configuration|Network) ([^\s,]+)/.exec(what) ?? [];
      if (own !== undefined) add(own, name);
    }
  }
  return named;
}

/** The rules of tables in a recorded cluster, as nft lists what its gateways and nodes make of them. */
function recordedRules({ objects }: LiveCluster, namespace: string): ReadonlySet<string> {
  const rules = new Set<string>();
  for (const it of objects.values() as Iterable<unknown> as Iterable<KubernetesObject>) {
    if (it.kind !== 'FirewallConfiguration' || it.metadata.namespace !== namespace) continue;
    const { table } = it['spec'] as unknown as { readonly table: RecordedTable };
    for (const rule of table.chains.flatMap((chain) => chain.rules.natRules ?? [])) {
      const networks = rule.match.flatMap((one) =>
        one.ip === undefined ? [] : [`${one.ip.position} ${one.op} ${one.ip.value}`],
      );
      rules.add([...networks.sort(), rule.natType, rule.to].join(' '));
    }
  }
  return rules;
}

interface RecordedTable {
  readonly chains: readonly {
    readonly rules: {
      readonly natRules?: readonly {
        readonly match: readonly {
          readonly op: string;
          readonly ip?: { readonly position: string; readonly value: string };
        }[];
        readonly natType: string;
        readonly to: string;
      }[];
    };
  }[];
}

/** A rule as a runbook expects it, in the form of `recordedRules`. */
function ruleKey(text: string): string {
  const networks = [...text.matchAll(/ip ([sd])addr (!= )?([\d./]+)/g)].map(
    ([, end, not, value]) => `${end === 's' ? 'src' : 'dst'} ${not === undefined ? 'eq' : 'neq'} ${value}`,
  );
  const [, type = '', to = ''] = /([sd]nat) (?:prefix )?to (\S+)$/.exec(text) ?? [];
  return [...networks.sort(), type, to].join(' ');
}

describe('runbooks of recorded fleets', () => {
  const all = recordings().map((it) => [it.name, it] as const);

  it.each(all)('name objects and rules that real controllers made: %s', (_, { rebuilt, clusters }) => {
    const live = new Map(clusters.map((it) => [it.name, it]));
    let found = 0;
    for (const link of rebuilt.model.links) {
      const runbook = makeRunbook(rebuilt.model, link);
      for (const { cluster, kind, name } of namedObjects(runbook)) {
        const objects = live.get(cluster)?.objects;
        if (objects === undefined) continue;
        // A gateway without its key, or with a template that was not there, never ran: nothing follows from it.
        const [namespace] = name.split('/');
        const ran = [...objects.keys()].some((key) => key.startsWith(`InternalFabric ${namespace}/`));
        if (!ran && /^(Deployment|InternalFabric|RouteConfiguration)$/.test(kind)) continue;
        expect([...objects.keys()], `${cluster}: ${kind} ${name}`).toContain(`${kind} ${name}`);
        found++;
      }
      const translations = runbook.steps.find((it) => it.id === 'translations')?.checks ?? [];
      for (const { cluster, expect: values } of translations) {
        const recorded = live.get(cluster);
        if (recorded === undefined) continue;
        const far = cluster === runbook.server ? runbook.client : runbook.server;
        const rules = recordedRules(recorded, `liqo-tenant-${far}`);
        for (const it of values)
          if (it.what === 'rule') expect(rules, `${cluster}: ${it.value}`).toContain(ruleKey(it.value));
      }
    }
    expect(found).toBeGreaterThanOrEqual(rebuilt.model.links.length * 8);
  });
});
