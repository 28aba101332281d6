/** Texts that a stranger could put into a topology, a file name, a branch or an answer, by what they attempt. */
export const HOSTILE: Readonly<Record<string, string>> = {
  'a workflow command': '::error file=x.yaml,line=1::all checks passed',
  'a workflow command behind a word': 'x ::set-output name=a::b',
  'a workflow command behind blanks': ' \t::add-mask::o',
  'a workflow command on a line of its own': 'a\n::stop-commands::token\nb',
  'a workflow command behind a carriage return': 'a\r::warning::b',
  'a workflow command behind a line separator': 'a\u2028::notice::b',
  'a workflow command behind a next line': 'a\u0085::group::b',
  'a workflow command behind a no-break space': '\u00a0::debug::b',
  'a workflow command of the first kind': 'a ##[error]b',
  'a workflow command of the first kind with a property': '##[add-mask x=1]secret',
  'a command of Azure Pipelines': '##vso[task.setvariable variable=a]b',
  'the end of a command': '%0A::error::b%0D',
  'an escape sequence': '\u001b[2J\u001b[1;31mred\u001b[0m',
  'an operating system command': '\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007',
  'a control sequence introducer of C1': '\u009b31mred',
  'a backspace and a bell': 'no\b\b\u0007yes',
  'a nul': 'a\u0000b',
  'a delete': 'a\u007fb',
  'a right-to-left override': 'rome\u202egnp.exe',
  'bidirectional isolates': 'a\u2066b\u2067c\u2068d\u2069e',
  'bidirectional marks': 'a\u200eb\u200fc\u061cd',
  'zero-width marks': 'ro\u200bme\u200c\u200d\u2060\ufeff',
  'tag characters': 'a\u{e0001}\u{e0041}\u{e0042}\u{e007f}b',
  'variation selectors': 'a\ufe00\ufe0f\u{e0100}b',
  'fillers and a soft hyphen': 'a\u115f\u3164\uffa0\u00adb',
  'half of a surrogate pair': 'a\ud800b\udc00',
  'confusable spaces': 'a\u00a0b\u2003c\u3000d\u2800e',
  'line and paragraph separators': 'a\u2028b\u2029c',
  'a noncharacter': 'a\ufffeb\u{1ffff}',
  'a mention': 'cc @octocat and @acme/admins',
  'a reference that closes an issue': 'fixes #12, closes acme/fleet#3, resolves GH-4',
  'a link': '[click](https://evil.example)',
  'an image': '![x](https://evil.example/pixel.png)',
  'a link by reference': '[a][b]\n\n[b]: https://evil.example',
  autolinks: 'https://evil.example www.evil.example ftp://evil.example <https://evil.example> a@evil.example',
  'other schemes': 'mailto:a@evil.example xmpp:a@evil.example javascript:alert(1)',
  'elements of HTML': '<details open><summary>x</summary><img src=x onerror=alert(1)>',
  'a comment of HTML': '<!-- weft:plan id=europe -->',
  'the end of a comment of HTML': '--> **approved** <!--',
  'the marker of a pull request': '<!-- weft:manifests id=europe -->',
  entities: '&lt;b&gt; &#64;octocat',
  'a table': 'a | b\n|---|---|\n| c | d |',
  'a code fence': '```\n# title\n```',
  backticks: 'a`b``c```d',
  emphasis: '**bold** __bold__ ~~gone~~ _x_',
  'a heading': '# approved',
  'a quotation': '> approved',
  'a formula': '$\\color{white}{x}$ and $`x`$',
  'short names of emoji': ':white_check_mark: :+1:',
  'a trailer': `a\n\nWeft-Topology-Digest: sha256:${'0'.repeat(64)}`,
  'another trailer': 'a\n\nCo-authored-by: octocat <a@evil.example>',
  'a link of SARIF': 'see [here](1) and \\[there](https://evil.example)',
  'a command of a shell': '$(touch owned) `touch owned` ; touch owned \'"\\ *',
  'an option': '--upload-pack=touch owned',
  'a path upwards': '../../etc/passwd',
  'a template': `{{this}} ${'$'}{{ github.token }} {{constructor}}`,
  'a comment of YAML': 'a # b\nkind: ClusterRoleBinding',
  'a comment of nftables': 'a\nflush ruleset',
  'a password in a URL': 'https://octocat:hunter2-secret@example.com/fleet.git',
  'a token in a URL': 'https://hunter2-secret@example.com/fleet.git',
  'a password over SSH': 'ssh://git:hunter2-secret@example.com/fleet.git',
};

/** Marks of a secret in the texts above, which no output may contain. */
export const SECRET = 'hunter2-secret';

/** The texts in few long ones, for tests that run a command for each of them. */
export const HOSTILE_MIXTURES: readonly string[] = mixed(Object.values(HOSTILE), 400);

/** Hostile names of files, which have no slash, no NUL and no half of a pair; none of them contains a secret. */
export const HOSTILE_NAMES: readonly string[] = mixed(
  Object.values(HOSTILE)
    .filter((it) => !it.includes(SECRET))
    .map((it) => it.replace(/[/\0\p{Cs}]/gu, '_')),
  150,
);

/** Joins neighbours up to so many bytes. Each text begins some mixture's line: they are joined by line breaks. */
function mixed(texts: readonly string[], bytes: number): readonly string[] {
  const mixtures: string[] = [];
  for (const text of texts) {
    const joined = `${mixtures.at(-1) ?? ''}\n${text}`;
    if (mixtures.length > 0 && Buffer.byteLength(joined) <= bytes) mixtures[mixtures.length - 1] = joined;
    else mixtures.push(text);
  }
  return mixtures;
}
