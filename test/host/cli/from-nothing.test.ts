import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { base64 } from '../../live/identities/tenants.ts';
import { TestCa } from '../../support/test-ca.ts';
import { workspace } from './memory-host.ts';

/** The part of the page that a new user follows. */
const SECTION = (
  readFileSync(new URL('../../../docs/sharing.md', import.meta.url), 'utf8').split(
    '\n## From nothing to an offloaded namespace\n',
  )[1] ?? ''
).split('\n## ')[0] as string;

const BLOCKS = [...SECTION.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language, text]) => ({ language, text }));

const TOPOLOGY = BLOCKS.find((it) => it.language === 'yaml')?.text ?? '';

/** The user's commands, in order. */
const COMMANDS = BLOCKS.filter((it) => it.language === '').flatMap((it) => (it.text ?? '').trim().split('\n'));

type Place = ReturnType<typeof workspace>;

const objectsIn = (text: string) => parseAllDocuments(text).map((it) => it.toJS());

/**
 * The output of `kubectl get tenants -A -o yaml` in milan, once Liqo has signed the request that the bundle brought.
 */
function tenantsOf({ read }: Place): string {
  const tenant = objectsIn(read('out/milan/sharing/rome.yaml')).find((it) => it.kind === 'Tenant');
  const { apiServer } = parse(read('out/milan/helm-values.yaml'));
  const ca = new TestCa('milan');
  const request = Buffer.from(tenant.spec.csr, 'base64').toString('utf8');
  const authParams = { apiServer: apiServer.address, ca: base64(ca.pem), signedCRT: base64(ca.answer(request)) };
  const items = [{ ...tenant, status: { authParams, tenantNamespace: 'liqo-tenant-rome' } }];
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** The arguments of a command of weft; what is handed over lies beside the repository. */
const argumentsOf = (command: string, secrets: string): readonly string[] =>
  command.replace('~/weft-secrets', secrets).split(' ').slice(1);

describe('the way from nothing to an offloaded namespace, as its page has it', () => {
  it('needs no more than two files of Secrets and two pull requests by hand', () => {
    const byHand = [...SECTION.matchAll(/^\*\*(\d)\. (.*?)\*\*/gm)].map(([, number, what]) => `${number} ${what}`);
    expect(byHand).toEqual([
      '1 Hand over the Secrets',
      '2 Merge the first pull request',
      '3 Merge the second pull request',
    ]);
  });

  it('works, with the answer of a simulated provider', async () => {
    const place = workspace();
    const secrets = `${workspace().folder}/secrets`;
    const warnings: string[] = [];
    let files: readonly string[] = [];
    for (const command of COMMANDS) {
      const [, collect] = /^kubectl --context milan get tenants -A -o yaml \| (weft .*)$/.exec(command) ?? [];
      if (collect !== undefined) {
        const answer = await place.weftWith({ stdin: tenantsOf(place) }, ...argumentsOf(collect, secrets));
        expect([answer.code, answer.stdout], command).toMatchObject([
          0,
          expect.stringContaining('rome from milan  recorded'),
        ]);
      } else if (command.startsWith('weft ')) {
        const { code, stderr } = await place.weft(...argumentsOf(command, secrets));
        expect([code, code === 0 ? '' : stderr], command).toEqual([0, '']);
        warnings.push(...[...stderr.matchAll(/warning (\S+):/g)].map(([, it]) => it as string));
        if (command === 'weft init') place.write('topologies/topology.yaml', TOPOLOGY);
      } else if (command.startsWith('kubectl ')) {
        files = [...files, command];
      } else {
        expect(command).toMatch(/^helm repo add liqo |^helm install .* out\/(rome|milan)\/helm-values\.yaml$/);
      }
    }
    // weft reports the missing answer until the second pull request, and nothing at the end.
    expect(new Set(warnings)).toEqual(new Set(['sharing/answer-missing']));
    expect((await place.weft('validate', '-o', 'json')).stdout).not.toContain('"warning"');
    const borrowed = objectsIn(place.read('out/rome/sharing/milan.yaml'));
    expect(borrowed.map((it) => it.kind)).toEqual(expect.arrayContaining(['Identity', 'ResourceSlice']));
    const slice = borrowed.find((it) => it.kind === 'ResourceSlice');
    expect(SECTION).toContain(`shows \`${slice.metadata.name}\``);
    expect(objectsIn(place.read('out/rome/offloading/shop.yaml')).map((it) => it.kind)).toContain(
      'NamespaceOffloading',
    );
    expect(await place.weft('verify')).toMatchObject({ code: 0 });
    expect(await place.weft('compile', '--check')).toMatchObject({ code: 0 });
    // Every Secret is handed over in its cluster, in a namespace that was made there.
    for (const cluster of ['rome', 'milan']) {
      const text = readFileSync(`${secrets}/${cluster}.yaml`, 'utf8');
      const namespaces = objectsIn(text).flatMap((it) => (it === null ? [] : [it.metadata.namespace as string]));
      expect(namespaces.length).toBeGreaterThan(0);
      for (const it of namespaces) expect(files).toContain(`kubectl --context ${cluster} create namespace ${it}`);
      expect(files).toContain(`kubectl --context ${cluster} apply -f ~/weft-secrets/${cluster}.yaml`);
    }
  });
});
