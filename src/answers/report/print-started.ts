import { visibleFields } from '../../base/core/visible-text.ts';
import { shellWord } from '../../base/core/words.ts';
import { alignRows } from './layout.ts';

interface Started {
  readonly folder: string;
  readonly written: readonly string[];
  readonly extended: readonly string[];
}

/** Printed after `weft init`. */
export function printStarted(started: Started): string {
  const { folder, written, extended } = visibleFields(started);
  if (written.every((it) => it.endsWith('drift.yml'))) return driftStarted(written);
  const isGitLab = written.some((it) => /(^|\/)\.gitlab(-ci\.yml|\/ci\/weft\.yml)$/.test(it));
  const weft = isGitLab ? 'the image of weft into the jobs' : 'the commit of weft into the workflow';
  const inside = folder === '.' ? '' : `cd ${shellWord(folder)} && `;
  return [
    ...written.map((it) => `wrote ${it}`),
    ...extended.map((it) => `added lines to ${it}`),
    ...(written.some((it) => it.endsWith('.gitlab/ci/weft.yml'))
      ? ['', 'Include the jobs in .gitlab-ci.yml:', '  include:', '    - local: .gitlab/ci/weft.yml']
      : []),
    '',
    ...(written.some((it) => /(^|\/)topologies\//.test(it))
      ? [
          `Put your clusters into the topology and ${weft}, then:`,
          ...alignRows([
            [`  ${inside}weft plan`, '# the whole way, step by step'],
            ['  weft keys generate --secrets-dir ~/weft-secrets', '# private keys stay outside of git'],
            ['  weft compile', '# writes out/'],
            ['  git add --all && git commit', '# Argo CD or Flux apply out/ from git'],
          ]),
          'docs/first-fleet.md of weft shows all of it, up to a connected fleet.',
        ]
      : [`The topology that is there stays. Put ${weft}, then:`, `  ${inside}weft compile`]),
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

const driftStarted = (written: readonly string[]): string =>
  [
    ...written.map((it) => `wrote ${it}`),
    '',
    'Put the commit of weft and the contexts of your clusters into it, and add the secret DRIFT_KUBECONFIG.',
    '',
  ].join('\n');
