import type { TextFormat } from './text-format.ts';

/** A file, or a folder with a slash at its end. */
const PATH = /^([A-Za-z0-9_][-A-Za-z0-9_.]*\/)+([A-Za-z0-9_][-A-Za-z0-9_.]*\.ya?ml)?$/;

const FORM =
  'write a folder below that of the topology with a slash at its end, like regions/, or a YAML file in one, like regions/eu.yaml';

/**
 * A file that a topology includes, or a folder of them, from the folder of the topology. Never beside the topology, where each
 * file is a topology of its own, and never above it, where it might be outside the repository.
 */
export const INCLUDED_PATH: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a file or folder below the folder of the topology',
  hintFor: (text) => {
    if (PATH.test(text)) return undefined;
    const parts = text.split('/');
    if (text.startsWith('/')) return 'write the path from the folder of the topology, like regions/eu.yaml';
    if (parts.includes('..')) return 'move the file into a folder below that of the topology, like regions/eu.yaml';
    if (parts[0] === '.') return 'leave out ./ at the beginning';
    if (text.includes('\\')) return 'write / between folders';
    if (PATH.test(`${text}/`)) {
      return /\.ya?ml$/.test(text)
        ? `move the file into a folder below that of the topology, like regions/${text}: a file beside a topology is another topology`
        : `write ${text}/ for a folder, or add .yaml for a file`;
    }
    return `${FORM}; use letters, digits, dashes, dots and underscores, and no name that begins with a dot or a dash`;
  },
};
