/**
 * Whether two texts of a pull request or comment say the same. GitHub keeps CRLF where a browser sent it, and the number of
 * the run that wrote a text is no news.
 */
export const sameText = (a: string, b: string): boolean => normalized(a) === normalized(b);

const normalized = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\/actions\/runs\/\d+/g, '/actions/runs/0')
    .trimEnd();
