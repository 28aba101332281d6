import { describe, expect, it } from 'vitest';
import { type Document, isMap, isScalar, parseAllDocuments, visit } from 'yaml';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printDiagnostics } from '../../../src/answers/report/print-diagnostics.ts';
import { groupBy } from '../../../src/base/core/collections.ts';
import { type Compiled, compile } from '../../../src/compile.ts';
import { verifyBundle } from '../../../src/proof/verify/verify-bundle.ts';
import { type SharingRecording, sharingRecordings } from '../../fleet/sharing/recordings.ts';
import { drawn, runsOf } from '../../support/drawn.ts';
import { compiledGolden } from './verify-golden.ts';

/** A part of one object: what is edited, and how the file looks then. */
interface Edit {
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/** An edit that is made when it is drawn: `null` where it would change nothing. */
interface Candidate {
  readonly path: string;
  readonly make: () => Edit | null;
}

/** A namespace with a name of its own in the provider, one that exists already, and a share without a link or an answer. */
const OTHERS = `
version: 1
name: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome:  { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  milan: { podCIDR: 10.201.0.0/16 }
  oslo:  { podCIDR: 10.202.0.0/16 }
peerings: [[rome, milan]]
sharing:
  - { consumer: rome, provider: milan, auth: credentials, condition: Cordoned, resources: { cpu: 2 } }
  - { consumer: milan, provider: rome, auth: credentials }
  - { consumer: rome, provider: oslo, slices: [{ name: big, class: gpu, resources: { memory: 8Gi } }, { name: small }] }
offloading:
  - { cluster: rome, namespace: demo, to: milan, remoteName: theirs, createNamespace: false }
`;

function othersCompiled(): Compiled {
  const topology = { path: 'topology.yaml', text: OTHERS };
  const outcome = compile({ topology, keys: undefined, lock: undefined }, { relock: [], only: null });
  if (!outcome.ok) throw new Error(printDiagnostics(outcome.diagnostics, { paint: plainPaint, verbose: true }));
  return outcome.value;
}

/** The files of applied objects, and of those that Liqo makes; other tests are about tunnels. */
const isShared = (path: string): boolean =>
  /\/(sharing|offloading|expected)\//.test(path) &&
  !/\/(kustomization|configurations|connections|networks)\.yaml$/.test(path);

const verified = ({ inputs, bundle }: Compiled, ...edits: readonly Edit[]) =>
  verifyBundle({
    files: new Map([...bundle, ...edits.map(({ path, text }) => [path, text] as const)]),
    root: 'out',
    sources: inputs,
    compiled: bundle,
  });

/** Annotations for GitOps tools are compared with the compiled file only. */
const isForTools = (path: readonly unknown[]): boolean => /argoproj\.io|fluxcd\.io/.test(String(path.at(-1)));

/** Every scalar of every shared object with another value, every member removed, and every map with one more member. */
function* editsOf({ bundle }: Compiled): Iterable<Candidate> {
  for (const [path, text] of bundle) {
    if (!isShared(path)) continue;
    for (const [i, whole] of (parseAllDocuments(text) as unknown as readonly Document[]).entries()) {
      for (const place of placesIn(whole)) {
        for (const [verb, change] of CHANGES) {
          const make = (): Edit | null => {
            const documents = parseAllDocuments(text) as unknown as readonly Document[];
            if (!change(documents[i] as Document, place)) return null;
            const edited = documents.map((it) => it.toString({ lineWidth: 0 })).join('---\n');
            return { name: `${verb} ${place.join('.')} of document ${i}`, path, text: edited };
          };
          yield { path, make };
        }
      }
    }
  }
}

type Place = readonly (string | number)[];

/** The values of Liqo's chart for what is shared; others are about the network. */
const isOfSharing = ([first, second, third]: Place): boolean =>
  ['controllerManager', 'offloading', 'storage', 'virtualKubelet'].includes(String(first)) ||
  (first === 'networking' && second === 'reflectIPs') ||
  (first === 'discovery' && third === 'clusterLabels');

function placesIn(document: Document): readonly Place[] {
  const places: Place[] = [[]];
  visit(document, {
    Pair(_, pair, ancestors) {
      const keys = ancestors.flatMap((it, index) => stepOf(it, ancestors[index + 1] ?? pair));
      places.push([...keys, String(pair.key)]);
    },
  });
  return places.filter((it) => !isForTools(it) && (document.has('kind') || isOfSharing(it)));
}

/** The step from a node of a path to the next one. */
function stepOf(node: unknown, next: unknown): readonly (string | number)[] {
  if (typeof node === 'object' && node !== null && 'key' in node) return [String(node.key)];
  const items = typeof node === 'object' && node !== null && 'items' in node ? (node.items as unknown[]) : [];
  return !isMap(node) && items.length > 0 ? [items.indexOf(next)] : [];
}

const CHANGES: readonly (readonly [verb: string, change: (document: Document, place: Place) => boolean])[] = [
  [
    'another value at',
    (document, place) => {
      const node = document.getIn(place, true);
      if (!isScalar(node)) return false;
      document.setIn(place, `${String(node.value)}x`);
      return true;
    },
  ],
  ['nothing at', (document, place) => place.length > 0 && document.deleteIn(place)],
  [
    'one more member in',
    (document, place) => {
      if (place.length > 0 && !isMap(document.getIn(place, true))) return false;
      document.setIn([...place, 'extra'], 'x');
      return true;
    },
  ],
];

const compiledFleets = (): readonly { name: string; compiled: Compiled }[] => [
  { name: 'sharing-of-a-hub-with-its-spokes', compiled: compiledGolden('sharing-of-a-hub-with-its-spokes') },
  { name: 'sharing-with-every-option', compiled: compiledGolden('sharing-with-every-option') },
  { name: 'other wishes', compiled: othersCompiled() },
];

/** One edit of each file at a time: an error is about the file that it is in. */
function* rounds(edits: readonly Candidate[]): Iterable<readonly Candidate[]> {
  const byPath = [...groupBy(edits, (it) => [it.path]).values()];
  const longest = Math.max(...byPath.map((it) => it.length));
  for (let i = 0; i < longest; i++) yield byPath.flatMap((it) => it[i] ?? []);
}

function editsAreReported(compiled: Compiled): void {
  const edits = [...editsOf(compiled)];
  let made = 0;
  for (const candidates of drawn([...rounds(edits)])) {
    const round = candidates.flatMap((it) => it.make() ?? []);
    made += round.length;
    const found = groupBy(verified(compiled, ...round), (it) => [it.span.source.path]);
    for (const { path, name } of round) {
      const ours = found.get(`out/${path}`) ?? [];
      expect(ours.filter((it) => it.code !== 'verify/differs').length, `${path}: ${name}`).toBeGreaterThan(0);
      for (const { message } of ours) expect(message).not.toMatch(/undefined|\[object|\n|\.$|^[A-Z][a-z]/);
    }
  }
  expect(made).toBeGreaterThan(runsOf(100));
}

describe('verify reports every edit of a field of an object of sharing, and not just that the file differs', () => {
  it.each(compiledFleets())('$name', ({ compiled }) => {
    expect(verified(compiled)).toEqual([]);
    editsAreReported(compiled);
  });
});

describe('verify and what real reconcilers accepted', () => {
  it.each(sharingRecordings())('$name has no error', ({ compiled }: SharingRecording) => {
    expect(printDiagnostics(verified(compiled), { paint: plainPaint, verbose: true })).toBe('');
  });
});

describe('verify reports a Secret that is more than a nonce', () => {
  const compiled = compiledGolden('sharing-of-a-hub-with-its-spokes');
  const path = 'milan/sharing/rome.yaml';
  const text = compiled.bundle.get(path) ?? '';
  const KEY = 'LS0tLS1CRUdJTiBQUklWQVRFIEtFWS0tLS0tCg==';

  it.each([
    ['another member of data', text.replace('\ndata:\n', `\ndata:\n  privateKey: ${KEY}\n`)],
    ['stringData', text.replace('type: Opaque\n', `type: Opaque\nstringData: { token: "${KEY}" }\n`)],
    ['another name', text.replace('name: liqo-nonce', 'name: liqo-keys')],
    ['no data', text.replace(/data:\n {2}nonce: .*\n/, '')],
  ])('%s', (name, edited) => {
    expect(edited).not.toBe(text);
    const found = verified(compiled, { name, path, text: edited });
    expect(found.map((it) => it.code)).toContain('verify/secret');
  });

  it('in the file of a consumer, whose provider has none', () => {
    const other = 'rome/sharing/milan.yaml';
    const nonce = text.split('---\n')[0]?.replaceAll('rome', 'milan') ?? '';
    const edited = `${nonce}---\n${compiled.bundle.get(other)}`;
    const found = verified(compiled, { name: 'nonce', path: other, text: edited });
    expect(found.map((it) => it.code)).toContain('verify/secret');
  });
});
