import { splitNames } from './git-objects.ts';
import { runGit } from './run-git.ts';

/** A rule of a repository by which git leaves a file out, or turns it into other bytes or another page. */
export type GitRule =
  /** Git does not add the file, because of this line of a `.gitignore`. */
  | { readonly kind: 'ignored'; readonly path: string; readonly by: string; readonly line: number }
  | { readonly kind: 'attribute'; readonly path: string; readonly name: GitAttribute; readonly value: string };

/** Source: git, Documentation/gitattributes; docs.github.com, "Customizing how changed files appear on GitHub". */
const ATTRIBUTES = ['filter', 'working-tree-encoding', 'diff', 'linguist-generated'] as const;

type GitAttribute = (typeof ATTRIBUTES)[number];

/** The rules of the checkout for some files, which need not exist. Paths are relative to the folder. */
export async function gitRules(folder: string, paths: readonly string[]): Promise<readonly GitRule[]> {
  // check-ignore knows no literal paths: one with a colon first would be a pattern.
  const input = paths.flatMap((it) => (it.startsWith(':') ? [] : [`${it}\0`])).join('');
  const [ignored, attributes] = [
    await runGit(folder, ['--no-literal-pathspecs', 'check-ignore', '-z', '-v', '--no-index', '--stdin'], input),
    await runGit(folder, ['check-attr', '-z', '--stdin', ...ATTRIBUTES], input),
  ];
  const rules: GitRule[] = [];
  const found = splitNames(ignored.stdout);
  for (let i = 0; i + 3 < found.length; i += 4) {
    const [by = '', line = '', pattern = '', path = ''] = found.slice(i, i + 4);
    // Other sources belong to the machine, and a negated pattern includes a file again.
    if (/(^|\/)\.gitignore$/.test(by) && !pattern.startsWith('!'))
      rules.push({ kind: 'ignored', path, by, line: Number(line) });
  }
  const values = splitNames(attributes.stdout);
  for (let i = 0; i + 2 < values.length; i += 3) {
    const [path = '', attribute, value = ''] = values.slice(i, i + 3);
    const name = ATTRIBUTES.find((it) => it === attribute);
    if (name !== undefined && value !== 'unspecified') rules.push({ kind: 'attribute', path, name, value });
  }
  return rules;
}
