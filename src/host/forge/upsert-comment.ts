import type { Comment, Forge } from './forge.ts';
import { sameText } from './markdown-text.ts';

interface StickyComment {
  readonly pull: number;
  /** The first line of the comment, which identifies it. */
  readonly marker: string;
  /** True if a first line is a marker of this comment. */
  readonly isMarker: (line: string) => boolean;
  /** The text without the marker. */
  readonly body: string;
  /** The author of the comment, if known; otherwise the forge reports it. */
  readonly author?: string | undefined;
  /** True to update an existing comment but create none, because there is nothing to report. */
  readonly onlyUpdate?: boolean;
}

interface KeptComment {
  readonly change: 'created' | 'updated' | 'unchanged';
  readonly comment: Comment;
}

type Upserted = KeptComment | { readonly change: 'not-needed' };

/** Updates the one comment of its kind on a pull request, or creates it. Equal text is not sent again. */
export async function upsertComment(forge: Forge, sticky: StickyComment): Promise<Upserted> {
  const { pull, marker, isMarker, body, author } = sticky;
  const text = `${marker}\n${body}`;
  const login = author ?? (await forge.login());
  const isOurs = authorship(login);
  const isMarked = (it: Comment): boolean => isMarker(it.body.split(/\r?\n/, 1)[0]?.trim() ?? '');
  const find = async (): Promise<readonly Comment[]> => (await forge.listComments(pull)).filter(isMarked);
  const marked = await find();
  const [known, ...others] = marked.filter(isOurs);
  if (known !== undefined) return keep(forge, { known, others, text });
  // One of a person may be our own, if the token may not read its owner.
  const isUnknown = login === null && marked.length > 0;
  if (sticky.onlyUpdate && !isUnknown) return { change: 'not-needed' };
  const created = await forge.createComment(pull, text, (it) => isMarked(it) && isOurs(it));
  // Another run may have created one at the same time. Both runs keep the oldest. Its author is the owner of the token.
  const isByUs = authorship(login ?? (created.byBot ? null : created.author));
  const [oldest = created, ...newer] = (await find()).filter(isByUs);
  const kept = await keep(forge, { known: oldest, others: newer, text });
  return oldest.id === created.id && kept.change === 'unchanged' ? { ...kept, change: 'created' } : kept;
}

interface StickyComments {
  readonly known: Comment;
  /** Duplicates of the comment. */
  readonly others: readonly Comment[];
  readonly text: string;
}

async function keep(forge: Forge, { known, others, text }: StickyComments): Promise<KeptComment> {
  for (const it of others) await forge.deleteComment(it.id);
  if (sameText(known.body, text)) return { change: 'unchanged', comment: known };
  await forge.updateComment(known.id, text);
  return { change: 'updated', comment: { ...known, body: text } };
}

/**
 * Any user may write the marker into a comment, so the author is also compared. The token of GitHub Actions may not
 * read its owner; then the author must be a bot.
 */
const authorship = (login: string | null): ((it: Comment) => boolean) =>
  login === null ? (it) => it.byBot : (it) => it.author.toLowerCase() === login.toLowerCase();
