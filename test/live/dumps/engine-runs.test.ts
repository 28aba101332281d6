import { describe, expect, it } from 'vitest';
import { workspace } from '../../host/cli/memory-host.ts';
import { drawn, firstOfEach } from '../../support/drawn.ts';
import { expectRecorded, isUpdating } from '../../support/recorded.ts';
import { type EngineMoment, engineMoments } from './engine-runs.ts';

const all = engineMoments();
const nameOf = ({ run, moment }: EngineMoment): string => `${run}, ${moment}`;

const fileOf = (it: EngineMoment): string => `${nameOf(it).replaceAll(/[^\w.]+/g, '-')}.txt`;

/** True for a moment at which a person or a tool still had to act. */
const isAtWork = ({ moment }: EngineMoment): boolean =>
  /but for namespaces$|^(asked|signed|the slice is not answered|a wrong address|Liqo is installed again)$/.test(moment);

const atRest = all.filter((it) => !isAtWork(it)).map((it) => [nameOf(it), it] as const);

/** On a push, a moment of each run: each command reads all clusters of it. */
const drawnAtRest = drawn(
  atRest,
  firstOfEach(([, { run }]) => run),
);

const TOPOLOGY = 'topologies/topology.yaml';

/** Two moments of a run, one after the other, with different topologies. */
const edits = atRest.flatMap(([name, after], i) => {
  const before = atRest[i - 1]?.[1];
  const isEdited = before?.files[TOPOLOGY] !== after.files[TOPOLOGY];
  return before?.run === after.run && isEdited ? [[name, before, after] as const] : [];
});

/** On a push, an edit of each kind: the same ones were made in the runs of every release. */
const drawnEdits = drawn(
  edits,
  firstOfEach(([, , { moment }]) => moment),
);

/** The line that counts pairs by the way of their packets. */
const PAIRS = /^\d+ pairs of .*$/m;

/** The fleet in a folder with its dumps, compiled. */
async function compiled({ files }: EngineMoment) {
  const fleet = workspace(files);
  expect(await fleet.weft('compile', '-q')).toMatchObject({ code: 0 });
  return fleet;
}

interface Change {
  readonly kind: string;
  readonly text: string;
  readonly disruptive: boolean;
  readonly flows: unknown;
}

interface View {
  readonly cluster: string;
  readonly peer: string;
  readonly kind: string;
  readonly cidr: string;
  readonly seenAs: string;
}

/** Every network that a cluster sees, as lines in order. */
function viewsIn(addresses: string): readonly string[] {
  const { views } = JSON.parse(addresses) as { readonly views: readonly View[] };
  return views.map((it) => `${it.cluster} ${it.peer} ${it.kind} ${it.cidr} ${it.seenAs}`).sort();
}

