import { visibleText } from '../../base/core/visible-text.ts';

/**
 * Text from outside in Markdown, shown as it is: no markup, no link, no formula, no mention of a person, an issue or a
 * commit of another repository. GitHub notifies whoever is mentioned, and closes issues.
 *
 * GitHub looks for mentions, references and addresses in the text that Markdown gives, where a backslash is gone; a space
 * without width between their parts stays. Source: GitHub Flavored Markdown 6.9 for addresses; docs.github.com, "Autolinked
 * references and URLs", and "Writing mathematical expressions" for the dollar sign.
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
    // References of GitLab to merge requests, milestones, epics, and to issues in another form. Source: docs.gitlab.com, "GitLab Flavored
    // Markdown", "GitLab-specific references".
    .replace(/[!%](?=["\d])/g, '$&\u200b')
    .replace(/&amp;(?=\d)/g, '$&\u200b')
    .replace(/\\\[(?=(?:issue|work\\_item|epic):)/gi, '$&\u200b')
    .replace(/\bwww\./gi, 'www\u200b.')
    .replace(/:(?=[\w+-]+:)/g, ':\u200b')
    .replace(/\$/g, '<span>$$</span>');

/** A table in Markdown, with an empty line above; nothing without rows. */
export function markdownTable(titles: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const row = (cells: readonly string[]) => `| ${cells.map((it) => it.replace(/\|/g, '\\|')).join(' | ')} |`;
  return rows.length === 0 ? [] : ['', row(titles), row(titles.map(() => '---')), ...rows.map(row)];
}
