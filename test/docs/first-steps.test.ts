import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { TOPOLOGY } from '../host/cli/memory-host.ts';
import { fleetOfTheSlides } from '../live/simulated/fleet-of-the-slides.ts';
import { simulateLiqoctl } from '../live/simulated/simulate-liqoctl.ts';
import { nightly } from '../support/drawn.ts';
import { dumpsOf } from '../support/dumps-of.ts';
import { withKeysFiles } from '../support/keys-of.ts';
import { kubectlAvailable } from '../support/kubectl.ts';
import type { LiveItem } from '../support/objects-at-rest.ts';
import { blocksOf, commandsIn, pageAt, section } from './pages.ts';
import { type Person, person } from './person.ts';

const README = pageAt('README.md');
const INSTALL = section(README, 'Install');
const TOPOLOGY_PAGE = pageAt('docs/topology.md');
const EXAMPLE = yamlOf(TOPOLOGY_PAGE);
const GITOPS = pageAt('docs/argo-cd-and-flux.md');
const LOOKING = [...commandsIn(section(README, 'Every day')), ...commandsIn(pageAt('docs/bundles.md'))];
/** The fleet of that page with keys and without, as its own repository has it. */
const FILES = withKeysFiles({ 'topologies/topology.yaml': EXAMPLE });

function yamlOf(page: ReturnType<typeof pageAt>, index = 0): string {
  const found = blocksOf(page).filter((it) => it.language === 'yaml')[index];
  if (found === undefined) throw new Error(`${page.path} has no YAML there`);
  return found.text;
}

/** Types a line that must end well, and returns what it printed. */
function wellOf(it: Person, line: string): string {
  const { status, stdout, stderr } = it.types(line);
  expect([line, status, status === 0 ? '' : `${stdout}${stderr}`]).toEqual([line, 0, '']);
  return stdout;
}

const hasFiles = (it: Person, files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) it.write(path, text);
};

/** A dump, with the Secrets that were handed over: `kubectl` lists their names. */
function withSecrets(dump: string): string {
  const list = JSON.parse(dump) as { readonly items: readonly LiveItem[] };
  const secrets = list.items
    .filter((it) => it.kind === 'Configuration')
    .map(({ metadata: { namespace = '', labels = {} } }) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: 'gw-keys', labels },
    }));
  return JSON.stringify({ ...list, items: [...list.items, ...secrets] });
}

/** The commands of the page about keys that make key pairs. */
const MAKING_KEYS = commandsIn(pageAt('docs/keys.md')).filter((it) => it.startsWith('weft keys generate'));

const isAboutClusters = (line: string): boolean => /--context|^sudo |--live|--adopt/.test(line);

