import { refuseEmpty } from './git-refs.ts';
import { apiUrl, nodeId } from './print-objects.ts';
import { notFound, refuse } from './refusal.ts';
import { type Answer, type Call, repositoryOf } from './world.ts';

/** Source: peter-evans/create-pull-request, docs (a blob may have 40 MiB). */
const LARGEST_BYTES = 40 * 1024 * 1024;

export async function createBlob(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  const { content, encoding = 'utf-8' } = call.body as { readonly content: string; readonly encoding?: string };
  refuseEmpty(repository);
  if (encoding !== 'utf-8' && encoding !== 'base64') refuse(422, `encoding ${encoding} is not utf-8 or base64`);
  const bytes = Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8');
  if (bytes.length > LARGEST_BYTES) refuse(422, 'The blob is too large');
  const sha = repository.store.writeBlob(bytes);
  return { status: 201, body: { sha, url: apiUrl(repository, `/git/blobs/${sha}`) } };
}

export async function getBlob(call: Call): Promise<Answer> {
  const repository = repositoryOf(call);
  refuseEmpty(repository);
  const blob = repository.store.readId(call.path['file_sha'] ?? '');
  if (blob?.type !== 'blob') return notFound();
  // GitHub breaks base64 into lines of 60.
  const content = blob.bytes.toString('base64').replace(/.{1,60}/g, '$&\n');
  const url = apiUrl(repository, `/git/blobs/${blob.id}`);
  const { id: sha } = blob;
  return {
    status: 200,
    body: { sha, node_id: nodeId('Blob', sha), size: blob.bytes.length, url, content, encoding: 'base64' },
  };
}
