import type { Json, JsonObject } from './description.ts';
import { type EntryEdit, editTree, entryAt } from './edit-tree.ts';
import { refuseEmpty } from './git-refs.ts';
import { apiUrl } from './print-objects.ts';
import { notFound, refuse } from './refusal.ts';
import { FOLDER, SUBMODULE, typeOfMode } from './tree-object.ts';
import { type Answer, type Call, type Repository, repositoryOf } from './world.ts';

interface WantedEntry {
  readonly path?: string;
  readonly mode?: string;
  readonly type?: string;
  readonly sha?: string | null;
  readonly content?: string;
}

interface WantedTree {
  readonly tree: readonly WantedEntry[];
  readonly base_tree?: string;
}

export async function createTree(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { store } = repository;
  const wanted = call.body as WantedTree;
  refuseEmpty(repository);
  refuseLarge(call, wanted);
  const base = wanted.base_tree ?? null;
  if (base !== null && store.readId(base)?.type !== 'tree') refuse(422, 'base_tree is not a valid tree oid');
  if (wanted.tree.length === 0) refuse(422, 'Invalid tree info');
  const edits = wanted.tree.map((it) => editOf(repository, base, it));
  const id = editTree(store, base, edits);
  const tree = [...store.treeAt(id)].map(([path, { mode, id: sha }]) =>
    printEntry(repository, { path, mode, sha, type: typeOfMode(mode) }),
  );
  return { status: 201, body: { sha: id, url: apiUrl(repository, `/git/trees/${id}`), tree, truncated: false } };
}

/**
 * The answer of GitHub to a tree that is too large for one call. Sources: googleapis/code-suggester#397 and
 * peter-evans/create-pull-request, where 502 and a timeout were seen from about 200 entries on.
 */
function refuseLarge({ world, body }: Call, { tree }: WantedTree): void {
  const { largeTrees } = world.settings;
  if (largeTrees === 'never' || (tree.length <= 100 && JSON.stringify(body).length <= 1_200_000)) return;
  if (largeTrees === 'bad-gateway') refuse(502, 'Server Error');
  refuse(422, "Sorry, your request timed out. It's likely that your input was too large to process.");
}

function editOf({ store }: Repository, base: string | null, it: WantedEntry): EntryEdit {
  const path = pathOf(it.path);
  const { mode, sha, content } = it;
  if (mode === undefined) return refuse(422, 'Must supply a valid tree.mode');
  if (it.type !== undefined && it.type !== typeOfMode(mode)) refuse(422, `tree.type ${it.type} does not fit ${mode}`);
  if (sha !== undefined && content !== undefined) refuse(422, 'Must supply either tree.sha or tree.content, not both');
  if (content !== undefined) {
    if (mode === FOLDER || mode === SUBMODULE) refuse(422, 'tree.content is only for blobs');
    return { path, entry: { mode, id: store.writeBlob(Buffer.from(content, 'utf8')) } };
  }
  if (sha === undefined) return refuse(422, 'Must supply tree.sha or tree.content');
  if (sha !== null) {
    // A submodule is a commit of somewhere else.
    const isThere = mode === SUBMODULE || store.readId(sha)?.type === typeOfMode(mode);
    if (!isThere) refuse(422, `tree.sha ${sha} is not a valid ${typeOfMode(mode)}`);
    return { path, entry: { mode, id: sha } };
  }
  const there = base === null ? null : entryAt(store, base, path);
  // Deleting what is not there. Source: GitHub's REST reference, "Create a tree"; seen in the wild with these words.
  if (there === null) refuse(422, 'GitRPC::BadObjectState');
  return { path, entry: null };
}

function pathOf(path: string | undefined): readonly string[] {
  if (path === undefined || path === '') return refuse(422, 'tree.path is missing');
  if (path.startsWith('/')) refuse(422, 'tree.path cannot start with a slash');
  const names = path.split('/');
  if (names.some((it) => ['', '.', '..'].includes(it) || it.toLowerCase() === '.git')) {
    refuse(422, 'tree.path contains a malformed path component');
  }
  return names;
}

export async function getTree(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  refuseEmpty(repository);
  const name = call.path['tree_sha'] ?? '';
  // A commit or a branch may name its tree.
  const object = repository.store.read(`${name}^{tree}`) ?? notFound();
  // The key alone asks for it, whatever its value. Source: GitHub's REST reference, "Get a tree".
  const recursive = call.query['recursive'] !== undefined;
  const { tree, truncated } = listed(repository, object.id, { recursive, atMost: call.world.settings.treeEntries });
  return { status: 200, body: { sha: object.id, url: apiUrl(repository, `/git/trees/${object.id}`), tree, truncated } };
}

function listed(
  repository: Repository,
  id: string,
  { recursive, atMost }: { readonly recursive: boolean; readonly atMost: number },
): { readonly tree: readonly Json[]; readonly truncated: boolean } {
  const entries = [...entriesIn(repository, id, { prefix: '', recursive })];
  const truncated = recursive && entries.length > atMost;
  return {
    tree: (truncated ? entries.slice(0, atMost) : entries).map((it) => printEntry(repository, it)),
    truncated,
  };
}

/** The entries in the order of `git ls-tree -r -t`: a folder, then what is in it. */
function* entriesIn(
  repository: Repository,
  tree: string,
  { prefix, recursive }: { readonly prefix: string; readonly recursive: boolean },
): Generator<ListedEntry> {
  const { store } = repository;
  for (const [name, { mode, id }] of store.treeAt(tree)) {
    const type = typeOfMode(mode);
    const path = `${prefix}${name}`;
    yield { path, mode, type, sha: id, ...(type === 'blob' ? { size: store.readId(id)?.bytes.length ?? 0 } : {}) };
    if (type === 'tree' && recursive) yield* entriesIn(repository, id, { prefix: `${path}/`, recursive });
  }
}

interface ListedEntry {
  readonly [name: string]: Json;
  readonly type: string;
  readonly sha: string;
}

const printEntry = (repository: Repository, entry: ListedEntry): JsonObject =>
  entry.type === 'commit' ? entry : { ...entry, url: apiUrl(repository, `/git/${entry.type}s/${entry.sha}`) };
