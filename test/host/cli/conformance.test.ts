import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Code } from '../../../src/base/diagnostics/codes.ts';
import { PROBER_LABELS, PROBER_NAMESPACE } from '../../../src/bundle/conformance/prober-names.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import type { LiveItem } from '../../support/objects-at-rest.ts';
import { recordedKubectl } from '../kubectl/recorded-kubectl.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const FILES = withKeysFiles({
  'topologies/topology.yaml': TOPOLOGY.replace('version: 1', 'version: 1\nconformance: true'),
});

const clusterId = (id: string): LiveItem => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'liqo-clusterid-configmap', namespace: 'liqo' },
  data: { CLUSTER_ID: id },
});

const proberOf = (cluster: string, address: string): readonly LiveItem[] => [
  clusterId(cluster),
  { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'prober', namespace: PROBER_NAMESPACE } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `prober-${cluster}`, namespace: PROBER_NAMESPACE, labels: PROBER_LABELS },
    status: { podIP: address, conditions: [{ type: 'Ready', status: 'True' }] },
  },
];

const CLUSTERS = {
  europe: proberOf('europe', '10.200.0.5'),
  rome: proberOf('rome', '10.202.0.6'),
  milan: proberOf('milan', '10.202.0.7'),
};

/** A kubectl that answers `get` from recorded objects, and `exec` with what a shell script prints. */
function kubectlWith(exec: string, clusters: Readonly<Record<string, readonly LiveItem[]>> = CLUSTERS) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-exec-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { PATH: path = '' } = recordedKubectl(clusters);
  const file = join(folder, 'kubectl');
  writeFileSync(file, `#!/bin/sh\nif [ "$1" != exec ]; then PATH="\${PATH#*:}" exec kubectl "$@"; fi\n${exec}\n`);
  chmodSync(file, 0o755);
  return { env: { PATH: `${folder}${delimiter}${path}` } };
}

/** Answers of a script to which no target answers. */
const ANSWERS_NOTHING = `
targets=$(sed -n "/^TARGETS/,/^'/p" | grep -E '^[0-9]')
printf '%s\\n' "$targets" | while read -r id address bytes; do echo "$id - - - - -"; done
echo done $(printf '%s\\n' "$targets" | wc -l)`;

const codeText = (code: Code): string => code;

const ALL = ['europe', 'rome', 'milan'].flatMap((it) => ['--context', it]);

