import type { ComponentChildren } from 'preact';
import type { AnswerTo } from '../answers.ts';
import { Answered, Cluster, ClusterPicker, Net, Table, useAnswer, useSurroundings } from '../parts.tsx';
import { Picture } from '../picture.tsx';
import { printRoute } from '../route.ts';

type Seen = AnswerTo<'seen'>;

/** The fleet as one cluster sees it: `#eyes=rome`. */
export function EyesView({ parts }: { readonly parts: readonly string[] }) {
  const { fleet } = useSurroundings();
  const [named] = parts;
  const viewer = fleet.clusters.some((it) => it.cluster === named) ? named : fleet.viewer;
  if (viewer === undefined || viewer === null) return <p>The fleet has no clusters.</p>;
  return (
    <>
      {named !== undefined && named !== viewer && <p class="notice">The fleet has no cluster “{named}”.</p>}
      <ClusterPicker
        label="Addresses as seen by"
        value={viewer}
        onPick={(it) => {
          location.hash = printRoute('eyes', it);
        }}
      />
      <ViewOf key={viewer} viewer={viewer} />
    </>
  );
}

function ViewOf({ viewer }: { readonly viewer: string }) {
  const { fleet } = useSurroundings();
  const seen = useAnswer('seen', { cluster: viewer });
  const isLarge = fleet.clusters.length > 60;
  const drawn = useAnswer('map', { viewer, near: isLarge ? [viewer] : [], side: null, without: [] });
  return (
    <>
      <Answered asked={seen}>
        {({ story, view }) =>
          story === null ? (
            <p class="lead">
              {view.peers.length === 0
                ? `${viewer} has no links.`
                : `${viewer} dials pods of its peers at their own addresses: no network is used twice there.`}
            </p>
          ) : (
            <StoryNote story={story}>
              <a href={printRoute('trace', story.viewer, `${story.peer}/${story.pod}`)}>Walk with this packet</a>
            </StoryNote>
          )
        }
      </Answered>
      <Answered asked={drawn}>
        {(drawing) => (
          <Picture drawing={drawing} label={`Map as ${viewer} sees it: ${drawing.summary}`} chosen={viewer} />
        )}
      </Answered>
      <Answered asked={seen}>{(it) => <Addresses seen={it} />}</Answered>
    </>
  );
}

interface StoryProps {
  readonly story: NonNullable<Seen['story']>;
  readonly children: ComponentChildren;
}

/** The reason for two networks of one cluster, with one packet of this fleet. */
export function StoryNote({ story, children }: StoryProps) {
  const { viewer, peer, cidr, seenAs, takenBy, pod, dialled } = story;
  return (
    <section class="story" aria-label="What is remapped">
      <p class="lead">
        {viewer} calls the pods of {peer} <Net isMoved>{seenAs}</Net>, although {peer} itself numbers them{' '}
        <Net>{cidr}</Net>.
      </p>
      <p>
        {takenBy === null
          ? `Liqo gave ${peer} this network in ${viewer} when the two were joined, and keeps it.`
          : `In ${viewer} that range means something else already: ${takenBy}. One address cannot lead to two places, so Liqo gives ${peer} another range there.`}{' '}
        Their gateways translate: what a pod of {viewer} sends to <Net isMoved>{dialled}</Net> reaches the pod that{' '}
        {peer} knows as <Net>{pod}</Net>. {children}.
      </p>
    </section>
  );
}

type PeerRow = Seen['view']['peers'][number];

function Addresses({ seen: { view, legend, marks, closed } }: { readonly seen: Seen }) {
  const { cluster, peers, indirect } = view;
  const marksOf = new Map(peers.map((it, i) => [it, marks[i] ?? []]));
  return (
    <>
      <p>
        {cluster} itself: pods <Nets of={view.podCIDRs} />, Services <Net>{view.serviceCIDR}</Net>, external{' '}
        <Net>{view.externalCIDR}</Net>, Liqo {view.liqo}.
      </p>
      <Table<PeerRow>
        caption={`What ${cluster} dials, and what its peers dial`}
        rows={peers}
        empty={view.retired ? 'It is retired: no cluster has a link to it.' : 'It has no links.'}
        textOf={(it) => `${it.peer} ${it.link} ${it.views.map((one) => `${one.cidr} ${one.seenAs}`).join(' ')}`}
        columns={[
          { title: 'Peer', cell: (it) => <Cluster name={it.peer} /> },
          { title: `Its pods, seen by ${cluster}`, cell: (it) => <SeenNets views={it.views} kind="pod" /> },
          { title: 'Its external CIDR', cell: (it) => <SeenNets views={it.views} kind="external" /> },
          { title: `Pods of ${cluster}, seen by it`, cell: (it) => <SeenNets views={it.seenBy.views} kind="pod" /> },
          { title: 'Link', cell: (it) => `${it.link}, ${it.role}` },
          { title: 'Remarks', cell: (it) => marksOf.get(it)?.join(', ') },
        ]}
      />
      {legend.map((it) => (
        <p key={it} class="quiet">
          {it}
        </p>
      ))}
      {closed.length > 0 && (
        <Table
          caption={`What may enter ${cluster} over closed links`}
          rows={closed}
          textOf={(it) => it.join(' ')}
          columns={[
            { title: 'Closed to', cell: ([peer = '']) => (peer === '' ? '' : <Cluster name={peer} />) },
            { title: 'Lets in', cell: ([, opened]) => opened },
            { title: 'Entry', cell: ([, , entry]) => entry },
            { title: 'Enforced by', cell: ([, , , by]) => by },
          ]}
        />
      )}
      {indirect.length > 0 && (
        <Table
          caption="Reached through another cluster"
          rows={indirect.flatMap(({ cluster: to, through }) => through.map((it) => ({ to, ...it })))}
          textOf={({ to, hub }) => `${to} ${hub}`}
          columns={[
            { title: 'Cluster', cell: (it) => <Cluster name={it.to} /> },
            { title: 'Through', cell: (it) => <Cluster name={it.hub} /> },
            { title: 'Its pods, one by one', cell: (it) => <Net isMoved>{it.address}</Net> },
            { title: 'Given at run time from', cell: (it) => <Net>{it.hubExternalCIDR}</Net> },
            { title: 'It sees the source', cell: (it) => <Net>{it.sourceThere}</Net> },
          ]}
        />
      )}
    </>
  );
}

const Nets = ({ of }: { readonly of: readonly string[] }) => (
  <>
    {of.map((it, i) => (
      <span key={it}>
        {i > 0 && ', '}
        <Net>{it}</Net>
      </span>
    ))}
  </>
);

interface SeenProps {
  readonly views: PeerRow['views'];
  readonly kind: 'pod' | 'external';
}

/** Networks as they are dialled; a moved one is marked, with the peer's own network beside it. */
const SeenNets = ({ views, kind }: SeenProps) => (
  <>
    {views
      .filter((it) => it.kind === kind)
      .map(({ cidr, seenAs }) => (
        <span key={cidr} class="seen">
          <Net isMoved={cidr !== seenAs}>{seenAs}</Net>
          {cidr !== seenAs && (
            <span class="quiet">
              {' '}
              there <code>{cidr}</code>
            </span>
          )}
        </span>
      ))}
  </>
);
