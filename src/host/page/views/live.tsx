import type { FleetSummary } from '../answers.ts';
import { Cluster, Problem, Table, useSurroundings } from '../parts.tsx';

type Drift = NonNullable<FleetSummary['drift']>;

const STATES: Readonly<Record<Drift['clusters'][number]['state'], string>> = {
  same: 'as compiled',
  waiting: 'not there yet',
  drift: 'drift',
};

/** Live clusters compared with the bundles, as `weft drift` found them when the page was made. */
export function LiveView() {
  const { drift, uncompared } = useSurroundings().fleet;
  if (drift === null) return <p>The page was made without live clusters: weft report --context NAME.</p>;
  const problems = drift.clusters.flatMap(({ cluster, problems: all }) => all.map((it) => ({ cluster, ...it })));
  return (
    <>
      {uncompared.map(({ message, hint }) => (
        <Problem key={message} text={message} hint={hint} />
      ))}
      <Table
        caption="Clusters that were compared when this page was made"
        rows={drift.clusters}
        columns={[
          { title: 'Cluster', cell: (it) => <Cluster name={it.cluster} /> },
          { title: 'State', cell: (it) => STATES[it.state] },
          { title: 'Objects', cell: (it) => `${it.there} of ${it.compared}` },
          { title: 'Waits for', cell: (it) => it.waitsFor ?? '' },
        ]}
      />
      {drift.others.length > 0 && <p class="quiet">Not compared: {drift.others.join(', ')}.</p>}
      <Table
        caption="Problems"
        rows={problems}
        empty={uncompared.length === 0 ? 'No drift.' : 'No drift in what was compared.'}
        textOf={(it) => `${it.cluster} ${it.peer ?? ''} ${it.code} ${it.message}`}
        columns={[
          { title: 'Cluster', cell: (it) => <Cluster name={it.cluster} /> },
          { title: 'Problem', cell: (it) => it.message },
          { title: 'Hint', cell: (it) => it.hint ?? '' },
          { title: 'Details', cell: (it) => it.details.join('; ') },
          { title: 'Code', cell: (it) => <code>{it.code}</code> },
        ]}
      />
    </>
  );
}
