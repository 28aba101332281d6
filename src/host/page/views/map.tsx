import { useId, useState } from 'preact/hooks';
import { Answered, Cluster, useAnswer, useSurroundings } from '../parts.tsx';
import { Picture } from '../picture.tsx';
import { printRoute } from '../route.ts';
import { StoryNote } from './eyes.tsx';

/** The most clusters that a search shows with their neighbours. */
const MOST_FOUND = 8;

/** The fleet as a picture, or some clusters with their neighbours: `#map=hub-3`. */
export function MapView({ parts }: { readonly parts: readonly string[] }) {
  const { fleet } = useSurroundings();
  const [words, search] = useState(parts.join(' '));
  const found = clustersWith(
    words,
    fleet.clusters.map((it) => it.cluster),
  );
  const near = found.slice(0, MOST_FOUND);
  const drawn = useAnswer('map', { viewer: null, near, side: null, without: [] });
  const id = useId();
  return (
    <>
      {fleet.story !== null && (
        <StoryNote story={fleet.story}>
          <a href={printRoute('eyes', fleet.story.viewer)}>See the fleet as {fleet.story.viewer} sees it</a>
        </StoryNote>
      )}
      <div class="search">
        <label for={id}>Show only</label>
        <input
          id={id}
          type="search"
          list="clusters"
          placeholder="clusters and their neighbours"
          value={words}
          onInput={(it) => search(it.currentTarget.value)}
        />
        <span role="status">{statusOf(words, found)}</span>
      </div>
      <Answered asked={drawn}>
        {(drawing) => (
          <>
            <Picture drawing={drawing} label={`Map: ${drawing.summary}`} chosen={null} />
            <p class="quiet">
              {drawing.summary}. A cluster leads to its view of the others. Drag to move, Ctrl and the wheel to zoom;
              with the keyboard, + − 0 and the arrows.
            </p>
          </>
        )}
      </Answered>
      {words !== '' && found.length > MOST_FOUND && (
        <ul class="names" aria-label="Clusters found">
          {found.slice(0, 100).map((it) => (
            <li key={it}>
              <Cluster name={it} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function clustersWith(words: string, names: readonly string[]): readonly string[] {
  const wanted = words
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean);
  if (wanted.length === 0) return [];
  const exact = names.filter((it) => wanted.includes(it));
  return exact.length === wanted.length ? exact : names.filter((it) => wanted.some((word) => it.includes(word)));
}

function statusOf(words: string, found: readonly string[]): string {
  if (words.trim() === '') return '';
  if (found.length === 0) return 'no cluster has this name';
  return found.length > MOST_FOUND
    ? `${found.length} found, the first ${MOST_FOUND} are drawn`
    : `${found.length} found`;
}