describe('the first steps of', () => {
  it('somebody who looks at the example: rome sees milan as the picture shows', () => {
    const ada = person();
    hasFiles(ada, FILES);
    wellOf(ada, 'weft compile');
    const [, pod = '', dialled = ''] =
      /alt="A pod in milan has the address (\S+)\. .* rome dials (\S+)\."/.exec(README.text) ?? [];
    expect([pod, dialled]).toEqual(['10.202.3.7', '10.81.3.7']);
    expect(INSTALL.text).toContain('`weft view rome`');
    expect(wellOf(ada, 'weft view rome')).toMatch(/^milan .*10\.202\.0\.0\/16 -> 10\.81\.0\.0\/16/m);
    expect(wellOf(ada, `weft whois ${dialled} --in rome`)).toContain(pod);
  });

  it('somebody who starts a fleet in an empty folder', () => {
    const ada = person();
    const first = section(README, 'A first fleet, in two minutes');
    const [[begin = '', ...lines] = [], edited = []] = blocksOf(first).map((it) => it.text.trim().split('\n'));
    const inFleet = (line: string) => wellOf(ada, `cd ~/weft-try/fleet && ${line}`);
    const [, guide = ''] = /^(\S+\.md) shows all of it/m.exec(wellOf(ada, begin)) ?? [];
    expect(wellOf(ada, `cat ${guide}`)).toContain('# From nothing to a connected fleet');
    for (const line of lines) inFleet(line);
    expect(inFleet(lines.find((it) => it.startsWith('weft trace')) ?? '')).toContain('delivered, direct');
    expect(inFleet('cat fleet.svg')).toMatch(/^<svg /);
    inFleet('weft compile --check');
    inFleet('weft verify');
    const topology = inFleet('cat topologies/topology.yaml');
    expect(topology).toMatch(/^# yaml-language-server: \$schema=/m);

    const [, written = ''] = /write `(podCIDR: \S+)` for milan, too/.exec(first.text) ?? [];
    expect(topology).toContain(`rome:\n    ${written}\n`);
    inFleet(`sed -i 's|podCIDR: 10.203.0.0/16|${written}|' topologies/topology.yaml`);
    const [planned = '', owned = ''] = edited.map(inFleet);
    expect(planned).toContain('breaks live flows');
    expect(owned).toMatch(/a pod of milan, there 10\.202\.3\.7/);
    expect(owned).toMatch(/a pod of rome, there 10\.202\.3\.7/);
  });

  it('somebody with three clusters and nothing else, who types each line of the page, in its order', () => {
    const page = pageAt('docs/first-fleet.md');
    const ada = person();
    ada.hasClusters(new Map());
    wellOf(ada, 'git init -q --bare ~/hub.git && git config --global remote.origin.url ~/hub.git');
    wellOf(ada, 'git config --global push.default current');
    const [begin = '', ...steps] = blocksOf(page)
      .filter((it) => it.language === '')
      .map((it) => `set -e\n${it.text}`);
    const proof = steps.pop() ?? '';
    wellOf(ada, begin);
    ada.write('fleet/topologies/topology.yaml', `${ada.read('fleet/topologies/topology.yaml')}${yamlOf(page)}`);
    const [planned = ''] = steps.map((it) => wellOf(ada, `cd fleet\n${it}`));
    for (const step of ['install Liqo with the helm-values.yaml', 'weft keys generate', 'weft ports', 'weft drift'])
      expect(planned).toContain(step);
    expect(wellOf(ada, 'cd fleet && weft plan --new')).toContain('install Liqo with the helm-values.yaml');
    expect(wellOf(ada, 'cd fleet && git status --porcelain && git ls-remote')).toMatch(/refs\/heads/);
    const [topology, keys] = ['yaml', 'keys.yaml'].map((it) => ada.read(`fleet/topologies/topology.${it}`));
    const dumps = dumpsOf({ 'topologies/topology.yaml': topology ?? '', 'topologies/topology.keys.yaml': keys ?? '' });
    ada.hasClusters(new Map(Object.entries(dumps).map(([path, text]) => [path.slice(6, -5), withSecrets(text)])));
    const proven = wellOf(ada, `cd fleet\n${proof.replace('10m', '2s')}`);
    expect(proven).toContain('no drift');
    expect(proven).toContain('delivered, direct');
  });

  nightly('somebody who pastes the example into a fleet of their own, and makes its keys', () => {
    const ada = person();
    wellOf(ada, 'weft init');
    ada.write('topologies/topology.yaml', EXAMPLE);
    const [, schema = ''] = /\$schema=(\S+)/.exec(EXAMPLE) ?? [];
    expect(JSON.parse(ada.read(`topologies/${schema}`)).title).toBeTypeOf('string');
    expect(MAKING_KEYS[0]).toBe('weft keys generate --secrets-dir ~/weft-secrets');
    wellOf(ada, MAKING_KEYS[0] ?? '');
    expect(wellOf(ada, 'cat ~/weft-secrets/rome.yaml')).toContain('kind: Secret');
    wellOf(ada, 'weft compile');
    wellOf(ada, 'weft verify');
    expect(ada.types('weft validate').stderr).not.toContain('carries nothing');
  });

  nightly('somebody who hands keys to a secret manager', () => {
    const ada = person();
    ada.write('topologies/topology.yaml', EXAMPLE);
    expect(MAKING_KEYS[1]).toBe('weft keys generate | kubeseal ...');
    expect(wellOf(ada, MAKING_KEYS[1] ?? '')).toContain('kind: Secret');
    expect(wellOf(ada, 'weft keys generate')).toBe('');
  });

  nightly('somebody who looks around: every command of the README for every day', () => {
    const ada = person();
    hasFiles(ada, FILES);
    wellOf(ada, 'weft compile');
    const lines = LOOKING.filter((it) => !isAboutClusters(it) && !it.includes('--base'));
    expect(lines.length).toBeGreaterThan(6);
    for (const line of lines) {
      const { status, stdout, stderr } = ada.types(line);
      expect([line, status, `${stdout}${stderr}` === '']).toEqual([line, 0, false]);
    }
  });

  it('somebody who reads mistakes: the place, the hint and the page', () => {
    const ada = person();
    ada.write('topologies/topology.yaml', EXAMPLE.replace(', gateway: 203.0.113.30', ''));
    const { status, stderr } = ada.types('weft compile');
    const [, shown = '', code = ''] =
      /^(topologies\/topology\.yaml:\d+:\d+: error (\S+): .*?)\.\.\.$/m.exec(TOPOLOGY_PAGE.text) ?? [];
    expect([status, stderr.includes(shown.trim())]).toEqual([1, true]);
    expect(wellOf(ada, `weft explain ${code}`)).toContain('Instead of');
    expect(wellOf(ada, 'weft explain gateway.dial')).toContain('gateway.dial');
  });

  nightly('somebody who edits a fleet on a branch, and sees what it changes', () => {
    const ada = person();
    hasFiles(ada, FILES);
    wellOf(ada, 'git init -q -b main . && weft compile && git add -A && git commit -qm fleet');
    wellOf(ada, 'git update-ref refs/remotes/origin/main main && git switch -qc edit');
    const line = (start: RegExp) => commandsIn(pageAt('docs/pull-requests.md')).find((it) => start.test(it)) ?? '';
    const [plan, planned, lines, drawn, check] = [/^weft plan$/, /--base/, /--diff/, /^weft graph/, /--check/].map(
      line,
    );
    if (!plan || !planned || !lines || !drawn || !check) throw new Error('a command is gone from the page');
    expect(wellOf(ada, plan)).toMatch(/^Nothing to do/);
    ada.write('topologies/topology.yaml', EXAMPLE.replace('203.0.113.30', '203.0.113.31'));
    expect(wellOf(ada, plan)).toContain('203.0.113.31');
    expect(ada.types(check).status).toBe(1);
    wellOf(ada, drawn);
    wellOf(ada, lines);
    expect(ada.read('review/weft-diff.md')).toContain('+      - 203.0.113.31');
    expect(ada.read('change.svg')).toMatch(/^<svg /);
    wellOf(ada, 'weft compile');
    wellOf(ada, check);
    wellOf(ada, 'git add -A && git commit -qm edit');
    expect(wellOf(ada, planned)).toMatch(/203\.0\.113\.31/);
  });

  it.skipIf(!kubectlAvailable())('somebody with Argo CD and Flux (skipped without kubectl)', () => {
    const ada = person();
    hasFiles(ada, { ...FILES, 'topologies/topology.yaml': `${EXAMPLE}${yamlOf(GITOPS)}` });
    wellOf(ada, 'weft compile');
    const [argo, flux] = blocksOf(GITOPS).filter((it) => it.language === '');
    const folders = [...`${argo?.text}${flux?.text}`.matchAll(/out\/_[\w/-]+/g)].map(([it]) => it);
    expect(new Set(folders)).toEqual(
      new Set([
        'out/_argocd/application',
        'out/_argocd/argocd-cm-patch',
        'out/_flux/source',
        'out/_flux/clusters/rome',
      ]),
    );
    expect(parse(ada.read('out/_argocd/argocd-cm-patch.yaml'))).toHaveProperty('data');
    expect(wellOf(ada, 'kubectl kustomize out/_flux/source')).toContain('apiVersion:');
    // The files that are applied by hand apply these folders, which kustomize builds.
    for (const [file, path] of [
      ['_argocd/application', 'source'],
      ['_flux/clusters/rome', 'path'],
    ] as const) {
      const { spec } = parse(ada.read(`out/${file}.yaml`));
      const folder = path === 'path' ? spec.path : spec.source.path;
      expect(wellOf(ada, `kubectl kustomize ${folder}`), file).toContain('apiVersion:');
    }
  });

  nightly('somebody who runs Liqo already: nothing would move', () => {
    const page = pageAt('docs/adopting.md');
    const [dump = '', importing = '', , preflight = ''] = commandsIn(page);
    const ada = person();
    const slides = simulateLiqoctl(fleetOfTheSlides('1.2'));
    ada.hasClusters(new Map([...slides].map(([id, list]) => [id, JSON.stringify(list)])));
    wellOf(ada, dump.replace('--context rome=admin@rome', '--context cluster2 --context cluster3'));
    wellOf(ada, 'bash dump.sh');
    expect(wellOf(ada, importing)).toContain(blocksOf(page)[3]?.text);
    const [imported, shown] = [parse(ada.read('topologies/topology.yaml')), parse(yamlOf(page))];
    expect(imported).toMatchObject(shown);
    wellOf(ada, 'weft compile');
    expect(wellOf(ada, preflight)).toMatch(/^Nothing to do: \S+ matches its topology\.$/m);
  });

  nightly('somebody who is paged: what is, beside what was meant', () => {
    const ada = person();
    const files = { ...withKeysFiles({ 'topologies/topology.yaml': TOPOLOGY }) };
    const dumps = dumpsOf(files);
    hasFiles(ada, { ...files, ...dumps });
    const clusters = Object.entries(dumps).map(([path, text]) => [path.slice(6, -5), withSecrets(text)] as const);
    ada.hasClusters(new Map(clusters));
    wellOf(ada, 'weft compile');
    // The lab and probes have tests of their own.
    const lines = [...commandsIn(pageAt('docs/inspecting.md')), ...LOOKING].filter(
      (it) => !/^(sudo|weft conformance) /.test(it),
    );
    const about = lines.filter((it) => isAboutClusters(it) || it.includes('--runbook'));
    expect(about.length).toBeGreaterThan(5);
    for (const line of new Set(about)) expect([line, wellOf(ada, line)]).not.toEqual([line, '']);
    expect(wellOf(ada, 'weft drift --context rome --context milan')).toContain('no drift');
  });

  it('somebody who splits a large file: nothing changes that is compiled', () => {
    const ada = person();
    hasFiles(ada, FILES);
    wellOf(ada, 'git init -q . && weft compile && git add -A && git commit -qm fleet');
    const [main = '', region = ''] = yamlOf(section(pageAt('docs/topology.md'), 'Several files, several owners')).split(
      '\n\n',
    );
    const [, include = ''] = /^(include: .*)$/m.exec(main) ?? [];
    const [, cluster = ''] = /^( {2}rome: .*)$/m.exec(region) ?? [];
    expect(EXAMPLE).toContain(cluster.trim().slice('rome:'.length));
    ada.write(
      'topologies/topology.yaml',
      EXAMPLE.replace(/^ {2}rome: .*\n/m, '').replace(/^clusters:/m, `${include}\nclusters:`),
    );
    ada.write('topologies/regions/italy.yaml', region);
    wellOf(ada, 'weft compile');
    expect(wellOf(ada, 'git status --porcelain out')).toBe('');
  });
});
