import { withLf } from '../../base/core/line-ends.ts';
import { blobId } from './blob-id.ts';

/**
 * Whether a blob has a text, with the line ends of either system. A checkout and the repository may differ in them, and a commit
 * that only changes line ends would come back after every edit on the other system.
 */
export async function isBlobOf(id: string, text: string): Promise<boolean> {
  const lf = withLf(text);
  return id === (await blobId(lf)) || id === (await blobId(lf.replaceAll('\n', '\r\n'))) || id === (await blobId(text));
}
