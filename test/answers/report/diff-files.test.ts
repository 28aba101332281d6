import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { DiffMarkup } from '../../../src/answers/report/diff/diff-markup.ts';
import { DIFF_STYLE, DIFF_STYLE_HASH, HTML_DIFF, HTML_DIFF_START } from '../../../src/answers/report/diff/html-diff.ts';
import { countLines, sameLines } from '../../../src/answers/report/diff/hunks-of.ts';
import { MARKDOWN_DIFF, MARKDOWN_DIFF_START } from '../../../src/answers/report/diff/markdown-diff.ts';
import { printDiff } from '../../../src/answers/report/diff/print-diff.ts';
import { inFolders } from '../../../src/base/core/folder-files.ts';
import { hiddenCharacterIn } from '../../../src/base/core/visible-text.ts';
import { manifestDiff } from '../../../src/host/app/manifest-diff.ts';
import type { ClusterDiff } from '../../../src/plan/diff/file-diff.ts';
import { clustersOf, requestOf } from '../../plan/diff/diff-between.ts';
import { EDITS } from '../../plan/edits.ts';
import { runEdit } from '../../plan/run-edit.ts';
import { drawn, RUNS_ALL } from '../../support/drawn.ts';
import { HOSTILE, SECRET } from '../../support/hostile-text.ts';
import { expectRecorded } from '../../support/recorded.ts';

const LANGUAGES = { markdown: MARKDOWN_DIFF, html: HTML_DIFF } as const;

function printed(clusters: readonly ClusterDiff[], markup: DiffMarkup, fleet = 'europe'): string {
  const printer = printDiff(fleet, clusters.length, markup);
  const earlierOf = sameLines();
  for (const [i, it] of clusters.entries()) printer.add(it, countLines(it), earlierOf(it, i + 1));
  return printer.finish();
}

/** The diff of files of one cluster, by path: texts on both sides. */
function diffOf(files: Readonly<Record<string, readonly [old: string | null, now: string | null]>>) {
  const side = (index: 0 | 1) =>
    inFolders(
      new Map(
        Object.entries(files).flatMap(([path, texts]) => {
          const text = texts[index];
          return text === null ? [] : [[path, text] as const];
        }),
      ),
    );
  const changes = Object.entries(files).map(([path, [old, now]]) => ({
    path,
    change: old === null ? ('add' as const) : now === null ? ('remove' as const) : ('change' as const),
  }));
  const lock = { path: 'topology.lock.yaml', before: null, after: null };
  return clustersOf({ before: side(0), after: side(1), changes, renames: [], lock });
}

const RECORDED = [
  ...['add-a-leaf-with-gitops', 'change-a-pod-cidr', 'change-a-template', 'rename-a-cluster'],
  ...['replace-an-authentication-key', 'take-out-a-retired-leaf'],
];

describe('the files of a diff', () => {
  it('are as recorded', () => {
    const files = RECORDED.flatMap((name) => {
      const edit = EDITS.find((it) => it.name === name);
      if (edit === undefined) throw new Error(`there is no edit ${name}`);
      const { plan, before, after } = runEdit(edit);
      const clusters = clustersOf(requestOf(plan, before, after));
      return [
        [`${name}.md`, printed(clusters, MARKDOWN_DIFF, plan.fleet)],
        [`${name}.html`, printed(clusters, HTML_DIFF, plan.fleet)],
      ] as const;
    });
    expectRecorded(
      new URL('./golden-diffs/', import.meta.url),
      new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1))),
    );
  });

  it('begin with what weft recognizes them by, and end with a line break', () => {
    const clusters = diffOf({ 'rome/helm-values.yaml': ['a: 1\n', 'a: 2\n'] });
    for (const [markup, start] of [
      [MARKDOWN_DIFF, MARKDOWN_DIFF_START],
      [HTML_DIFF, HTML_DIFF_START],
    ] as const) {
      const text = printed(clusters, markup);
      expect(text.startsWith(start)).toBe(true);
      expect(text.endsWith('\n')).toBe(true);
    }
  });

  it('are none where nothing changes', () => {
    const edit = EDITS.find((it) => it.name === 'nothing-changes');
    if (edit === undefined) throw new Error('there is no such edit');
    const { plan, before, after } = runEdit(edit);
    const topology = { files: { lock: 'topology.lock.yaml' } };
    const planned = { plan, sides: { before: before.bundle, after: after.bundle }, topology };
    expect(manifestDiff(planned as Parameters<typeof manifestDiff>[0])).toBeNull();
  });
});

