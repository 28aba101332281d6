import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { sliceOf } from '../../reach/translate/fixtures.ts';
import { withKeysFiles } from '../../support/keys-of.ts';
import { expectRecorded } from '../../support/recorded.ts';
import { TOPOLOGY, workspace } from './memory-host.ts';

const DECK = readFileSync(
  new URL('../../golden/deck-two-one-pod-cidr-everywhere/topology.yaml', import.meta.url),
  'utf8',
);

const deck = () => workspace(withKeysFiles({ 'topologies/topology.yaml': DECK }));
const europe = () => workspace(withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }));

/** The slides' slice: a pod of cluster3 and one of cluster2, as the hub sees them. */
const NGINX = sliceOf('nginx-sqvhb', ['10.63.0.151'], ['10.60.0.17']);

describe('weft translate', () => {
  it("answers as recorded: the slides' example, the limits, all forms", async () => {
    const files = new Map<string, string>();
    const record = async (
      name: string,
      { weftWith }: ReturnType<typeof deck>,
      stdin: string,
      ...args: readonly string[]
    ) => {
      const { code, stdout, stderr } = await weftWith({ stdin }, 'translate', ...args);
      expect({ code, stderr }, name).toEqual({ code: 0, stderr: '' });
      files.set(name, stdout);
    };
    const two = sliceOf('web', ['10.63.0.1'], ['10.63.0.2'], ['10.200.0.4', '10.63.0.3']);
    const addresses = '10.63.0.151, 10.60.0.17 10.200.0.196';
    await record('deck.yaml', deck(), NGINX, '--in', 'hub', '--for', 'cluster2');
    await record('deck-for-cluster3-explained.yaml', deck(), NGINX, '--in', 'hub', '--for', 'cluster3', '--explain');
    await record('deck.txt', deck(), NGINX, '--in', 'hub', '--for', 'cluster2', '-o', 'text', '--explain');
    await record('deck.json.txt', deck(), NGINX, '--in', 'hub', '--for', 'cluster2', '-o', 'json');
    await record('deck-addresses.txt', deck(), addresses, '--in', 'hub', '--for', 'cluster2', '--explain');
    await record('deck-addresses.yaml', deck(), addresses, '--in', 'hub', '--for', 'cluster2', '-o', 'yaml');
    await record('deck-two-over-a-shortcut.yaml', deck(), two, '--in', 'hub', '--for', 'cluster2');
    await record('deck-two-over-a-shortcut.txt', deck(), two, '--in', 'hub', '--for', 'cluster2', '-o', 'text');
    const mixed = `${sliceOf('web', ['10.202.0.9'], ['10.200.0.4'])}---\n${sliceOf('db', ['10.81.0.9'])}`;
    await record('europe-for-rome.yaml', europe(), mixed, '--in', 'europe', '--for', 'rome');
    await record(
      'europe-for-milan.yaml',
      europe(),
      mixed,
      '--in',
      'europe',
      '--for',
      'milan',
      '--way',
      'direct',
      '--explain',
    );
    // Without keys: the links on the way are named, and no endpoint is ready.
    const keyless = workspace({ 'topologies/topology.yaml': TOPOLOGY });
    await record('europe-without-keys.yaml', keyless, mixed, '--in', 'europe', '--for', 'rome');
    await record('europe-without-keys.txt', keyless, '10.202.0.9 10.200.0.4', '--in', 'europe', '--for', 'rome');
    await record('europe-for-milan.txt', europe(), mixed, '--in', 'europe', '--for', 'milan', '-o', 'text');
    expectRecorded(new URL('./golden-translate/', import.meta.url), files);
  });

  it('gives cluster2 of the slides 10.61.0.151 with the shortcut, and an address of run time without', async () => {
    const { stdout } = await deck().weftWith({ stdin: NGINX }, 'translate', '--in', 'hub', '--for', 'cluster2');
    const slices = parseAllDocuments(stdout).flatMap((it) => (it.contents ? [it.toJS()] : []));
    expect(slices.map((it) => it.endpoints.map((one: { addresses: string[] }) => one.addresses))).toEqual([
      [['10.60.0.?']],
      [['10.61.0.151']],
    ]);
    expect(slices[1].metadata).toMatchObject({
      name: 'nginx-sqvhb',
      labels: {
        'endpointslice.kubernetes.io/managed-by': 'endpointslice.reflection.liqo.io',
        'liqo.io/shortcut-addresses': '10.61.0.151',
        'offloading.liqo.io/destination': 'cluster2',
        'offloading.liqo.io/origin': 'hub',
      },
    });
    expect(stdout).toContain("(an address of hub's external CIDR 10.70.0.0/16, given at run time)");
  });

  it('takes its own answer for a question: what it prints as JSON is a slice again', async () => {
    const { stdout } = await deck().weftWith(
      { stdin: NGINX },
      'translate',
      '--in',
      'hub',
      '--for',
      'cluster2',
      '-o',
      'json',
    );
    const slice = JSON.stringify(JSON.parse(stdout).translation.slices[0].results.shortcut.endpointSlice);
    const again = await deck().weftWith(
      { stdin: slice },
      'translate',
      '--in',
      'cluster2',
      '--for',
      'cluster3',
      '--way',
      'hub',
    );
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(parseAllDocuments(again.stdout).map((it) => it.toJS()?.endpoints)).toContainEqual([]);
  });

  it('shows only the way that is asked for', async () => {
    const args = ['translate', '--in', 'hub', '--for', 'cluster2', '--way'];
    const of = async (way: string) => (await deck().weftWith({ stdin: '10.63.0.151' }, ...args, way)).stdout;
    expect(await of('hub')).not.toMatch(/10\.61|SHORTCUT +WITH|direct/);
    expect(await of('shortcut')).not.toContain('10.60');
    expect(await of('direct')).toContain('not available, since they need Liqo 1.2');
  });

  it('prints its help when nothing is piped in', async () => {
    const { code, stdout, stderr } = await deck().weft('translate', '--in', 'hub', '--for', 'cluster2');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^stdin is a terminal: pipe EndpointSlices or addresses into "weft translate"\n\nUsage: weft translate /,
    );
  });

  it.each([
    ['nothing', '', 'translate/empty'],
    ['a word', 'web-0', 'stdin:1:1: error translate/not-an-address'],
    ['an address of nobody alone', '192.0.2.7\n', 'error translate/empty: nothing is left to translate'],
    ['IPv6 alone', 'fd00::1', 'error translate/empty: nothing is left to translate'],
    ['broken YAML', `${NGINX}---\nkind: [\n`, 'stdin:20:7: error source/yaml-syntax'],
    ['names alone', 'kind: EndpointSlice\nmetadata: {name: a}\naddressType: FQDN\n', 'error translate/empty'],
  ])('says no to %s, with the place', async (_, stdin, message) => {
    const { weftWith } = deck();
    const args = ['translate', '--in', 'hub', '--for', 'cluster2'];
    expect(await weftWith({ stdin }, ...args)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(message),
    });
    const { stdout } = await weftWith({ stdin }, ...args, '-o', 'json');
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, summary: { errors: 1 } });
  });

  it('leaves out what is no pod, with a remark, and translates the rest', async () => {
    const slices = `${NGINX}---
kind: EndpointSlice
metadata: { name: mixed }
endpoints: [{ addresses: [192.0.2.7] }, { addresses: [10.63.0.9, "fd00::1"] }]
---
kind: EndpointSlice
metadata: { name: names }
addressType: FQDN
endpoints: [{ addresses: [web.example] }]
`;
    const args = ['translate', '--in', 'hub', '--for', 'cluster2', '-o', 'json'];
    const { code, stdout } = await deck().weftWith({ stdin: slices }, ...args);
    const { diagnostics, translation } = JSON.parse(stdout);
    expect(code).toBe(0);
    expect(diagnostics.map((it: { code: string; severity: string }) => `${it.severity} ${it.code}`).sort()).toEqual([
      'warning translate/address-of-nobody',
      'warning translate/hostname',
      'warning translate/ipv6',
    ]);
    const mixed = translation.slices.find((it: { name: string }) => it.name === 'mixed');
    expect(JSON.stringify(mixed)).toContain('10.63.0.9');
    expect(JSON.stringify(mixed)).not.toMatch(/192\.0\.2\.7|fd00|"addresses":\[\]/);
    expect(translation.slices).toHaveLength(2);
  });

  it.each([
    [['--in', 'hub'], 2, 'missing option --for'],
    [['--for', 'hub'], 2, 'missing option --in'],
    [['--in', 'hub', '--for', 'hub'], 2, 'does not reflect endpoints to itself'],
    [['--in', 'hbu', '--for', 'cluster2'], 2, 'did you mean "hub"?'],
    [['--in', 'hub', '--for', 'cluster9'], 2, 'no cluster "cluster9"'],
    [['--in', 'hub', '--for', 'cluster2', '--way', 'train'], 2, 'hub, direct, shortcut'],
    [['--in', 'hub', '--for', 'cluster2', '-o', 'sarif'], 2, 'text, yaml, json'],
  ])('cannot answer %j', async (args, code, message) => {
    const { weftWith } = deck();
    const answer = await weftWith({ stdin: '10.63.0.1' }, 'translate', ...args);
    expect(answer).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });

  it('says no where the two have no link', async () => {
    const { weftWith } = workspace({ 'topologies/topology.yaml': DECK.replace(/shortcuts:\n.*\n/, '') });
    const answer = await weftWith({ stdin: '10.63.0.1' }, 'translate', '--in', 'cluster2', '--for', 'cluster3');
    expect(answer).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('have no link') });
  });

  it('prints the mistakes of a topology that has some', async () => {
    const { weftWith } = workspace({ 'topologies/topology.yaml': 'version: 1\n' });
    const answer = await weftWith({ stdin: '10.63.0.1' }, 'translate', '--in', 'a', '--for', 'b');
    expect(answer).toMatchObject({ code: 1, stderr: expect.stringContaining('topology/missing-key') });
  });

  it('lets no escape sequence of a slice reach the terminal', async () => {
    const name = '"we\\u001b[31mb\\nkind: x"';
    const { stdout } = await deck().weftWith(
      { stdin: sliceOf(name, ['10.63.0.1']) },
      'translate',
      '--in',
      'hub',
      '--for',
      'cluster2',
    );
    expect(stdout).not.toContain('\u001b');
    expect(parseAllDocuments(stdout).every((it) => it.errors.length === 0)).toBe(true);
  });
});
