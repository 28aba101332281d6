import { Coded } from '../markdown.tsx';
import { Answered, Cluster, Net, Table, useAnswer } from '../parts.tsx';

/** Every link of the fleet: who dials whom, and with which keys. */
export function LinksView() {
  return (
    <Answered asked={useAnswer('links', undefined)}>
      {(links) => (
        <Table
          caption="Each link is one WireGuard tunnel: one end dials, the other listens"
          rows={links}
          empty="The fleet has no links."
          textOf={(it) => `${it.client} ${it.server} ${it.kind} ${it.dials} ${it.isRemapped ? 'remapped' : ''}`}
          columns={[
            { title: 'Dials', cell: (it) => <Cluster name={it.client} /> },
            { title: 'Listens', cell: (it) => <Cluster name={it.server} /> },
            { title: 'At', cell: (it) => <Net>{it.dials}</Net> },
            { title: 'MTU', cell: (it) => it.mtu },
            { title: 'Kind', cell: (it) => (it.isRemapped ? `${it.kind}, remapped` : it.kind) },
            { title: 'Public keys', cell: (it) => <Keys of={it.keys} /> },
          ]}
        />
      )}
    </Answered>
  );
}

interface KeysProps {
  readonly of: readonly { readonly cluster: string; readonly key: string | null; readonly isUnknown: boolean }[];
}

const Keys = ({ of }: KeysProps) => (
  <>
    {of.map(({ cluster, key, isUnknown }) => (
      <span key={cluster} class="seen">
        {cluster} {key === null ? isUnknown ? 'has a key that is not known here' : 'has none' : <code>{key}</code>}
      </span>
    ))}
  </>
);

/** The ports that firewalls must open, in the words of `weft ports`. */
export function PortsView() {
  return (
    <Answered asked={useAnswer('ports', undefined)}>
      {({ openings, destinations, remarks }) => (
        <>
          <WordTable caption="What firewalls between the clusters must allow" table={openings} empty="Nothing." />
          {destinations.rows.length > 0 && <WordTable caption="By address" table={destinations} empty="" />}
          <Remarks texts={remarks} />
        </>
      )}
    </Answered>
  );
}

const Remarks = ({ texts }: { readonly texts: readonly string[] }) => (
  <>
    {texts.map((it) => (
      <p key={it}>
        <Coded text={it} />
      </p>
    ))}
  </>
);

interface WordTableProps {
  readonly caption: string;
  readonly empty: string;
  readonly table: { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] };
}

const WordTable = ({ caption, empty, table: { titles, rows } }: WordTableProps) => (
  <Table<readonly string[]>
    caption={caption}
    rows={rows}
    empty={empty}
    textOf={(it) => it.join(' ')}
    columns={titles.map((title, i) => ({
      title: `${title.charAt(0)}${title.slice(1).toLowerCase()}`,
      cell: (row) => (ADDRESSES.has(title) ? <Net>{row[i] ?? ''}</Net> : (row[i] ?? '')),
    }))}
  />
);

const ADDRESSES: ReadonlySet<string> = new Set(['ADDRESS', 'AT ADDRESS']);

/** The room that is left, and what the next cluster costs, in the words of `weft view forecast`. */
export function RoomView() {
  return (
    <Answered asked={useAnswer('room', undefined)}>
      {({ room, next, remarks }) => (
        <>
          <WordTable
            caption="What is left in clusters that others have joined"
            table={room}
            empty="No cluster has joined another one."
          />
          {next.rows.length > 0 && (
            <WordTable caption="The next cluster, if it joins like one of these" table={next} empty="" />
          )}
          <Remarks texts={remarks} />
        </>
      )}
    </Answered>
  );
}

/** Resources that clusters lend to each other, and the namespaces that they offload. */
export function LoansView() {
  return (
    <Answered asked={useAnswer('loans', undefined)}>
      {({ loans, namespaces }) => (
        <>
          <Table
            caption="Loans: pods of the borrower run in the lender"
            rows={loans}
            empty="No cluster lends anything."
            textOf={(it) => `${it.consumer} ${it.provider} ${it.slice}`}
            columns={[
              { title: 'Borrows', cell: (it) => <Cluster name={it.consumer} /> },
              { title: 'Lends', cell: (it) => <Cluster name={it.provider} /> },
              { title: 'Slice', cell: (it) => it.slice },
              { title: 'Resources', cell: (it) => it.resources },
              { title: 'Certificate ends', cell: (it) => it.ends ?? 'not recorded' },
              { title: 'Remarks', cell: (it) => it.remarks },
            ]}
          />
          <Table
            caption="Offloaded namespaces"
            rows={namespaces}
            empty="No namespace is offloaded."
            textOf={(it) => `${it.cluster} ${it.namespace} ${it.providers.join(' ')}`}
            columns={[
              { title: 'Cluster', cell: (it) => <Cluster name={it.cluster} /> },
              { title: 'Namespace', cell: (it) => it.namespace },
              { title: 'Pods', cell: (it) => it.pods },
              {
                title: 'Providers',
                cell: (it) => (it.providers.length === 0 ? 'no cluster' : it.providers.join(', ')),
              },
              { title: 'Name there', cell: (it) => it.remoteName },
            ]}
          />
        </>
      )}
    </Answered>
  );
}
