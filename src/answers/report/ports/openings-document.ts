import {
  destinationsOf,
  type Opening,
  type Place,
  printPortRanges,
  targetInside,
} from '../../../reach/ports/openings.ts';

/** The openings as data. Programs rely on it: keys are added, never removed or changed in meaning. */
interface OpeningsDocument {
  readonly openings: readonly OpeningRow[];
  readonly destinations: readonly DestinationRow[];
}

interface OpeningRow {
  readonly purpose: Opening['purpose'];
  readonly protocol: Opening['protocol'];
  readonly from: string;
  readonly to: string;
  readonly sources: readonly string[];
  readonly address: string | null;
  readonly port: number | null;
  readonly insideAddress: string | null;
  readonly insidePort: number | null;
  readonly nat: boolean;
  readonly behind: readonly Place[];
  readonly decidedBy: Opening['decidedBy'];
  readonly recorded: boolean;
}

interface DestinationRow {
  readonly to: string;
  readonly protocol: Opening['protocol'];
  readonly address: string | null;
  readonly ports: readonly string[];
  readonly chosenFrom: string | null;
}

export const openingsDocument = (openings: readonly Opening[]): OpeningsDocument => ({
  openings: openings.map(openingRow),
  destinations: destinationsOf(openings).map(({ to, protocol, address, ports, range }) => ({
    to,
    protocol,
    address,
    ports: printPortRanges(ports),
    chosenFrom: range === null ? null : `${range.first}-${range.last}`,
  })),
});

function openingRow(opening: Opening): OpeningRow {
  const { purpose, protocol, from, to, sources, dialled, nat, places, decidedBy, recorded } = opening;
  const inside = targetInside(opening);
  return {
    purpose,
    protocol,
    from,
    to,
    sources,
    address: dialled.address,
    port: dialled.port,
    insideAddress: inside.address,
    insidePort: inside.port,
    nat,
    behind: places.map(({ kind, address, port }) => ({ kind, address, port })),
    decidedBy,
    recorded,
  };
}
