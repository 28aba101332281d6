import { readCommit } from './commit-object.ts';
import type { JsonObject } from './description.ts';
import { apiUrl, nodeId } from './print-objects.ts';
import { notFound, Refusal, refuse, saying } from './refusal.ts';
import { settlePulls } from './settle-pulls.ts';
import { type Answer, type Call, type Repository, repositoryOf } from './world.ts';

const printRef = (repository: Repository, ref: string, sha: string): JsonObject => ({
  ref,
  node_id: nodeId('Ref', ref),
  url: apiUrl(repository, `/git/${ref}`),
  object: { type: 'commit', sha, url: apiUrl(repository, `/git/commits/${sha}`) },
});

/** Git data calls on a repository whose default branch has no commit. */
export function refuseEmpty({ store }: Repository): void {
  if (store.read('HEAD') === null) refuse(409, 'Git Repository is empty.');
}

export async function getRef(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  refuseEmpty(repository);
  const ref = `refs/${call.path['ref']}`;
  const commit = readCommit(repository.store, ref);
  return commit === null ? notFound() : { status: 200, body: printRef(repository, ref, commit.id) };
}

/** Names that need no question to git. */
const PLAIN = /^refs\/heads\/[A-Za-z0-9]+([/_-][A-Za-z0-9]+)*$/;

export async function createRef(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { store } = repository;
  const { ref, sha } = call.body as { readonly ref: string; readonly sha: string };
  refuseEmpty(repository);
  // Unlike the paths of the other calls, this one wants the whole name.
  if (!/^refs\/[^/]+\/./.test(ref))
    refuse(422, "Reference name must start with 'refs/' and have at least two slashes.");
  if (!PLAIN.test(ref) && !store.succeeds(['check-ref-format', ref])) refuse(422, `${ref} is not a valid ref name.`);
  refuseUnknownCommit(repository, sha);
  if (store.read(ref) !== null) refuse(422, 'Reference already exists');
  refuseGuarded(repository, ref, false);
  // A branch `weft` leaves no room for `weft/manifests`. Source: github/rest-api-description#4887.
  if (!store.moveRef(ref, sha, null)) refuse(422, 'Reference update failed');
  settlePulls(call.world, repository, ref);
  return { status: 201, body: printRef(repository, ref, sha) };
}

export async function updateRef(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { store } = repository;
  const { sha, force = false } = call.body as { readonly sha: string; readonly force?: boolean };
  refuseEmpty(repository);
  const ref = `refs/${call.path['ref']}`;
  const before = store.read(ref);
  if (before === null) return refuse(422, 'Reference does not exist');
  refuseUnknownCommit(repository, sha);
  const isForward = store.isAncestor(before.id, sha);
  refuseGuarded(repository, ref, !isForward);
  if (!isForward && !force) refuse(422, 'Update is not a fast forward');
  if (!store.moveRef(ref, sha, before.id)) refuse(422, 'Reference cannot be updated');
  settlePulls(call.world, repository, ref);
  return { status: 200, body: printRef(repository, ref, sha) };
}

export async function deleteRef(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const ref = `refs/${call.path['ref']}`;
  refuseEmpty(repository);
  if (repository.store.read(ref) === null) refuse(422, 'Reference does not exist');
  if (ref === `refs/heads/${repository.defaultBranch}`) refuse(422, 'Cannot delete the default branch');
  refuseGuarded(repository, ref, true);
  repository.store.run(['update-ref', '-d', ref]);
  settlePulls(call.world, repository, ref);
  return { status: 204, body: null };
}

function refuseUnknownCommit({ store }: Repository, sha: string): void {
  const object = store.readId(sha);
  if (object === null) refuse(422, 'Object does not exist');
  else if (object.type !== 'commit') refuse(422, 'Object is not a commit');
}

/**
 * A guarded branch changes through pull requests alone. Sources: dependabot/dependabot-core pull_request_updater (the two
 * refusals of a protected branch), googleapis/repo-automation-bots#5551 and others (the one of a ruleset).
 */
function refuseGuarded({ guards }: Repository, ref: string, rewrites: boolean): void {
  const guard = guards.get(ref.replace(/^refs\/heads\//, ''));
  if (guard === 'ruleset') {
    refuse(422, 'Repository rule violations found\n\nChanges must be made through a pull request.');
  }
  if (guard === undefined) return;
  if (rewrites) refuse(422, 'Cannot force-push to this protected branch');
  const where = 'https://docs.github.com/articles/about-protected-branches/';
  throw new Refusal(saying(403, `You're not authorized to push to this branch. Visit ${where} for more information.`));
}
