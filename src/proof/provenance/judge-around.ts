import { groupBy } from '../../base/core/collections.ts';
import { andMore, quoted } from '../../base/core/words.ts';
import type { Code } from '../../base/diagnostics/codes.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import { pathsOfKustomization } from './file-diagnostics.ts';

/** A rule of git for a file: it is left out, or an attribute has a value. */
type Rule =
  | { readonly kind: 'ignored'; readonly path: string; readonly by: string; readonly line: number }
  | { readonly kind: 'attribute'; readonly path: string; readonly name: string; readonly value: string };

/** The changes of a pull request outside of its bundles. Paths are relative to the working folder. */
interface OutsideChanges {
  /** The folder of the bundles. */
  readonly out: string;
  /** The folders of all fleets around it; `null` when the bundles have a folder of their own. */
  readonly fleets: readonly string[] | null;
  /** The files that the topology is read from, those among them that weft writes, and the files below `out/`. */
  readonly read: readonly string[];
  readonly written: readonly string[];
  /** The changed files that the pull request contains, with their texts; `null` for bytes that are no text. */
  readonly changed: ReadonlyMap<string, string | null>;
  /** The changed files that the pull request has removed. */
  readonly removed: readonly string[];
  /** The rules of git for these files; empty when the pull request changes none. */
  readonly rules: readonly Rule[];
  /** Folders with other bundles of the same fleet, when the pull request moves them. */
  readonly left: readonly string[];
}

const SHOWN_PATHS = 3;
const SHOWN_FILES = 10;

/**
 * Diagnostics about changes outside of the bundles that change what is applied, committed or shown of them. Other tools
 * read these files, so no plan contains their effect.
 */
export const judgeAround = (around: OutsideChanges): readonly Diagnostic[] => [
  ...lookalikes(around),
  ...ofNoFleet(around),
  ...readByFlux(around),
  ...kustomizations(around),
  ...ofGit(around),
  ...around.left.map((it) =>
    report(`${it}/addresses.json`, `${it}/ contains bundles of this fleet, too, which nothing compiles any more`, {
      hint: `remove ${it}/ when Argo CD and Flux apply ${around.out}/`,
    }),
  ),
];

/** Files whose paths differ from those of weft only in case: on macOS and Windows, one replaces the other. */
function lookalikes({ out, read, changed }: OutsideChanges): readonly Diagnostic[] {
  const small = new Map([...read, out].map((it) => [it.toLowerCase(), it]));
  const found = [...changed.keys()].flatMap((path) => {
    const of = small.get(path.toLowerCase()) ?? (isBelow(path.toLowerCase(), out.toLowerCase()) ? out : undefined);
    return of === undefined || path === of || isBelow(path, of) ? [] : [{ path, of }];
  });
  return found.slice(0, SHOWN_FILES).map(({ path, of }, i) =>
    report(
      path,
      `the path of this file differs from ${of} only in case, and some file systems ignore case${more(found, i)}`,
      {
        code: 'provenance/added',
        hint: 'remove it, or give it another name',
      },
    ),
  );
}

/** Files between the folders of several fleets: the check of each fleet looks into its own folder. */
function ofNoFleet({ out, fleets, changed }: OutsideChanges): readonly Diagnostic[] {
  if (fleets === null) return [];
  const above = out.slice(0, out.lastIndexOf('/'));
  const found = [...changed.keys()].filter((it) => isBelow(it, above) && !fleets.some((fleet) => isBelow(it, fleet)));
  return found.slice(0, SHOWN_FILES).map((path, i) =>
    report(path, `this file was added by hand: it belongs to the folder of no fleet${more(found, i)}`, {
      code: 'provenance/added',
      hint: `remove it, or move it out of ${above}/`,
    }),
  );
}

