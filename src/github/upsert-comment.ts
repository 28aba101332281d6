import type { Comment, Forge } from './forge.ts';
import { sameText } from './same-text.ts';

interface StickyComment {
  readonly pull: number;
  /** Distinguishes the comments of several topologies. */
  readonly id: string;
  /** Without the marker, which becomes its first line. */
  readonly body: string;
  /** The author of the comment, if known; otherwise the forge reports it. */
  readonly author?: string | undefined;
  /** Update an existing comment but create no new one, because there is nothing to report. */
  readonly onlyUpdate?: boolean;
}

type Upserted =
  | { readonly change: 'created' | 'updated' | 'unchanged'; readonly comment: Comment }
  | { readonly change: 'not-needed' };

/** The first line of a comment, which identifies it. An id has no `--` that would end it early. */
export const markerOf = (id: string): string =>
  `<!-- weft:plan id=${id.replace(/-{2,}/g, '-').replace(/[^\w./-]/g, '_')} -->`;

/** One comment per topology on a pull request, updated in place. Equal text is not sent again. */
export async function upsertComment(forge: Forge, sticky: StickyComment): Promise<Upserted> {
  const { pull, id, body, author } = sticky;
  const marker = markerOf(id);
  const text = `${marker}\n${body}`;
  const isOurs = authorship(author ?? (await forge.login()));
  const isTheOne = (it: Comment): boolean => it.body.split(/\r?\n/, 1)[0]?.trim() === marker && isOurs(it);
  const known = (await forge.listComments(pull)).find(isTheOne);
  if (known === undefined && sticky.onlyUpdate) return { change: 'not-needed' };
  const comment = known ?? (await forge.createComment(pull, text, isTheOne));
  if (known === undefined && sameText(comment.body, text)) return { change: 'created', comment };
  if (sameText(comment.body, text)) return { change: 'unchanged', comment };
  await forge.updateComment(comment.id, text);
  return { change: 'updated', comment: { ...comment, body: text } };
}

/**
 * Anybody may write our marker into a comment, so the author counts too. The token of GitHub Actions may not read its
 * owner; then the author is a bot.
 */
const authorship = (login: string | null): ((it: Comment) => boolean) =>
  login === null ? (it) => it.byBot : (it) => it.author.toLowerCase() === login.toLowerCase();
