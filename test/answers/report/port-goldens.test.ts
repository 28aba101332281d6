import { describe, expect, it } from 'vitest';
import { diagnosticsDocument, printJson } from '../../../src/answers/report/diagnostics-document.ts';
import { plainPaint } from '../../../src/answers/report/paint.ts';
import { printIptables, printNftables } from '../../../src/answers/report/ports/firewall-rules.ts';
import {
  openingsDocument,
  printOpenings,
  printOpeningsCsv,
  printOpeningsMarkdown,
} from '../../../src/answers/report/ports/openings.ts';
import { type Opening, openingsBetween, openingsOf } from '../../../src/reach/ports/openings.ts';
import { type CompiledFleet, compiledFleets } from '../../support/fleets.ts';
import { iptablesAvailable, iptablesProblem } from '../../support/iptables.ts';
import { faultsOf, fileOf } from '../../support/json-documents.ts';
import { nftAvailable, nftProblems } from '../../support/nft.ts';
import { expectRecorded } from '../../support/recorded.ts';

const fleets = compiledFleets();

/** Each fleet with the clusters and the pairs whose ports are recorded; the fleet itself is, too. */
const RECORDED: readonly (readonly [fleet: string, ...shown: readonly string[]])[] = [
  ['topologies/topology.yaml', 'rome', 'milan', 'rome milan'],
  ['ends-behind-nat', 'hub', 'store plant'],
  ['links-with-services-of-their-own', 'hub', 'rome cloud'],
  ['load-balancers-of-a-cloud-on-1.2', 'europe'],
  ['sharing-of-a-hub-with-its-spokes', 'rome', 'milan'],
  ['sharing-with-every-option'],
  ['gateways-customised-on-1.2', 'quiet'],
];

/** The addresses that packets of these clusters come from. */
const SOURCES = new Map([
  ['rome', ['198.51.100.7', '198.51.100.0/28']],
  ['plant', ['192.0.2.0/24']],
]);

function openingsIn({ compiled }: CompiledFleet, clusters: readonly string[] = []): readonly Opening[] {
  const { model, inputs } = compiled;
  return openingsBetween(openingsOf(model, { sources: SOURCES, decisions: inputs.decisions }), clusters);
}

function fleetNamed(name: string): CompiledFleet {
  const fleet = fleets.find((it) => it.name === name);
  if (fleet === undefined) throw new Error(`there is no fleet ${name}`);
  return fleet;
}

/** The rules of every cluster of a fleet that has a link. */
function ruleScopes(fleet: CompiledFleet) {
  return [...fleet.compiled.model.clusters.keys()].map((cluster) => ({
    fleet: fleet.compiled.model.fleet.name,
    cluster,
    peer: null,
    openings: openingsIn(fleet, [cluster]),
  }));
}

it('ports are as recorded, in every form', () => {
  const files = new Map<string, string>();
  for (const [name, ...shown] of RECORDED) {
    const fleet = fleetNamed(name);
    const file = name.replace(/^topologies\/|\.yaml$/g, '');
    const lists = ['', ...shown].map((names) => {
      const clusters = names === '' ? [] : names.split(' ');
      return { names, clusters, openings: openingsIn(fleet, clusters) };
    });
    files.set(
      `${file}.txt`,
      lists.map((it) => `$ weft ports ${it.names}\n${printOpenings(it, plainPaint)}`).join('\n'),
    );
    files.set(`${file}.md`, lists.map(printOpeningsMarkdown).join('\n'));
    // The line ends of CSV are those of its test; git would change them.
    files.set(`${file}.csv`, printOpeningsCsv(openingsIn(fleet)).replaceAll('\r\n', '\n'));
    const [first = ''] = shown;
    const rules = ruleScopes(fleet).find((it) => it.cluster === first);
    if (rules === undefined) continue;
    files.set(`${file}.nft`, printNftables(rules));
    files.set(`${file}.iptables`, printIptables(rules));
  }
  expectRecorded(new URL('./golden-ports/', import.meta.url), files);
});

describe('the ports of every fleet', () => {
  it('are what the schema describes', () => {
    for (const fleet of fleets) {
      const document = { ...diagnosticsDocument([]), ...openingsDocument(openingsIn(fleet)) };
      expect(faultsOf(fileOf('ports'), JSON.parse(printJson(document))), fleet.name).toEqual([]);
    }
  });

  it('fit into 80 columns where names are short', () => {
    for (const fleet of fleets) {
      const openings = openingsIn(fleet);
      if (openings.some(({ from, to, dialled }) => /.{20}/.test(from + to) || /.{16}/.test(dialled.address ?? '')))
        continue;
      for (const line of printOpenings({ openings, clusters: [] }, plainPaint).split('\n')) {
        expect(line.length, `${fleet.name}: ${line}`).toBeLessThanOrEqual(80);
      }
    }
  });

  it.skipIf(!nftAvailable() && !process.env['CI'])('are rules that nft takes (skipped without nft or root)', () => {
    const texts = fleets.flatMap(ruleScopes).map(printNftables);
    expect(nftProblems(texts)).toBe('');
    // Loading the rules again replaces them, and does not fail because they are there.
    expect(nftProblems([texts[0]?.repeat(2) ?? ''])).toBe('');
    expect(nftProblems([(texts[0] ?? '').replace('add table', 'add tabel')])).not.toBe('');
  });

  it.skipIf(!iptablesAvailable() && !process.env['CI'])(
    'are rules that iptables-restore takes (skipped without iptables or root)',
    () => {
      const names = [...RECORDED.map(([name]) => name), 'names-that-look-like-something-else'];
      const scopes = names.flatMap((name) => ruleScopes(fleetNamed(name)));
      for (const it of scopes) expect(iptablesProblem(printIptables(it)), it.cluster).toBe('');
      expect(iptablesProblem('*filter\n-A no.such.chain -j ACCEPT\nCOMMIT\n')).not.toBe('');
    },
  );
});