describe('weft conformance', () => {
  it('needs the key of the topology', async () => {
    const { weftWith } = workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));
    const { code, stderr } = await weftWith(kubectlWith(''), 'conformance', ...ALL);
    expect(code).toBe(2);
    expect(stderr).toContain(`error ${codeText('conformance/off')}: the topology has no \`conformance: true\``);
  });

  it('needs contexts', async () => {
    const { weft } = workspace(FILES);
    expect(await weft('conformance')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('weft conformance --context'),
    });
    expect(await weft('conformance', 'nowhere', ...ALL)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"nowhere"'),
    });
  });

  it('says for each path that nothing answers, and that drift has nothing to compare', async () => {
    const { weftWith } = workspace(FILES);
    const { code, stdout } = await weftWith(kubectlWith(ANSWERS_NOTHING), 'conformance', 'rome', ...ALL);
    expect(code).toBe(1);
    expect(stdout).toContain('europe to rome  10.81.0.6   over their hub link  nothing answers\n');
    expect(stdout).toMatch(/\n4 of 4 paths not as predicted; 4 of 4 pairs dialled, between 3 clusters\n$/);
  });

  it('dials the others when one cluster has no prober, and ends with 2 when all of them answer', async () => {
    const { weftWith } = workspace(FILES);
    const without = { ...CLUSTERS, milan: [clusterId('milan')] };
    const { code, stdout, stderr } = await weftWith(
      kubectlWith(ANSWERS_NOTHING, without),
      'conformance',
      '-o',
      'json',
      ...ALL,
    );
    expect(stderr).toBe('');
    expect(JSON.parse(stdout).diagnostics[0]).toMatchObject({ code: 'conformance/no-prober', file: 'context milan' });
    expect({ code, pairs: JSON.parse(stdout).conformance.pairs }).toEqual({
      code: 1,
      pairs: { wanted: 6, dialled: 2 },
    });
    const one = await weftWith(kubectlWith('', without), 'conformance', '--context', 'rome', '--context', 'milan');
    expect(one).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('nothing was dialled; 0 of 6 pairs dialled'),
    });
  });

  it.each([
    [
      `echo 'Error from server (Forbidden): pods "prober-rome" is forbidden: cannot create resource "pods/exec"' >&2; exit 1`,
      'pods "prober-rome" is forbidden',
    ],
    ['echo "0 prober-milan 10.202.0.6:1 full"', 'the script in it did not end as expected'],
  ])('says why it could not dial: %s', async (exec, why) => {
    const { weftWith } = workspace(FILES);
    const { code, stderr } = await weftWith(kubectlWith(exec), 'conformance', 'rome', 'milan', ...ALL);
    expect(code).toBe(2);
    expect(stderr).toContain(
      `error ${codeText('conformance/not-dialled')}: nothing was sent from the prober of "rome": `,
    );
    expect(stderr).toContain(why);
    expect(stderr).toContain('kubectl --context rome -n weft-conformance exec deploy/prober -- true');
  });

  /** The elements of a report, where they may be, and their attributes. Source: jenkinsci/xunit-plugin, junit-10.xsd. */
  const JUNIT: Readonly<Record<string, { readonly inside: string; readonly attributes: readonly string[] }>> = {
    testsuites: { inside: '', attributes: ['name', 'tests', 'failures', 'errors'] },
    testsuite: { inside: 'testsuites', attributes: ['name', 'tests', 'failures', 'errors', 'skipped'] },
    testcase: { inside: 'testsuite', attributes: ['classname', 'name'] },
    failure: { inside: 'testcase', attributes: ['type', 'message'] },
    error: { inside: 'testcase', attributes: ['type', 'message'] },
    skipped: { inside: 'testcase', attributes: ['message'] },
  };

  it('reports to CI what failed, what could not be used, and what was skipped, as JUnit has it', async () => {
    const { weftWith } = workspace(FILES);
    const without = { ...CLUSTERS, milan: [clusterId('milan')] };
    const all = await weftWith(kubectlWith(ANSWERS_NOTHING), 'conformance', '-o', 'junit', ...ALL);
    const some = await weftWith(kubectlWith(ANSWERS_NOTHING, without), 'conformance', '-o', 'junit', ...ALL);
    const faults = [all.stdout, some.stdout].flatMap((text) => {
      const open: string[] = [];
      return [...text.matchAll(/<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>/g)].flatMap(
        ([, end, name = '', written = '', alone]) => {
          if (end === '/') return open.pop() === name ? [] : [`</${name}>`];
          const { inside, attributes = [] } = JUNIT[name] ?? {};
          const unknown = [...written.matchAll(/ ([a-z]+)=/g)].flatMap(([, it = '']) =>
            attributes.includes(it) ? [] : [`${name}.${it}`],
          );
          const misplaced = inside === (open.at(-1) ?? '') ? [] : [`${name} in ${open.at(-1)}`];
          if (alone !== '/') open.push(name);
          return [...unknown, ...misplaced];
        },
      );
    });
    expect(faults).toEqual([]);
    expect(all.stdout).toContain('<testsuites name="weft conformance europe" tests="12" failures="6" errors="0">');
    expect(all.stdout).toContain('<testsuite name="from rome" tests="4" failures="2" errors="0" skipped="2">');
    expect(all.stdout).toMatch(/<failure message="nothing answers" type="lost">predicted: milan sees 10\.\d+\.0\.6; /);
    expect(some.stdout).toContain('<error message="&quot;milan&quot; has no prober');
  });
});
