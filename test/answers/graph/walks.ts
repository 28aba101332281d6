import { type WalkPicture, walkPicture } from '../../../src/answers/graph/walk/walk-picture.ts';
import type { SharedModel } from '../../../src/fleet/sharing/shared-model.ts';
import { type Trace, trace } from '../../../src/reach/trace/trace.ts';
import { drawn, RUNS_ALL } from '../../support/drawn.ts';
import { compiledFleets } from '../../support/fleets.ts';
import { HOSTILE } from '../../support/hostile-text.ts';

export const pictureOf = (it: Trace): WalkPicture =>
  walkPicture(it, {
    title: `${it.from.cluster} to ${it.to.cluster}`,
    summary: it.fate.kind,
    ruleText: ({ rule }) => rule.name,
  });

export const walked = (model: SharedModel, from: string, to: string, more: object = {}): WalkPicture =>
  pictureOf(
    trace(model, {
      from: { cluster: from, address: null },
      to: { kind: 'cluster', cluster: to, address: null },
      ...more,
    }),
  );

/** The walks between two clusters differ in names and addresses only, but for those with hubs: few have all kinds. */
const MOST_CLUSTERS = RUNS_ALL ? 5 : 3;

/** Every walk of some fleets, also from nodes. */
export const walks = (): readonly WalkPicture[] =>
  drawn(compiledFleets()).flatMap(({ compiled: { model } }) => {
    const names = [...model.clusters.keys()].slice(0, MOST_CLUSTERS);
    return names.flatMap((from) =>
      names.flatMap((to) => [walked(model, from, to), walked(model, from, to, { fromNode: true })]),
    );
  });

/** A walk whose every text is hostile. */
export function hostileWalk(): WalkPicture {
  const texts = Object.values(HOSTILE);
  return {
    ...{ title: texts.join(' '), summary: texts.join(' '), lost: texts.join(' ') },
    stops: texts.map((it) => ({ cluster: it, title: it, there: [it], back: [it] })),
    wires: texts.slice(1).map((it) => ({ by: it, there: it, back: it, isTunnel: true })),
  };
}
