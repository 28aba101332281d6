import { visibleFields } from '../../base/core/visible-text.ts';
import { shellWord } from '../../base/core/words.ts';
import { alignRows } from './layout.ts';

interface Started {
  readonly folder: string;
  readonly written: readonly string[];
  readonly extended: readonly string[];
  /** The command that makes the package of weft that the jobs need; `null` where they run a release. */
  readonly packing: string | null;
  /** True when the folder is in a git repository. */
  readonly inRepository: boolean;
  /** A topology that editors do not check yet, and its missing first line. */
  readonly unchecked: { readonly topology: string; readonly line: string } | null;
  /** The folder of the guides for users. */
  readonly docs: string;
}

/** Printed after `weft init`. */
export function printStarted(started: Started): string {
  const { folder, written, extended, packing, inRepository, unchecked, docs } = visibleFields(started);
  const inside = folder === '.' ? '' : `cd ${shellWord(folder)} && `;
  const packed =
    packing === null
      ? []
      : ['', 'This weft is no release: commit its package, which the jobs run.', `  ${inside}${packing}`];
  if (written.every((it) => /\/(drift|steps)\.yml$/.test(it))) return scheduledStarted(written, packed);
  const there = packing === null ? inside : '';
  return [
    ...written.map((it) => `wrote ${it}`),
    ...extended.map((it) => `added lines to ${it}`),
    ...(written.some((it) => it.endsWith('.gitlab/ci/weft.yml'))
      ? ['', 'Include the jobs in .gitlab-ci.yml:', '  include:', '    - local: .gitlab/ci/weft.yml']
      : []),
    ...packed,
    '',
    ...(written.some((it) => /(^|\/)topologies\//.test(it))
      ? [
          'Put your clusters into the topology, then:',
          ...alignRows([
            [`  ${there}weft plan`, '# the whole way, step by step'],
            ['  weft keys generate --secrets-dir ~/weft-secrets', '# private keys stay outside of git'],
            ['  weft compile', '# writes out/'],
            [
              `  ${inRepository ? '' : 'git init && '}git add --all && git commit`,
              '# Argo CD or Flux apply out/ from git',
            ],
            ['  weft drift --wait 10m --context CLUSTER', '# with each cluster: proves that all of it is there'],
          ]),
          `${docs}/first-fleet.md shows all of it, up to a connected fleet.`,
        ]
      : [
          ...(unchecked === null
            ? []
            : [`Editors check ${unchecked.topology} if its first line is:`, `  ${unchecked.line}`]),
          'The topology that is there stays. Next:',
          `  ${there}weft  # the state of the fleet, and what is left to do`,
        ]),
    '',
  ].join('\n');
}

interface Refreshed {
  readonly written: readonly string[];
  readonly current: readonly string[];
}

/** Printed after `weft init --schema`. */
export function printRefreshed(refreshed: Refreshed): string {
  const { written, current } = visibleFields(refreshed);
  return [...written.map((it) => `wrote ${it}`), ...current.map((it) => `${it} is up to date`), ''].join('\n');
}

const scheduledStarted = (written: readonly string[], packed: readonly string[]): string =>
  [
    ...written.map((it) => `wrote ${it}`),
    '',
    'Put the contexts of your clusters into it, and add the secret DRIFT_KUBECONFIG.',
    ...packed,
    '',
  ].join('\n');
