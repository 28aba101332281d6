import { changeDocument } from '../../src/answers/report/plan/plan-answer.ts';
import { DEFAULT_IMAGE_REGISTRY } from '../../src/base/releases/install-defaults.ts';
import type { Plan } from '../../src/plan/plan-changes.ts';
import { type ManifestLines, readManifestLines } from '../../src/plan/read-manifest-lines.ts';
import type { EditRun } from './run-edit.ts';

/** One line of an object that is applied, with a new value. */
interface NewLine {
  readonly file: string;
  readonly object: string;
  /** Its path without positions in lists. */
  readonly at: string;
  readonly value: string;
  readonly isNewObject: boolean;
  /** The parts of the values that it replaces. */
  readonly parts: ReadonlySet<string>;
}

type Values = ReadonlyMap<string, ReadonlySet<string>>;

type Side = Pick<EditRun['before'], 'bundle' | 'model'>;

/** Files that nothing applies as objects: what is expected, rulesets to look at, and lists of other files. */
const NOT_APPLIED = /^addresses\.json$|\/(expected|unordered|nftables)\/|\/?kustomization\.yaml$/;

function objectsIn(text: string | undefined): ReadonlyMap<string, Values> {
  const found = new Map<string, Map<string, Set<string>>>();
  for (const lines of text === undefined ? [] : readManifestLines(text)) {
    const object = found.get(nameOf(lines)) ?? new Map<string, Set<string>>();
    found.set(nameOf(lines), object);
    for (const [path, value] of lines) {
      const at = path.replace(/\.\d+(?=\.|$)/g, '');
      object.set(at, (object.get(at) ?? new Set()).add(value));
    }
  }
  return found;
}

const nameOf = (it: ManifestLines): string =>
  ['kind', 'metadata.namespace', 'metadata.name'].map((key) => it.get(key) ?? '').join('/');

const kindOf = ({ object, at }: NewLine): string => `${object.split('/')[0]} ${at}`;

function* newLines(before: Side, after: Side, { files }: Plan): Iterable<NewLine> {
  for (const { path: file, change } of files) {
    if (change === 'remove' || NOT_APPLIED.test(file)) continue;
    const was = objectsIn(before.bundle.get(file));
    for (const [object, values] of objectsIn(after.bundle.get(file))) {
      const old = was.get(object);
      for (const [at, all] of values)
        for (const value of all)
          if (!old?.get(at)?.has(value))
            yield { file, object, at, value, isNewObject: old === undefined, parts: partsOf(old?.get(at)) };
    }
  }
}

const partsOf = (values: ReadonlySet<string> = new Set()): ReadonlySet<string> =>
  new Set([...values].flatMap((it) => it.split(',')));

/** True when a text has the value as a word of its own: `16` is no part of `10.0.0.0/16`. */
function isWordOf(text: string, value: string): boolean {
  const word = JSON.stringify(value).slice(1, -1);
  for (let i = text.indexOf(word); i !== -1; i = text.indexOf(word, i + 1))
    if (!/[\w.-]/.test(text[i - 1] ?? ' ') && !/[\w-]/.test(text[i + word.length] ?? ' ')) return true;
  return false;
}

/** Lines that follow from a change, and that change, whose own value is named. */
const FOLLOWS: readonly (readonly [lines: RegExp, from: RegExp])[] = [
  // The addresses of what a boundary lets through or refuses, which it names by its clusters.
  [/^(NetworkPolicy|FirewallConfiguration) spec\./, /^boundary-changed/],
  // The place in an order, which `order-changed` names; entry points and annotations repeat it.
  [
    / metadata\.annotations\.argocd\.argoproj\.io\/sync-wave$/,
    /(order|view|names|announced|condition)-|-(added|removed|withdrawn|offloaded|returned|retired)/,
  ],
  [
    /^(Kustomization|ApplicationSet|AppProject) /,
    /^(cluster|order|share|namespace|link|names|view|announced)-|^gitops-changed/,
  ],
  // Proofs of a key or an answer that the same change names.
  [
    / (spec\.(csr|signature|authParams\.signedCRT)|data\.nonce)$/,
    /^(authentication|nonce|identity|request|slice|share)-/,
  ],
  // The images of a release, which is named, and the words of its charts.
  [/\.image$/, /^images-changed/],
  [/^ ipam\.(internal|external)CIDR$/, /^release-changed/],
  // A folder that was found by its name is listed by its name.
  [/^ApplicationSet .*\.path$/, /^delivery-changed .*\/destination$/],
  // The MTU of a link whose gateways have it already.
  [/^ForeignClusterConnection spec\.networking\.mtu$/, /liqo\.shortcutOperator$/],
  // No provider is left.
  [/^NamespaceOffloading spec\.clusterSelector\..*\.operator$/, /^(share-removed|providers-changed|link-removed)/],
];

