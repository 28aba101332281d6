import { type CommitObject, dateOf, readCommit, type Signature, writeCommit } from './commit-object.ts';
import type { JsonObject } from './description.ts';
import { refuseEmpty } from './git-refs.ts';
import { apiUrl, nodeId, webUrl } from './print-objects.ts';
import { notFound, refuse } from './refusal.ts';
import { type Account, type Answer, type Call, callerOf, type Repository, repositoryOf } from './world.ts';

interface WantedCommit {
  readonly message: string;
  readonly tree: string;
  readonly parents?: readonly string[];
  readonly author?: Partial<Signature>;
  readonly committer?: Partial<Signature>;
}

export async function createCommit(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { store } = repository;
  const { message, tree, parents = [], ...wanted } = call.body as WantedCommit;
  refuseEmpty(repository);
  if (store.readId(tree)?.type !== 'tree') refuse(422, 'Tree SHA does not exist');
  for (const it of parents) {
    if (store.readId(it)?.type !== 'commit') refuse(422, 'Parent SHA does not exist or is not a commit object');
  }
  const caller = callerOf(call);
  const now = { ...signatureOf(caller), date: dateOf(call.world.clock.now()) };
  // A bot's commit is signed as long as it does not say who wrote it. Source: GitHub's docs, "About commit signature
  // verification", and peter-evans/create-pull-request, docs.
  const isSigned = caller.kind === 'bot' && wanted.author === undefined && wanted.committer === undefined;
  const author = { ...now, ...utc(wanted.author) };
  const committer = isSigned ? { ...GITHUB, date: now.date } : { ...author, ...utc(wanted.committer) };
  const id = writeCommit(store, { tree, parents, author, committer, message });
  if (isSigned) repository.signed.add(id);
  const commit = readCommit(store, id);
  return commit === null ? notFound() : { status: 201, body: printCommit(repository, commit) };
}

/** The committer of all commits by the API or the web page. */
export const GITHUB = { name: 'GitHub', email: 'noreply@github.com' };

export const signatureOf = ({ login, id }: Account): Omit<Signature, 'date'> => ({
  name: login,
  email: `${id}+${login}@users.noreply.github.com`,
});

const utc = (it: Partial<Signature> = {}): Partial<Signature> =>
  it.date === undefined ? it : { ...it, date: dateOf(Date.parse(it.date)) };

export async function getCommit(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  refuseEmpty(repository);
  const { id } = repository.store.readId(call.path['commit_sha'] ?? '') ?? notFound();
  const commit = readCommit(repository.store, id) ?? notFound();
  return { status: 200, body: printCommit(repository, commit) };
}

function printCommit(repository: Repository, commit: CommitObject): JsonObject {
  const { id, tree, message } = commit;
  return {
    sha: id,
    node_id: nodeId('Commit', id),
    url: apiUrl(repository, `/git/commits/${id}`),
    html_url: webUrl(repository, `/commit/${id}`),
    author: { ...commit.author },
    committer: { ...commit.committer },
    message,
    tree: { sha: tree, url: apiUrl(repository, `/git/trees/${tree}`) },
    parents: commit.parents.map((it) => printParent(repository, it)),
    verification: verificationOf(repository, commit),
  };
}

export const printParent = (repository: Repository, id: string): JsonObject => ({
  sha: id,
  url: apiUrl(repository, `/git/commits/${id}`),
  html_url: webUrl(repository, `/commit/${id}`),
});

export function verificationOf({ signed }: Repository, { id, committer }: CommitObject): JsonObject {
  if (!signed.has(id)) {
    return { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };
  }
  return {
    verified: true,
    reason: 'valid',
    signature: 'of GitHub',
    payload: `commit ${id}`,
    verified_at: committer.date,
  };
}
