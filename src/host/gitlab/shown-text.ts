/**
 * Markdown that GitLab stores as it is. A line that begins with a slash and the name of a quick action would run that action with
 * the rights of the token, and disappear: `/merge`, `/close`. So every such line gets a backslash, which no reader sees. In code
 * GitLab runs none, but what it takes for code is not asked: there the backslash is shown.
 * Source: docs.gitlab.com, "GitLab quick actions".
 */
export const shownText = (markdown: string): string => markdown.replace(/^([ \t]*)\/(?=\w)/gm, '$1\\/');

/** What was written, from what GitLab has stored. */
export const writtenText = (stored: string): string => stored.replace(/^([ \t]*)\\\/(?=\w)/gm, '$1/');
