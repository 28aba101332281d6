import { visibleText } from '../../base/core/visible-text.ts';
import { countOf, someOf } from '../../base/core/words.ts';
import type { ChangeGroup, Moves } from '../../live/import/changes/change-group.ts';
import { PAUSE_SECONDS, type TunnelPauses } from '../../live/import/changes/tunnel-pauses.ts';
import { changeWords } from './imported/change-words.ts';
import type { ImportReport } from './imported/import-report.ts';
import { takeoverSteps } from './imported/takeover-steps.ts';
import type { Paint } from './paint.ts';

/** `weft import`: what was written, what applying it would change and why, and how a GitOps tool takes the objects over. */
export function printImported(report: ImportReport, paint: Paint): string {
  const { written, isCheck, clusters, links, compared, groups } = report;
  return [
    ...written.map((it) => `${isCheck ? 'would write' : 'wrote'} ${visibleText(it)}`),
    `${countOf(clusters, 'cluster')}, ${countOf(links, 'link')}; ${countOf(compared, 'object')} compared with what these files compile to`,
    '',
    ...(groups.length === 0
      ? ['applying the bundles would change nothing']
      : [
          'what applying the bundles would change in the clusters, and why:',
          ...groups.flatMap((it) => groupLines(it, paint)),
        ]),
    '',
    movesLine(report.moves, paint),
    ...pauseLines(report.pauses, paint),
    '',
    ...takeoverSteps(report).map((it) => visibleText(it)),
    ...(isCheck ? ['', 'nothing was written: run it again without --check'] : []),
    '',
  ].join('\n');
}

const CLUSTERS_SHOWN = 4;

function groupLines(it: ChangeGroup, paint: Paint): readonly string[] {
  const mark = it.effect === 'nothing' ? paint.quiet('-') : paint.warning('!');
  const { cluster, object, path } = it.example;
  const place = `${object.kind} ${object.namespace === null ? '' : `${object.namespace}/`}${object.name}`;
  const field = path.length === 0 ? '' : `, ${path.join('.')}`;
  return [
    `  ${mark} ${changeWords(it)}`,
    `    ${paint.quiet(visibleText(`in ${someOf(it.clusters, CLUSTERS_SHOWN)}; for instance ${place} in ${cluster}${field}`))}`,
  ];
}

function movesLine({ views, ports, restarts, keys }: Moves, paint: Paint): string {
  const counts = `${countOf(views, 'view')}, ${countOf(ports, 'port')}, ${countOf(restarts, 'restart')}`;
  const isNothing = views + ports + restarts + keys === 0;
  if (isNothing) return `${paint.good('nothing would move')}: ${counts}`;
  return `${paint.warning('would move')}: ${counts}${keys === 0 ? '' : `, ${countOf(keys, 'key')}`}`;
}

function pauseLines({ tunnels, servers }: TunnelPauses, paint: Paint): readonly string[] {
  if (tunnels === 0) return [];
  return [
    `${paint.warning('!')} ${countOf(tunnels, 'tunnel')} ${tunnels === 1 ? 'carries' : 'carry'} nothing once, for about ${PAUSE_SECONDS} seconds, when Argo CD or Flux marks the PublicKeys:`,
    `  ${visibleText(someOf(servers, CLUSTERS_SHOWN))}: as a server, Liqo before 1.2 forgets its client at any change of a PublicKey, also of its annotations alone`,
  ];
}
