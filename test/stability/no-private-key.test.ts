import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { workspace } from '../host/cli/memory-host.ts';

const TOPOLOGY = `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, apiServer: https://203.0.113.10:6443 }
  rome: { podCIDR: 10.202.0.0/16 }
sharing:
  - { consumer: rome, provider: europe, resources: { cpu: 4, memory: 8Gi } }
gitops: { repository: "https://git.example.com/fleet", argo: {}, flux: {} }
`;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((it) => join(folder, it))
    .filter((it) => statSync(it).isFile());

/** The private values in a Secret: each as it is written, decoded, and the lines of a PEM. */
function privateValuesIn(text: string): readonly string[] {
  return parseAllDocuments(text).flatMap((document) => {
    const {
      kind,
      data = {},
      stringData = {},
    } = document.toJS() as {
      readonly kind: string;
      readonly data?: Readonly<Record<string, string>>;
      readonly stringData?: Readonly<Record<string, string>>;
    };
    expect(kind).toBe('Secret');
    const isPrivate = ([name]: readonly [string, string]): boolean => !/public/i.test(name);
    const encoded = Object.entries(data).filter(isPrivate);
    const written = Object.entries(stringData).filter(isPrivate);
    const texts = [
      ...encoded.flatMap(([, it]) => [
        it,
        Buffer.from(it, 'base64').toString('latin1'),
        Buffer.from(it, 'base64').toString('hex'),
      ]),
      ...written.flatMap(([, it]) => [it, Buffer.from(it).toString('base64')]),
    ];
    return texts.flatMap((it) => it.split('\n')).filter((it) => it.length >= 20 && !it.startsWith('-----'));
  });
}

it('is in no file of the repository: neither below out/ nor beside the topology', async () => {
  const it = workspace({ 'fleet/topologies/topology.yaml': TOPOLOGY });
  const fleet = join(it.folder, 'fleet');
  execFileSync('git', ['init', '-q'], { cwd: fleet });
  const at = 'fleet/topologies/topology.yaml';
  expect(await it.weft('keys', 'generate', at, '--secrets-dir', 'secrets')).toMatchObject({ code: 0 });
  expect(await it.weft('compile', at, '--out', 'fleet/out')).toMatchObject({ code: 0 });
  const secrets = filesBelow(join(it.folder, 'secrets')).map((file) => readFileSync(file, 'utf8'));
  const hidden = secrets.flatMap(privateValuesIn);
  // Two gateways, and the consumer's key.
  expect(new Set(hidden).size).toBeGreaterThanOrEqual(3);
  const files = filesBelow(fleet);
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const text = readFileSync(file, 'latin1');
    expect(
      hidden.filter((value) => text.includes(value)),
      file,
    ).toEqual([]);
    expect(text, file).not.toContain('PRIVATE KEY');
  }
  // This search finds them in the Secrets.
  expect(hidden.filter((value) => secrets.some((text) => text.includes(value))).length).toBeGreaterThanOrEqual(3);
});

it('is refused in a folder of the repository', async () => {
  const it = workspace({ 'topologies/topology.yaml': TOPOLOGY });
  execFileSync('git', ['init', '-q'], { cwd: it.folder });
  expect(await it.weft('keys', 'generate', '--secrets-dir', 'secrets')).toMatchObject({ code: 2 });
});