/** Source: fluxcd/source-controller docs/spec/v1/gitrepositories.md, "Excluding files". */
const readByFlux = ({ out, changed, removed }: OutsideChanges): readonly Diagnostic[] =>
  [...changed.keys(), ...removed]
    .filter((it) => /(^|\/)\.sourceignore$/.test(it) && isBelow(out, it.slice(0, -'/.sourceignore'.length)))
    .map((path) =>
      report(path, `Flux does not see what this file excludes: it deletes what it had applied of ${out}/`, {
        hint: 'check that it matches no file of weft',
      }),
    );

const kustomizations = ({ out, changed }: OutsideChanges): readonly Diagnostic[] =>
  [...changed].flatMap(([path, text]) => {
    const target = isBelow(path, out)
      ? undefined
      : pathsOfKustomization(path, text ?? '').find((it) => it === out || isBelow(it, out));
    if (target === undefined) return [];
    return report(path, `this kustomization includes ${target}, and may change what is applied of it`, {
      hint: 'check its components, patches and images: weft does not check them',
    });
  });

function ofGit({ rules, read, written }: OutsideChanges): readonly Diagnostic[] {
  const ignored = groupBy(
    rules.filter((it) => it.kind === 'ignored'),
    (it) => [`${it.by}:${it.line}`],
  );
  const attributes = groupBy(
    rules.filter((it) => it.kind === 'attribute').filter((it) => isHarmful(it, { read, written })),
    (it) => [`${it.name}=${it.value}`],
  );
  return [
    ...[...ignored.values()].flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : report(
            first.by,
            `line ${first.line} makes git ignore ${first.path}${andMore(others.length)}, so a new one is not committed`,
            {
              hint: 'remove the line: without the lock, the next compile decides addresses again',
            },
          ),
    ),
    ...[...attributes.values()].flatMap(([first, ...others]) => {
      if (first === undefined) return [];
      const paths = [first, ...others].slice(0, SHOWN_PATHS).map((it) => it.path);
      const files = `${paths.join(', ')}${andMore(others.length + 1 - paths.length)}`;
      return report(
        '.gitattributes',
        `the attribute ${quoted(attributeText(first))} ${EFFECTS[first.name]}: ${files}`,
        {
          hint: 'remove it for these files',
        },
      );
    }),
  ];
}

type Attribute = Extract<Rule, { kind: 'attribute' }>;

const EFFECTS: Readonly<Record<string, string>> = {
  filter: 'makes git check out other bytes than the commit contains',
  'working-tree-encoding': 'makes git check out other bytes than the commit contains',
  diff: 'hides the changes of these files from reviewers',
  'linguist-generated': 'folds these files in reviews',
};

/** weft itself marks what it writes as generated. */
function isHarmful(
  { path, name, value }: Attribute,
  { read, written }: Pick<OutsideChanges, 'read' | 'written'>,
): boolean {
  switch (name) {
    case 'diff':
      return value === 'unset';
    case 'linguist-generated':
      return ['set', 'true'].includes(value) && read.includes(path) && !written.includes(path);
    case 'working-tree-encoding':
      return value !== 'unset' && !/^utf-?8$/i.test(value);
    default:
      return value !== 'unset';
  }
}

const attributeText = ({ name, value }: Attribute): string =>
  value === 'unset' ? `-${name}` : value === 'set' ? name : `${name}=${value}`;

/** The last of the shown reports counts the others. */
const more = (found: readonly unknown[], index: number): string =>
  index === SHOWN_FILES - 1 ? andMore(found.length - SHOWN_FILES) : '';

/** Folders above the working folder contain everything below it. */
const isBelow = (path: string, folder: string): boolean =>
  /^(\.\.(\/|$))*$/.test(folder) ? !path.startsWith('../') : path.startsWith(`${folder}/`);

function report(
  path: string,
  message: string,
  { code = 'provenance/acts-on-files', hint }: { readonly code?: Code; readonly hint: string },
): Diagnostic {
  const source: Source = { path, text: '' };
  return diagnostic(code, startOf(source), message, { hint });
}
