import { visibleText } from '../../base/core/visible-text.ts';

/**
 * Escapes text for Markdown, so that it contains no markup, link, formula, or mention of a user, an issue or a commit.
 * GitHub notifies mentioned users, and closes issues. It finds mentions, references and addresses in the rendered text,
 * which has no backslashes, so a zero-width space separates their parts. Source: GitHub Flavored Markdown 6.9 for
 * addresses; docs.github.com, "Autolinked references and URLs", and "Writing mathematical expressions" for the dollar
 * sign.
 */
export const markdownText = (text: string): string =>
  visibleText(text)
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/[\\`*_[\]|~]/g, '\\$&')
    .replace(/#/g, '\\#\u200b')
    .replace(/@/g, '@\u200b')
    .replace(/\b(GH)-(?=\d)/gi, '$1-\u200b')
    .replace(/\b(https?|ftp|mailto|xmpp):/gi, '$1:\u200b')
    // GitLab's references to merge requests, milestones, epics, and another form for issues. Source: docs.gitlab.com,
    // "GitLab Flavored Markdown", "GitLab-specific references".
    .replace(/[!%](?=["\d])/g, '$&\u200b')
    .replace(/&amp;(?=\d)/g, '$&\u200b')
    .replace(/\\\[(?=(?:issue|work\\_item|epic):)/gi, '$&\u200b')
    .replace(/\bwww\./gi, 'www\u200b.')
    .replace(/:(?=[\w+-]+:)/g, ':\u200b')
    .replace(/\$/g, '<span>$$</span>');

/** A table in Markdown, after an empty line; empty without rows. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.map((it) => it.replace(/\|/g, '\\|')).join(' | ')} |`;
  return rows.length === 0 ? [] : ['', row(titles), row(titles.map(() => '---')), ...rows.map(row)];
}