/** Elements that the page has, with their attributes; nothing else may be one. */
const TAGS = new RegExp(
  `^(?:${[
    '!doctype html',
    'html lang="en"|meta charset="utf-8"|meta name="(?:referrer|viewport|color-scheme)" content="[a-z0-9 =,.-]+"',
    `meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]{43}='; base-uri 'none'; form-action 'none'"`,
    'details(?: class="cluster" id="c\\d+")?(?: open)?|a href="#c\\d+"|th scope="(?:col|row)"|p(?: class="cut")?|nav aria-label="Clusters"',
    '/?(?:html|head|body|main|nav|title|style|h1|h2|h3|p|a|ul|li|table|thead|tbody|tr|th|td|details|summary|pre|code|b|ins|del|strong)',
  ].join('|')})$`,
);

function expectOnlyOurElements(html: string): void {
  const text = html.replace(/^<!doctype html><!-- weft:diff -->/, '<!doctype html>').replace(DIFF_STYLE, '');
  const tags = [...text.matchAll(/<([^<>]*)>/g)].map(([, tag = '']) => tag);
  expect(tags.filter((it) => !TAGS.test(it))).toEqual([]);
  // Every < and > belongs to one of them.
  expect(text.replace(/<[^<>]*>/g, '')).not.toMatch(/[<>]/);
  expect(text.replace(/<[^<>]*>/g, '').replace(/&#\d+;/g, '')).not.toContain('&');
}

/** The lines of a Markdown file outside of its blocks of code, whose fences are as CommonMark has them. */
function outsideOfFences(markdown: string): readonly string[] {
  const outside: string[] = [];
  let open: number | null = null;
  for (const line of markdown.split('\n')) {
    const [, fence = '', rest = ''] = /^ {0,3}(`{3,})(.*)$/.exec(line) ?? [];
    if (open === null && fence !== '' && !rest.includes('`')) open = fence.length;
    else if (open !== null && fence.length >= open && rest.trim() === '') open = null;
    else if (open === null) outside.push(line);
  }
  expect(open, 'a block of code is not closed').toBeNull();
  return outside;
}