/** The lines that a plan neither names nor folds under something that it names. */
export function unnamedLines(before: Side, after: Side, plan: Plan): readonly string[] {
  const texts = new Map(plan.changes.map((it) => [it.id, JSON.stringify(changeDocument(it))]));
  const causes = new Map(plan.files.map((it) => [it.path, it.explainedBy]));
  const names = [...new Set([...before.model.clusters.keys(), ...after.model.clusters.keys()])].sort(
    (a, b) => b.length - a.length,
  );
  const anyName = new RegExp(`(?<!\\w)(${names.join('|')})(?!\\w)`, 'g');
  const general = (text: string): string => text.replace(anyName, '{peer}');
  const known = usual(before, general);
  const found = [...newLines(before, after, plan)].filter((line) => {
    const ids = causes.get(line.file) ?? [];
    const text = ids.map((it) => texts.get(it) ?? '').join('\n');
    const isNamed = (value: string): boolean => isWordOf(text, value) || isWordOf(text, general(value));
    if (isNamed(line.value) || line.value.split(/[,=]/).every((it) => it === '' || line.parts.has(it) || isNamed(it)))
      return false;
    const folder = general(line.value)
      .replace(/^\.\//, '')
      .replace(/\/(\{peer\}|[*_]).*$/, '');
    if (folder !== general(line.value) && isNamed(folder)) return false;
    if (FOLLOWS.some(([lines, from]) => lines.test(kindOf(line)) && ids.some((it) => from.test(it)))) return false;
    if (line.at.endsWith('.image') && (isOfRelease(line, after) || isOfNewHealthCheck(line, after))) return false;
    return !(line.isNewObject && (known.has(`${kindOf(line)} ${general(line.value)}`) || !CHOSEN.test(kindOf(line))));
  });
  return [
    ...new Set(
      found.map(
        (it) =>
          `${kindOf(it)}: ${it.value.slice(0, 80)} (${[...new Set((causes.get(it.file) ?? []).map((id) => id.split(' ')[0]))]})`,
      ),
    ),
  ];
}

/** True for an image of the release that the cluster runs. */
const isOfRelease = ({ file, value }: NewLine, { model }: Side): boolean =>
  value.startsWith(DEFAULT_IMAGE_REGISTRY) &&
  value.endsWith(`:v${model.clusters.get(file.split('/')[0] ?? '')?.release.version}`);

/** True for the container that the chart of a release before 1.2 adds to gateways on EKS, in a template that is new. */
const isOfNewHealthCheck = ({ file, value, isNewObject }: NewLine, { model }: Side): boolean =>
  isNewObject && value === 'nginx' && model.clusters.get(file.split('/')[0] ?? '')?.platform?.value === 'eks';

/** Lines of the first object of a kind in a fleet that people choose. The others are constants of weft. */
const CHOSEN =
  /^\S+ (spec\.(endpoint\.(addresses|port|serviceType|nodePort|loadBalancerIP)|mtu|publicKey|remote\.cidr|serviceAnnotations|resources|class|networking\.mtu)|.*\.image$)|^\S* (ipam|apiServer|discovery|networking|offloading|virtualKubelet)\./;

/** The lines that other objects of each kind have had before. */
function usual(before: Side, general: (text: string) => string): ReadonlySet<string> {
  const found = new Set<string>();
  for (const [path, text] of before.bundle) {
    if (NOT_APPLIED.test(path)) continue;
    for (const [object, values] of objectsIn(text))
      for (const [at, all] of values) for (const it of all) found.add(`${object.split('/')[0]} ${at} ${general(it)}`);
  }
  return found;
}
