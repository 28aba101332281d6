/**
 * The text with `\n` as its line ends. A checkout of git may have `\r\n` instead (`core.autocrlf`, `eol=crlf`), which is no
 * difference to weft. Source: git-config, core.autocrlf.
 */
export const withLf = (text: string): string => (text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text);
