import { ADDRESSES, anywhere, type FileClaim, inFolder, isEnd } from './file-claim.ts';
import type { LinkState } from './network-state.ts';
import { isAboutShortcuts, isPart, peerOf } from './plan-file.ts';

/** Files that are added or removed with a link, and the files of its ends that list them. */
export function linkFiles({ kind, ends }: LinkState): readonly FileClaim[] {
  const inHubs = kind === 'shortcut' ? [anywhere(isAboutShortcuts)] : [];
  const inEnds = ends.map((end) =>
    inFolder(end, (file) => {
      const peer = peerOf(file);
      return peer === null ? file.place !== null && !isPart(file, 'helm-values') : isEnd(ends, peer);
    }),
  );
  return [ADDRESSES, ...inHubs, ...inEnds];
}
