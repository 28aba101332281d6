/**
 * Whether two texts of a pull request or comment are equal. GitHub keeps CRLF if a browser sent it, and the number of the
 * run that wrote a text does not count.
 */
export const sameText = (a: string, b: string): boolean => normalized(a) === normalized(b);

const normalized = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    .replace(/\/actions\/runs\/\d+/g, '/actions/runs/0')
    .trimEnd();
