import { useId } from 'preact/hooks';
import type { AnswerTo } from '../answers.ts';
import { Answered, useAnswer, useSurroundings } from '../parts.tsx';
import { printRoute } from '../route.ts';

/** The files that weft writes, and what differs from the base: `#files=rome/kustomization.yaml`. */
export function FilesView({ parts: [named = ''] }: { readonly parts: readonly string[] }) {
  return (
    <Answered asked={useAnswer('folders', undefined)}>{(known) => <Files folders={known} path={named} />}</Answered>
  );
}

interface FilesProps {
  readonly folders: AnswerTo<'folders'>;
  /** A file, or a folder with a slash at its end. */
  readonly path: string;
}

function Files({ folders: { folders, changes }, path }: FilesProps) {
  const { fleet } = useSurroundings();
  const id = useId();
  const isFile = path !== '' && !path.endsWith('/');
  const folder = path.includes('/') ? path.slice(0, path.indexOf('/')) : isFile ? '' : (folders[0] ?? '');
  const kinds = new Map((changes ?? []).map((it) => [it.path, it.change]));
  return (
    <>
      {fleet.base !== null && <Changed of={changes ?? []} base={fleet.base} />}
      <div class="field">
        <label for={id}>Folder</label>
        <select id={id} value={folder} onChange={(it) => go(it.currentTarget.value)}>
          {folders.map((it) => (
            <option key={it} value={it}>
              {it === '' ? 'the whole fleet' : it}
            </option>
          ))}
        </select>
      </div>
      <div class="files">
        <Answered asked={useAnswer('folder', { folder })}>
          {(paths) => (
            <ul>
              {paths.map((it) => (
                <li key={it}>
                  <FileLink path={it} change={kinds.get(it)} isCurrent={it === path} from={folder} />
                </li>
              ))}
            </ul>
          )}
        </Answered>
        {isFile ? <File path={path} key={path} /> : <p class="quiet">Choose a file to read it.</p>}
      </div>
    </>
  );
}

const go = (folder: string): void => {
  location.hash = printRoute('files', `${folder}/`);
};

/** The most changed files in one list. */
const LISTED = 200;

const Changed = ({ of, base }: { readonly of: NonNullable<AnswerTo<'folders'>['changes']>; readonly base: string }) =>
  of.length === 0 ? (
    <p class="quiet">No file differs from {base}.</p>
  ) : (
    <details class="changed" open={of.length <= 12}>
      <summary>
        {of.length === 1 ? '1 file differs' : `${of.length} files differ`} from {base}
      </summary>
      <ul>
        {of.slice(0, LISTED).map((it) => (
          <li key={it.path}>
            <FileLink path={it.path} change={it.change} isCurrent={false} from="" />
          </li>
        ))}
      </ul>
      {of.length > LISTED && <p class="quiet">… and {of.length - LISTED} more, in their folders.</p>}
    </details>
  );

interface FileLinkProps {
  readonly path: string;
  readonly change: 'add' | 'change' | 'remove' | undefined;
  readonly isCurrent: boolean;
  /** The folder that readers know already. */
  readonly from: string;
}

const CHANGE_WORDS = { add: 'new', change: 'changed', remove: 'removed' } as const;

const FileLink = ({ path, change, isCurrent, from }: FileLinkProps) => (
  <a href={printRoute('files', path)} aria-current={isCurrent ? 'true' : undefined}>
    {from === '' ? path : path.slice(from.length + 1)}
    {change !== undefined && <span class={`change ${change}`}>{CHANGE_WORDS[change]}</span>}
  </a>
);

function File({ path }: { readonly path: string }) {
  return (
    <Answered asked={useAnswer('file', { path })}>
      {(file) =>
        file === null ? (
          <p>weft does not write this file.</p>
        ) : (
          <section aria-label={path}>
            <h2>{path}</h2>
            {file.hunks.length > 0 && (
              <details open>
                <summary>What changes</summary>
                <pre class="diff">
                  {file.hunks.map(({ title, lines }) => (
                    <code key={title}>
                      <span class="hunk">{`${title}\n`}</span>
                      {lines.map((it, i) => (
                        // Lines have no identity, and no state.
                        <span key={i} class={SIGN_CLASSES[it.sign]}>{`${it.sign}${it.text}\n`}</span>
                      ))}
                    </code>
                  ))}
                </pre>
              </details>
            )}
            {file.text === null ? (
              <p>weft removes this file.</p>
            ) : (
              <pre>
                <code>{file.text}</code>
              </pre>
            )}
          </section>
        )
      }
    </Answered>
  );
}

const SIGN_CLASSES = { '+': 'added', '-': 'removed', ' ': 'same' } as const;
