import { join } from 'node:path';
import type { EntryKind } from './disk-view.ts';
import type { TreeProblem } from './tree-request.ts';

export const badPath = (path: string, fault: string): TreeProblem => ({
  kind: 'bad-path',
  path,
  message: `${JSON.stringify(path)} ${fault}`,
  hint: 'nothing is written outside the output folder; rename what this path is made of',
});

export const foreignFile = (root: string, path: string): TreeProblem => ({
  kind: 'foreign-file',
  path: join(root, path),
  message: 'a file that weft did not write is in the way',
  hint: 'move or delete it, then compile again',
});

/** Something that is no file of weft's stands where a file goes, or where a folder goes. */
export function inTheWay(root: string, path: string, by: EntryKind): TreeProblem {
  if (by === 'link') {
    return {
      kind: 'symbolic-link',
      path: join(root, path),
      message: 'a symbolic link is in the way, and weft neither follows nor replaces one',
      hint: 'delete the link, then compile again; the output folder itself may be a link',
    };
  }
  if (by === 'folder') {
    return {
      kind: 'directory',
      path: join(root, path),
      message: 'a folder that holds more than files of weft is in the way of a file',
      hint: 'move or delete the folder, then compile again',
    };
  }
  return {
    kind: 'not-a-file',
    path: join(root, path),
    message: by === 'file' ? 'a file is in the way of a folder' : 'what is in the way is neither a file nor a folder',
    hint: 'move or delete it, then compile again',
  };
}

export const danglingRoot = (root: string): TreeProblem => ({
  kind: 'symbolic-link',
  path: root,
  message: 'the output folder is a symbolic link that leads nowhere',
  hint: 'make the folder that it points to, or delete the link',
});

export const lockChangedMeanwhile = (path: string): TreeProblem => ({
  kind: 'lock-changed',
  path,
  message: 'the lock has changed since it was read',
  hint: 'another weft ran meanwhile; run weft compile again, which starts from its decisions',
});

export const lockFileIsFolder = (path: string): TreeProblem => ({
  kind: 'directory',
  path,
  message: 'a folder is in the way of the lock file',
  hint: 'move or delete the folder, then compile again',
});

export const danglingLockFile = (path: string): TreeProblem => ({
  kind: 'symbolic-link',
  path,
  message: 'the lock file is a symbolic link that leads nowhere',
  hint: 'make the file that it points to, or delete the link',
});

export const brokenRecord = (root: string, path: string, message: string): TreeProblem => ({
  kind: 'broken-record',
  path: join(root, path),
  message: `this record of which files are of weft ${message}`,
  hint:
    'delete it and compile again: files whose bytes equal what is compiled are taken over; a file that differs counts as ' +
    "somebody else's and is in the way until you delete it, and files that are no longer compiled stay until you delete them",
});