const OWN_LINES =
  /^(?:|<!-- weft:diff -->|# Manifest diff of .*|\*\*.*|\|.*\||## .*|_.*_|<details><summary>[^<>]*<\/summary>|<\/details>|(?:changed|new cluster|cluster is removed|what belongs to no single cluster): [^<>]*)$/;

describe('hostile texts in a diff', () => {
  it.each(Object.entries(HOSTILE))('%s is shown, and nothing more', (_, text) => {
    // Texts as lines of files, as the name of an object, and as that of a file.
    const body = (value: string): string =>
      `kind: ${text.split('\n')[0]}\nmetadata:\n  name: ${text.replace(/\n/g, ' ')}\nvalue: ${value}\n${text}\n ${text}\n`;
    const name = text.replace(/[/\0\n]/g, '_');
    const clusters = diffOf({
      'rome/peers/milan/milan.yaml': [body('1'), body('2')],
      'rome/nftables/milan.nft': [null, text],
      [`rome/${name}.yaml`]: [`${text}\na: 1`, null],
    });
    const html = printed(clusters, HTML_DIFF, text);
    expectOnlyOurElements(html);
    const markdown = printed(clusters, MARKDOWN_DIFF, text);
    const outside = outsideOfFences(markdown);
    expect(outside.filter((it) => !OWN_LINES.test(it))).toEqual([]);
    expect(outside.filter((it) => it.startsWith('## '))).toHaveLength(1);
    for (const it of [html, markdown]) {
      expect(it).not.toContain(SECRET);
      for (const line of it.split('\n')) expect(hiddenCharacterIn(line.replaceAll('\u200b', ''))).toBeUndefined();
      expect(it).not.toMatch(/^::(?=[\w-]*[g-z_-])|##\[/m);
    }
  });

  it('a line of backticks does not end the block that it is in', () => {
    for (const fence of ['```', '````````', ' ```']) {
      const clusters = diffOf({ 'rome/x.nft': [`a\n${fence}\nb\n# heading\n`, `a\n${fence}\nc\n# heading\n`] });
      expect(outsideOfFences(printed(clusters, MARKDOWN_DIFF)).filter((it) => it.startsWith('# h'))).toEqual([]);
    }
  });

  it('the style of the page is the one that its policy names', () => {
    expect(DIFF_STYLE_HASH).toBe(`sha256-${createHash('sha256').update(DIFF_STYLE).digest('base64')}`);
    const html = printed(diffOf({ 'rome/x.yaml': ['a\n', 'b\n'] }), HTML_DIFF);
    expect(html).toContain(`<style>${DIFF_STYLE}</style>`);
    expect(html).not.toMatch(/<script|\son\w+=|\sstyle=|\ssrc=|https?:/i);
  });
});

describe('clusters with the same lines to read', () => {
  const peer = (cluster: string, to: string, more = ''): Parameters<typeof diffOf>[0] => ({
    [`${cluster}/peers/hub/hub.yaml`]: [
      `kind: A\nof: ${cluster}\ncidr: 1\n${more}`,
      `kind: A\nof: ${cluster}\ncidr: ${to}\n${more}`,
    ],
    [`${cluster}/expected/networks.yaml`]: [`cidr: ${cluster}\n`, `cidr: ${cluster}-${to}\n`],
  });

  it.each(Object.entries(LANGUAGES))('are shown once as %s, with what is folded away of each', (_, markup) => {
    const text = printed(
      diffOf({ ...peer('a', '2'), ...peer('b', '2'), ...peer('b-c', '3'), ...peer('d', '2') }),
      markup,
    );
    expect(text.match(/\+cidr: 2$/gm) ?? text.match(/<ins>\+cidr: 2/g)).toHaveLength(1);
    expect(text).toContain('+cidr: 3');
    expect(text.match(/The same lines change as in (?:<a href="#c1">)?a(?:<\/a>)?, but for its name\./g)).toHaveLength(
      2,
    );
    expect(text).toMatch(/changed; the same in (?:<a href="#c2">)?b(?:<\/a>)? and 1 more|the same in .*b.*, .*d/);
    for (const it of ['a-2', 'b-2', 'b-c-3', 'd-2']) expect(text).toContain(`+cidr: ${it}`);
  });

  it('are those that have other lines around them', () => {
    const files = { ...peer('a', '2'), ...peer('b', '2', 'more: 1\n') };
    expect(printed(diffOf(files), MARKDOWN_DIFF)).toContain('The same lines change as in a');
  });

  it.each([
    ['another file', 'south/peers/hub/x.yaml', 'of:\n  a: 1\n', 'of:\n  a: 2\n'],
    ['another object', 'south/x.yaml', 'kind: B\nof:\n  a: 1\n', 'kind: B\nof:\n  a: 2\n'],
    ['another key', 'south/x.yaml', 'kind: A\nto:\n  a: 1\n', 'kind: A\nto:\n  a: 2\n'],
    ['another list', 'south/x.yaml', 'kind: A\nto:\n- a: 1\n', 'kind: A\nto:\n- a: 2\n', 'of:\n- '],
    ['another depth', 'south/x.yaml', 'kind: A\nx:\n  of:\n    a: 1\n', 'kind: A\nx:\n  of:\n    a: 2\n'],
    ['another value', 'south/x.yaml', 'kind: A\nof:\n  a: 1\n', 'kind: A\nof:\n  a: 3\n'],
    ['another former value', 'south/x.yaml', 'kind: A\nof:\n  a: 0\n', 'kind: A\nof:\n  a: 2\n'],
    ['a new file', 'south/x.yaml', null, 'kind: A\nof:\n  a: 2\n'],
  ])('are not those in or with %s', (_, path, old, now, above = 'of:\n  ') => {
    const files = {
      'north/x.yaml': [`kind: A\n${above}a: 1\n`, `kind: A\n${above}a: 2\n`],
      'south/y.yaml': ['1\n', '1\n'],
      [path]: [old, now],
    } as const;
    expect(printed(diffOf(files), MARKDOWN_DIFF)).not.toContain('The same lines change as in');
    const same = { 'north/x.yaml': files['north/x.yaml'], 'south/x.yaml': files['north/x.yaml'] };
    expect(printed(diffOf(same), MARKDOWN_DIFF)).toContain('The same lines change as in north');
  });

  it('are not those that only look alike: of keys, the first characters are shown', () => {
    const key = (letter: string): string => `publicKey: kHl2${letter.repeat(39)}=\n`;
    const files = { 'a/x.yaml': [key('a'), key('b')], 'b/x.yaml': [key('a'), key('c')] } as const;
    const text = printed(diffOf(files), MARKDOWN_DIFF);
    expect(text.match(/^\+publicKey: kHl2\*{40}$/gm)).toHaveLength(2);
  });

  it('are not new clusters, nor the files of the whole fleet', () => {
    const files = { 'a/x.yaml': [null, 'a: 1\n'], 'b/x.yaml': [null, 'a: 1\n'] } as const;
    expect(printed(diffOf(files), MARKDOWN_DIFF)).not.toContain('The same lines change as in');
  });
});

describe('secrets in a diff', () => {
  const KEY = 'kHl2u0n3pAq4V9x7yQm1cR5tZ8wB6eD0fG2jK4sL6o8=';
  const PEM =
    '-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIFakefakefakefakefakefakefakefakefakefakefakefak\n-----END PRIVATE KEY-----';
  const secret = (value: string): string =>
    `apiVersion: v1\nkind: Secret\nmetadata:\n  name: gw-keys\n  namespace: liqo\n  annotations:\n    last: '{"data":"${value}"}'\ntype: Opaque\ndata:\n  privateKey: ${value}\n  block: |\n    ${value}\n`;

  it.each([
    ['values of a Secret', secret('aHVudGVyMg=='), secret('aHVudGVyMw=='), /aHVudGVy/],
    [
      'values of a Secret in another form',
      '{"kind": "Secret", "data": {"a": "aHVudGVyMg=="}}\n',
      '{"kind": "Secret", "data": {"a": "aHVudGVyMw=="}}\n',
      /aHVudGVy/,
    ],
    [
      'values of a Secret in a list',
      'kind: List\nitems:\n  - kind: Secret\n    data: { a: aHVudGVyMg== }\n',
      'kind: List\nitems:\n  - kind: Secret\n    data: { a: aHVudGVyMw== }\n',
      /aHVudGVy/,
    ],
    [
      'a private key',
      `kind: ConfigMap\nkey: |\n${PEM}\nb: 1\n`,
      `kind: ConfigMap\nkey: |\n${PEM}\nb: 2\n`,
      /Fakefake|BEGIN/,
    ],
    ['a private key as base64', `key: ${Buffer.from(PEM).toString('base64')}\nb: 1\n`, 'b: 2\n', /LS0tLS1CRUdJTi/],
    ['more of a key than its begin', `publicKey: ${KEY}\n`, `publicKey: ${KEY.replace('kHl2', 'aaaa')}\n`, /0n3pAq4V9/],
    [
      'a token in a URL',
      'url: https://hunter2@example.com/a.git\n',
      'url: https://hunter3@example.com/a.git\n',
      /hunter/,
    ],
  ])('%s are not shown', (_, old, now, leak) => {
    for (const markup of Object.values(LANGUAGES)) {
      const text = printed(diffOf({ 'rome/peers/milan/milan.yaml': [old, now], 'rome/old.yaml': [old, null] }), markup);
      expect(text).not.toMatch(leak);
      expect(text).toContain('milan.yaml');
    }
  });

  it('a Secret keeps its name and its keys', () => {
    const text = printed(diffOf({ 'rome/x.yaml': [secret('aHVudGVyMg=='), secret('aHVudGVyMw==')] }), MARKDOWN_DIFF);
    expect(text).toContain('Secret liqo/gw-keys');
    expect(text).toContain('-  privateKey: ***');
    expect(text).toContain('+  privateKey: ***');
  });
});

describe('a diff that is too large', () => {
  /** Lines and clusters: on a push, some more than fit. */
  const [longest, long, many] = RUNS_ALL ? [60_000, 8_000, 20_000] : [24_000, 3_000, 5_000];

  const lines = (count: number, word: string): string =>
    `${Array.from({ length: count }, (_, i) => `${word}-${i}: <&>`).join('\n')}\n`;

  it.each(drawn(Object.entries(LANGUAGES)))(
    'has its limit as %s, a share of every cluster, and counts the rest',
    (_, markup) => {
      const files = Object.fromEntries(
        Array.from({ length: 12 }, (__, i) => [
          `c${i}/peers/x/x.yaml`,
          [lines(i === 0 ? longest : long, 'old'), lines(i === 0 ? longest : long, 'new')] as const,
        ]),
      );
      const text = printed(diffOf(files), markup);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(markup.limitBytes);
      expect(Buffer.byteLength(text)).toBeGreaterThan(markup.limitBytes / 2);
      expect(text).toContain('run');
      expect(text).toMatch(/Not everything fits here/);
      for (let i = 0; i < 12; i++) expect(text).toContain(`c${i}/peers/x/x.yaml`);
      const total = /<strong>\+(\d+)|\*\*\+(\d+)/.exec(text);
      expect(Number(total?.[1] ?? total?.[2])).toBe(longest + 11 * long);
      const shown = text.match(/(?:^|<ins>)\+new/gm)?.length ?? 0;
      const left = [...text.matchAll(/more lines of this file, not shown here: \+(\d+)/g)].map(([, it]) => Number(it));
      expect(shown + left.reduce((a, b) => a + b, 0)).toBe(longest + 11 * long);
    },
  );

  it.each(drawn(Object.entries(LANGUAGES)))('has its limit as %s with thousands of clusters', (_, markup) => {
    const files = Object.fromEntries(
      Array.from({ length: many }, (__, i) => [`cluster-${i}/helm-values.yaml`, ['a: 1\n', 'a: 2\n'] as const]),
    );
    const text = printed(diffOf(files), markup);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(markup.limitBytes);
    expect(text).toContain(`${many} clusters`);
    expect(text).toMatch(/\d+ more clusters, not shown here/);
  });

  it('has its limit although names are as long as they can be', () => {
    const object = (i: number): string => `kind: A\nmetadata:\n  name: ${'n'.repeat(200)}-${i}\n`;
    const all = Array.from({ length: 5_000 }, (_, i) => object(i));
    const clusters = diffOf({
      [`rome/${'p'.repeat(3_000)}.yaml`]: [all.join('---\n'), null],
      [`rome/${'q'.repeat(3_000)}.yaml`]: [null, [...all].reverse().join('---\n')],
    });
    for (const markup of Object.values(LANGUAGES)) {
      const text = printed(clusters, { ...markup, limitBytes: 20_000 });
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    }
  });
});
