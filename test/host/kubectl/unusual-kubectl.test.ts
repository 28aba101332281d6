import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { once } from '../../../src/base/core/once.ts';
import { compiledOf } from '../../live/drift/explained.ts';
import { recordedFleet } from '../../live/drift/recorded-fleet.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { expectRecordedText } from '../../support/recorded.ts';
import { workspace } from '../cli/memory-host.ts';
import { recordedKubectl } from './recorded-kubectl.ts';
import { type Unusual, unusualKubectl } from './unusual-kubectl.ts';

const FLEET = 'lends-and-offloads/1.2';
const CLUSTERS = ['core', 'edge1', 'edge2'];
const CONTEXTS = CLUSTERS.flatMap((it) => ['--context', it]);

const FOLDER = new URL('./answers/', import.meta.url);

const COMMANDS: readonly (readonly string[])[] = [
  ['drift', ...CONTEXTS],
  ['import', '--check', '--topology', 'topologies/live.yaml', ...CONTEXTS],
  ['identities', 'collect', '--check', ...CONTEXTS],
  ['plan', ...CONTEXTS],
  ['view', 'core', 'edge1', ...CONTEXTS],
  ['trace', 'core', 'edge1', ...CONTEXTS],
];

const REFUSED = 'The connection to the server 203.0.113.20:6443 was refused - did you specify the right host or port?';
const SLOW =
  'Unable to connect to the server: context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

const forbidden = (resource: string): string =>
  `Error from server (Forbidden): ${resource} is forbidden: User "ada" cannot list resource "${resource.split('.')[0]}" in API group "${resource.split('.').slice(1).join('.')}" at the cluster scope`;

interface Row {
  readonly what: string;
  readonly unusual: Unusual | null;
  /** The exit codes of the commands, in their order. */
  readonly codes: readonly number[];
}

const ROWS: readonly Row[] = [
  { what: 'as usual', unusual: null, codes: [0, 0, 0, 0, 0, 0] },
  { what: 'tables instead of lists', unusual: { form: 'table' }, codes: [2, 2, 2, 2, 2, 2] },
  { what: 'lists of one kind, whose items have none', unusual: { form: 'typed-lists' }, codes: [0, 0, 0, 0, 0, 0] },
  { what: 'empty lists', unusual: { form: 'empty-lists' }, codes: [1, 0, 1, 0, 1, 1] },
  { what: 'lists without a kind', unusual: { form: 'without-kind' }, codes: [2, 2, 2, 2, 2, 2] },
  { what: 'the first page of a list', unusual: { form: 'one-page' }, codes: [2, 2, 2, 2, 2, 2] },
  { what: 'no connection', unusual: { fails: REFUSED }, codes: [2, 2, 2, 2, 2, 2] },
  { what: 'no answer in time', unusual: { fails: SLOW }, codes: [2, 2, 2, 2, 2, 2] },
  { what: 'a connection that breaks', unusual: { fails: REFUSED, at: 'secrets' }, codes: [2, 2, 0, 2, 2, 2] },
  {
    what: 'no right to list PublicKeys',
    unusual: { fails: forbidden('publickeies.networking.liqo.io'), at: 'publickeies' },
    codes: [0, 0, 0, 0, 0, 0],
  },
  {
    what: 'no right to list Configurations',
    unusual: { fails: forbidden('configurations.networking.liqo.io'), at: 'configurations.networking' },
    codes: [2, 1, 0, 2, 2, 2],
  },
  {
    what: 'no right to list Tenants',
    unusual: { fails: forbidden('tenants.authentication.liqo.io'), at: 'tenants' },
    codes: [0, 0, 2, 0, 0, 0],
  },
];

const fleet = once(() => {
  const recorded = recordedFleet(FLEET);
  const { bundle, lock } = compiledOf(FLEET, recorded);
  const out = [...bundle].map(([path, text]) => [`out/${path}`, text] as const);
  const files = { ...recorded.files, 'topologies/topology.lock.yaml': lock, ...Object.fromEntries(out) };
  return { dumps: recorded.dumps, usual: recordedKubectl(recorded.dumps), files };
});

/** The bundles on disk, and a kubectl that is unusual for one cluster. */
function fleetWith(unusual: Unusual | null) {
  const { dumps, usual, files } = fleet();
  const env = unusual === null ? usual : unusualKubectl(dumps, 'edge1', unusual);
  const { weftWith } = workspace(files);
  return (...argv: readonly string[]) => weftWith({ env }, ...argv);
}

const recordedName = ({ what }: Row): string => `${what.replace(/\W+/g, '-')}.txt`;

/** A kubectl that counts its calls by context, and answers when each cluster was asked once: no cluster waits for another. */
function countingKubectl(usual: Readonly<Record<string, string>>) {
  const { folder } = workspace({ calls: '' });
  writeFileSync(
    join(folder, 'kubectl'),
    `#!/bin/sh
for it; do case $it in --context=*) echo "\${it#--context=}" >>'${folder}/calls' ;; esac; done
left=100
until [ "$(sort -u '${folder}/calls' | wc -l)" -eq ${CLUSTERS.length} ]; do
  left=$((left - 1))
  [ $left -gt 0 ] || { echo 'no other cluster was asked' >&2; exit 1; }
  sleep 0.1
done
PATH='${usual['PATH']}' exec kubectl "$@"
`,
    { mode: 0o755 },
  );
  const counts = (): readonly number[] => {
    const calls = readFileSync(join(folder, 'calls'), 'utf8').split('\n');
    return CLUSTERS.map((cluster) => calls.filter((it) => it === cluster).length);
  };
  return { env: { PATH: `${folder}${delimiter}${usual['PATH']}` }, counts };
}

describe('with contexts of three clusters', () => {
  it.each(COMMANDS.slice(0, 2))('weft %s asks them at once, and each for few lists', async (...argv) => {
    const { usual, files } = fleet();
    const { env, counts } = countingKubectl(usual);
    const { code, stderr } = await workspace(files).weftWith({ env }, ...argv);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('error')]);
    for (const it of counts()) {
      expect(it).toBeGreaterThan(0);
      // A list that has kinds which are not installed is asked again without them.
      expect(it).toBeLessThan(11);
    }
  });
});

/** Claims about a cluster that was not read, or not completely. */
const CLAIM = /"edge1" has (no|nothing)\b(?!.* in what was read)/;

describe('with a kubectl that answers for one cluster', () => {
  it.each(
    drawn(
      ROWS,
      firstOfEach(({ unusual }) => (unusual === null ? '' : 'form' in unusual ? 'form' : 'fails')),
    ).map((it) => [it.what, it] as const),
  )('%s, each command has the right exit code and claims nothing that was not read', async (_, row) => {
    const weft = fleetWith(row.unusual);
    const [shown, codes]: [string[], number[]] = [[], []];
    for (const argv of COMMANDS) {
      const { code, stdout, stderr } = await weft(...argv);
      shown.push(`$ weft ${argv.join(' ')}\n${stdout}${stderr}exit ${code}\n`);
      codes.push(code);
    }
    expectRecordedText(new URL(recordedName(row), FOLDER), shown.join('\n'));
    expect(codes).toEqual(row.codes);
    if (row.unusual !== null && 'fails' in row.unusual) expect(shown.join('')).not.toMatch(CLAIM);
  });

  it('is recorded for these and no others', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(ROWS.map(recordedName).sort());
  });
});
