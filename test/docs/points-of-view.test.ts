import { expect, it } from 'vitest';
import { PICTURE_STYLE } from '../../src/answers/graph/svg/markup.ts';
import { containsAddress, moveHost } from '../../src/base/net/prefix.ts';
import { printAddress, printPrefix, readAddress } from '../../src/base/net/text.ts';
import { type AddressedModel, clusterNamed } from '../../src/fleet/ipam/addressed-model.ts';
import { compiledFleets } from '../support/fleets.ts';
import { expectRecordedText } from '../support/recorded.ts';
import { pageAt } from './pages.ts';

/** The pod that the README shows, in milan. */
const [OWNER, POD] = ['milan', '10.202.3.7'] as const;

interface Caller {
  readonly name: string;
  readonly dials: string;
  /** The calling cluster itself has the pod's own address. */
  readonly isTaken: boolean;
}

function callersOf(model: AddressedModel): readonly Caller[] {
  const address = readAddress(POD) ?? Number.NaN;
  return [...model.clusters.values()].map((it) => {
    const view = it.peers.get(OWNER)?.podViews.find(({ cidr }) => containsAddress(cidr, address));
    return {
      name: it.name,
      dials: printAddress(view === undefined ? address : moveHost(address, view.seenAs)),
      isTaken: it.name !== OWNER && it.podCIDRs.some((own) => containsAddress(own.value, address)),
    };
  });
}

const [TOP, ROW] = [92, 62];

/** The topology on the left; on the right one pod, and what each cluster dials for it. */
function drawn(model: AddressedModel): string {
  const callers = callersOf(model);
  const middle = TOP + ((callers.length - 1) * ROW) / 2;
  const networks = callers.map(({ name }, i) => {
    const pods = clusterNamed(model, name).podCIDRs.map((it) => printPrefix(it.value));
    const isShared = callers.some((it) => it.name !== name && pods.join() === podsOf(model, it.name));
    return text([36, TOP + 18 + i * 26], `  ${name.padEnd(8)}${pods.join()}`, isShared ? 'code remapped-text' : 'code');
  });
  const rows = callers.flatMap(({ name, dials, isTaken }, i) => {
    const y = TOP + i * ROW;
    const moved = dials === POD ? '' : ' remapped';
    return [
      `<path class="edge${moved}" d="M510 ${y}L636 ${y}L692 ${middle}" stroke-width="2"/>`,
      `<rect class="cluster" x="400" y="${y - 18}" width="110" height="36" rx="6"/>`,
      text([455, y + 5], name, 'name middle'),
      text([524, y - 8], dials, moved === '' ? 'code' : 'code remapped-text strong'),
      ...(isTaken ? [text([400, y + 38], `${POD} is a pod of ${name}'s own`, 'small remapped-text')] : []),
    ];
  });
  const height = TOP + callers.length * ROW;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 ${height}" width="860" height="${height}" role="img" aria-labelledby="title desc">`,
    '<title id="title">One pod, seen from each cluster</title>',
    `<desc id="desc">${descriptionOf(callers)}</desc>`,
    `<style>${PICTURE_STYLE}.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:14px;white-space:pre}.head{font-size:15px;font-weight:bold}.name{font-size:14px;font-weight:bold}.small{font-size:12px}.strong{font-weight:bold}.middle{text-anchor:middle}</style>`,
    `<rect class="page" width="860" height="${height}" rx="12"/>`,
    text([36, 42], 'One file for the fleet', 'head'),
    text([36, TOP - 8], 'clusters:', 'code'),
    ...networks,
    `<path class="edge" d="M286 ${middle}L356 ${middle}" stroke-width="2"/><path class="tip" d="M366 ${middle}l-10 4v-8Z"/>`,
    text([324, middle - 12], 'weft compile', 'small middle'),
    text([400, 42], 'One pod, and what each cluster dials for it', 'head'),
    ...rows,
    `<rect class="hub" x="692" y="${middle - 30}" width="138" height="60" rx="18"/>`,
    text([761, middle - 5], `a pod in ${OWNER}`, 'name middle on-hub'),
    text([761, middle + 16], POD, 'code middle on-hub'),
    '</svg>',
    '',
  ].join('\n');
}

const podsOf = (model: AddressedModel, name: string): string =>
  clusterNamed(model, name)
    .podCIDRs.map((it) => printPrefix(it.value))
    .join();

const text = ([x, y]: readonly [x: number, y: number], words: string, classes: string): string =>
  `<text x="${x}" y="${y}" class="${classes}">${words}</text>`;

const descriptionOf = (callers: readonly Caller[]): string =>
  `A pod in ${OWNER} has the address ${POD}. ${callers
    .filter((it) => it.name !== OWNER)
    .map((it) => `${it.name} dials ${it.dials}`)
    .join(', ')}.`;

it('the picture in the README is that of the example, and so are the words for those who cannot see it', () => {
  const example = compiledFleets().find((it) => it.name === 'topologies/topology.yaml');
  if (example === undefined) throw new Error('the example does not compile');
  const { model } = example.compiled;
  expect(callersOf(model).filter((it) => it.dials !== POD)).toEqual([
    { name: 'rome', dials: '10.81.3.7', isTaken: true },
  ]);
  expectRecordedText(new URL('../../.github/points-of-view.svg', import.meta.url), drawn(model));
  expect(pageAt('README.md').text).toContain(`alt="${descriptionOf(callersOf(model))}"`);
});
