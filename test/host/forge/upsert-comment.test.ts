import { expect, it } from 'vitest';
import type { Comment, Forge } from '../../../src/host/forge/forge.ts';
import { upsertComment } from '../../../src/host/forge/upsert-comment.ts';

/** The comments of one pull request, on a forge whose token belongs to a person and may not read who that is. */
function commentsOf(...authors: readonly string[]) {
  let id = 0;
  const made = (author: string, body: string): Comment => {
    id += 1;
    return { id, url: `#${id}`, body, author, byBot: false };
  };
  let comments = authors.map((it) => made(it, '<!-- weft -->\nold'));
  const forge = {
    login: async () => null,
    listComments: async () => comments,
    createComment: async (_pull: number, body: string) => {
      const comment = made('weft', body);
      comments = [...comments, comment];
      return comment;
    },
    updateComment: async (at: number, body: string) => {
      comments = comments.map((it) => (it.id === at ? { ...it, body } : it));
    },
    deleteComment: async (at: number) => {
      comments = comments.filter((it) => it.id !== at);
    },
  } satisfies Partial<Forge> as unknown as Forge;
  const upsert = (body: string, onlyUpdate = false) =>
    upsertComment(forge, {
      ...{ pull: 4, marker: '<!-- weft -->', isMarker: (line) => line === '<!-- weft -->', body, onlyUpdate },
    });
  return { upsert, shown: () => comments.map(({ id: at, author, body }) => [at, author, body.split('\n')[1]]) };
}

it('keeps one comment also where the token may not read its owner, and leaves those of others', async () => {
  const it = commentsOf('eve');
  await it.upsert('first');
  expect(it.shown()).toEqual([
    [1, 'eve', 'old'],
    [2, 'weft', 'first'],
  ]);
  expect((await it.upsert('second')).change).toBe('updated');
  expect((await it.upsert('nothing', true)).change).toBe('updated');
  expect(it.shown()).toEqual([
    [1, 'eve', 'old'],
    [2, 'weft', 'nothing'],
  ]);
  expect(await commentsOf().upsert('nothing', true)).toEqual({ change: 'not-needed' });
});
