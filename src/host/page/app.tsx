import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countOf } from '../../base/core/words.ts';
import type { Ask, FleetSummary } from './answers.ts';
import { Surroundings } from './parts.tsx';
import { printRoute, type Route, readRoute, VIEWS, type View } from './route.ts';
import { ChangesView } from './views/changes.tsx';
import { EyesView } from './views/eyes.tsx';
import { FilesView } from './views/files.tsx';
import { LinksView, LoansView, PortsView, RoomView } from './views/lists.tsx';
import { LiveView } from './views/live.tsx';
import { MapView } from './views/map.tsx';
import { WalkView } from './views/walk.tsx';
import { WarningsView } from './views/warnings.tsx';
import { WhatIfView } from './views/what-if.tsx';

interface AppProps {
  readonly ask: Ask;
  readonly fleet: FleetSummary;
  /** The name of the page, in the title of its window. */
  readonly page?: string;
  /** The view of an address that names none. A reader of a comparison wants to see what changes. */
  readonly home?: View;
}

const TITLES: Readonly<Record<View, string>> = {
  map: 'Map',
  eyes: 'Whose eyes',
  trace: 'Walk',
  without: 'What if',
  links: 'Links',
  ports: 'Ports',
  room: 'Room',
  loans: 'Loans',
  files: 'Files',
  warnings: 'Remarks',
  changes: 'Before and after',
  live: 'Live',
};

const CONTENTS: Readonly<Record<View, (props: { readonly parts: readonly string[] }) => preact.ComponentChild>> = {
  map: MapView,
  eyes: EyesView,
  trace: WalkView,
  without: WhatIfView,
  links: LinksView,
  ports: PortsView,
  room: RoomView,
  loans: LoansView,
  files: FilesView,
  warnings: WarningsView,
  changes: ChangesView,
  live: LiveView,
};

/** The page: the name of the fleet, the navigation, and the view that the address names. */
export function App({ ask, fleet, page = 'weft report', home = fleet.base === null ? 'map' : 'changes' }: AppProps) {
  const route = useRoute(home);
  const around = useMemo(() => ({ ask, fleet }), [ask, fleet]);
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(true);
  const { view, parts } = route;
  // Readers of screens follow to another view, and stay where they are within one.
  useEffect(() => {
    document.title = `${TITLES[view]} · ${fleet.name} · ${page}`;
    if (!first.current) heading.current?.focus({ preventScroll: true });
    if (!first.current) scrollTo({ top: 0 });
    first.current = false;
  }, [view]);
  const Content = CONTENTS[view];
  return (
    <Surroundings.Provider value={around}>
      <button type="button" class="skip" onClick={() => heading.current?.focus()}>
        Skip to the content
      </button>
      <header>
        <p class="name">{fleet.name}</p>
        <p class="quiet">{countsOf(fleet)}</p>
      </header>
      <nav aria-label="Views">
        {VIEWS.filter((it) => isShown(it, fleet)).map((it) => (
          <a key={it} href={printRoute(it)} aria-current={it === view ? 'page' : undefined}>
            {TITLES[it]}
            {it === 'warnings' && openCount(fleet) > 0 && <span class="count">{openCount(fleet)}</span>}
          </a>
        ))}
      </nav>
      <main id="content">
        <h1 ref={heading} tabIndex={-1}>
          {TITLES[view]}
        </h1>
        <Content parts={parts} />
      </main>
      <footer>
        <p class="quiet">
          Made by weft {fleet.weft}. This page compiles the fleet itself; it loads nothing and sends nothing.
        </p>
      </footer>
      <datalist id="clusters">
        {fleet.clusters.map((it) => (
          <option key={it.cluster} value={it.cluster} />
        ))}
      </datalist>
    </Surroundings.Provider>
  );
}

function useRoute(start: View): Route {
  const [route, follow] = useState(() => readRoute(location.hash, start));
  useEffect(() => {
    const onHash = (): void => follow(readRoute(location.hash, start));
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, [start]);
  return route;
}

const isShown = (view: View, { base, drift, loans }: FleetSummary): boolean =>
  view === 'changes' ? base !== null : view === 'live' ? drift !== null : view !== 'loans' || loans > 0;

const openCount = ({ open }: FleetSummary): number => open.errors + open.warnings;

const countsOf = ({ clusters, links, loans }: FleetSummary): string =>
  [countOf(clusters.length, 'cluster'), countOf(links, 'link'), ...(loans > 0 ? [countOf(loans, 'loan')] : [])].join(
    ', ',
  );
