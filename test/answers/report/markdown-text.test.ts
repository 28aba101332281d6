import { describe, expect, it } from 'vitest';
import { markdownText } from '../../../src/answers/report/markdown-text.ts';
import { codeSpan, commitText } from '../../../src/host/forge/markdown-text.ts';
import { HOSTILE } from '../../support/hostile-text.ts';
import { lineFaults, markdownFaults } from '../../support/line-faults.ts';

describe.each(Object.entries(HOSTILE))('%s', (_, text) => {
  it('is harmless in Markdown', () => {
    expect(markdownFaults(`| ${markdownText(text)} |`)).toEqual([]);
    expect(markdownText(text)).not.toMatch(/(?<!\\)\||\n/);
  });

  it('does not leave its code span', () => {
    const span = codeSpan(text);
    const [, fence = '', inside = ''] = /^(`+)([\s\S]*[^`])\1$/.exec(span) ?? [];
    expect(fence).not.toBe('');
    expect(inside).not.toMatch(new RegExp(`(?<!\`)${fence}(?!\`)|(?<!\\\\)\\||\\n`));
    expect(lineFaults(span)).toEqual([]);
  });

  it('mentions nobody and closes nothing in the message of a commit', () => {
    const line = commitText(text);
    expect(lineFaults(line)).toEqual([]);
    expect(line).not.toMatch(/@|#|\bGH-\d/);
  });
});

it.each(['!12', '&7', '%3', '%"1.0"', '[issue:5]', '[work_item:5]', 'acme/fleet!12', '#12', '@all'])(
  'has no reference of GitLab in it: %s',
  (reference) => {
    // The text as GitLab reads it, without the escapes of Markdown.
    const seen = markdownText(`see ${reference}.`)
      .replace(/&amp;/g, '&')
      .replace(/\\(?=[[\]#!_])/g, '');
    expect(seen.replace(/\u200b/g, '')).toBe(`see ${reference}.`);
    expect(seen).not.toContain(reference);
  },
);