describe('a fleet that real controllers left', () => {
  it.each(drawnAtRest)('is as compiled, and as many pairs meet: %s', async (_, recorded) => {
    const { weft } = await compiled(recorded);
    const clusters = recorded.dumps.size;
    const drift = await weft('drift', '--live', 'dumps/');
    expect(drift).toMatchObject({ code: 0, stderr: '' });
    expect(drift.stdout).toMatch(new RegExp(`\nno drift; ${clusters} clusters compared\n$`));
    expect(drift.stdout).not.toContain('not compared');
    const plan = await weft('plan', '--live', 'dumps/');
    expect(plan).toMatchObject({ code: 0, stdout: expect.stringContaining('\nNothing to do: ') });
    const [live, git] = [await weft('trace', '--all', '--live', 'dumps/'), await weft('trace', '--all')];
    expect(PAIRS.exec(live.stdout)?.[0]).toBe(PAIRS.exec(git.stdout)?.[0] ?? '(none)');
  });

  it.each(drawnAtRest)('is imported with the same addresses, and nothing restarts: %s', async (_, recorded) => {
    const own = await compiled(recorded);
    const dumps = Object.entries(recorded.files).filter(([path]) => path.startsWith('dumps/'));
    const { weft, read } = workspace(Object.fromEntries(dumps));
    const imported = await weft('import', 'dumps/', '--name', 'live');
    expect(imported).toMatchObject({ code: 0 });
    expect(imported.stdout).toContain('\nnothing would move: 0 views, 0 ports, 0 restarts\n');
    expect(await weft('compile', '-q')).toMatchObject({ code: 0 });
    expect(viewsIn(read('out/addresses.json'))).toEqual(viewsIn(own.read('out/addresses.json')));
  });

  it.each(drawnEdits)(
    'has the same plan of the next edit, read from clusters or from git: %s',
    async (_, before, after) => {
      const { weft, write } = await compiled(before);
      for (const [path, text] of Object.entries(after.files)) if (path.startsWith('topologies/')) write(path, text);
      const planned = async (...args: readonly string[]) => {
        const { stdout } = await weft('plan', ...args, '-o', 'json');
        const { plan } = JSON.parse(stdout) as { readonly plan: { readonly changes: readonly Change[] } };
        return plan.changes.map(({ kind, text, disruptive, flows }) => ({ kind, text, disruptive, flows }));
      };
      const [git, live] = [await planned(), await planned('--live', 'dumps/')];
      expect(git.length).toBeGreaterThan(0);
      // No dump shows the entry points of an engine.
      expect(live).toEqual(git.filter((it) => it.kind !== 'gitops-changed'));
    },
  );

  it.each(drawn(edits))(
    'has a plan of the next edit in which nothing is said to follow from git: %s',
    async (_, before, after) => {
      const { weft, write } = await compiled(before);
      for (const [path, text] of Object.entries(after.files)) if (path.startsWith('topologies/')) write(path, text);
      const { stdout } = await weft('plan', '--live', 'dumps/');
      expect(stdout).not.toContain('follow from git');
    },
  );

  it('is told apart from git while somebody still has to act', async () => {
    const texts = new Map<string, string>();
    const moments = all.filter(isAtWork);
    // On a push, one of each kind; all of them when they are recorded again.
    const some = isUpdating()
      ? moments
      : drawn(
          moments,
          firstOfEach(({ moment }) => moment),
        );
    for (const recorded of some) {
      const { weft } = await compiled(recorded);
      const lines: string[] = [];
      for (const command of ['drift', 'plan', 'trace --all']) {
        const { code, stdout, stderr } = await weft(...command.split(' '), '--live', 'dumps/');
        lines.push(`$ weft ${command} --live dumps/`, stdout + stderr, `exit ${code}`, '');
      }
      texts.set(fileOf(recorded), lines.join('\n'));
    }
    expectRecorded(new URL('./engine-runs/', import.meta.url), texts, moments.map(fileOf));
  });
});

/** The texts in a value, and those that are base64 in them, at any depth. */
function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(textsIn);
  if (typeof value !== 'string') return [];
  const inner = [...value.matchAll(/[A-Za-z0-9+/]{40,}={0,2}/g)].map(([it]) =>
    Buffer.from(it, 'base64').toString('latin1'),
  );
  return [value, ...inner.flatMap(textsIn)];
}

describe('the recordings', () => {
  it('contain no private key, no token and no value of a Secret but nonces', () => {
    const isSecret =
      /BEGIN [A-Z ]*PRIVATE KEY|\beyJ[\w-]+\.eyJ|(?:token|password|client-key-data|privateKey)["']?\s*[:=]/i;
    expect(textsIn({ key: '-----BEGIN EC PRIVATE KEY-----' }).some((it) => isSecret.test(it))).toBe(true);
    for (const { files, dumps } of all) {
      expect(textsIn(files).filter((it) => isSecret.test(it))).toEqual([]);
      const secrets = [...dumps.values()].flat().filter((it) => it.kind === 'Secret');
      expect(secrets.length).toBeGreaterThan(0);
      for (const it of secrets)
        expect(
          Object.keys(it['data'] ?? {}).filter((key) => key !== 'nonce'),
          it.metadata.name,
        ).toEqual([]);
    }
  });

  it('contain no key of 32 bytes that is not public in a cluster', () => {
    const isPublic = new Set(
      all
        .flatMap(({ dumps }) => [...dumps.values()].flat())
        .filter((it) => it.kind === 'PublicKey' || it.kind === 'Tenant')
        .map((it) => (it['spec'] as { readonly publicKey?: string }).publicKey),
    );
    expect(isPublic.size).toBeGreaterThanOrEqual(8);
    for (const { files } of all)
      for (const text of Object.values(files))
        for (const [key] of text.matchAll(/(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{43}=/g)) expect(isPublic).toContain(key);
  });
});
