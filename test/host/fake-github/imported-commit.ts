export interface ImportedCommit {
  readonly branch: string;
  /** Its id; `null` for the first commit of a repository. */
  readonly parent: string | null;
  /** `at` in milliseconds since 1970. */
  readonly by: { readonly name: string; readonly email: string; readonly at: number };
  readonly message: string;
  /** path -> text; `null` takes the file out. */
  readonly files: Readonly<Record<string, string | null>>;
  /** The mode, if it is not 100644; the text of a link is its target. */
  readonly modes?: Readonly<Record<string, '100755' | '120000'>>;
}

/** The input of `git fast-import`: a commit in one run of git, without a clone to make it in. */
export function importedCommit({ branch, parent, by, message, files, modes = {} }: ImportedCommit): string {
  const edits = Object.entries(files).map(([path, text]) =>
    text === null ? `D ${path}\n` : `M ${modes[path] ?? '100644'} inline ${path}\n${data(text)}`,
  );
  return [
    `commit refs/heads/${branch}\n`,
    `committer ${by.name} <${by.email}> ${Math.floor(by.at / 1000)} +0000\n`,
    data(message),
    parent === null ? '' : `from ${parent}\n`,
    ...edits,
    '\n',
  ].join('');
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
