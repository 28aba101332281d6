/** What people call things on a forge. Messages and texts of weft say "pull request" and `#12` unless the forge has other words. */
export interface ForgeWords {
  /** Of the forge: `GitHub`. */
  readonly name: string;
  readonly pull: 'pull request' | 'merge request';
  /** Before the number of one. */
  readonly mark: '#' | '!';
  /** Below a proposal: why its checks may not start; empty where they do. */
  readonly checksNote: string;
  /** What to do when labels are declined, and when teams are. */
  readonly labelsHint: string;
  readonly teamsHint: string;
}

/** A message in the words of a forge. What is in quotes are names of users, which stay. */
export function inWordsOf({ pull, mark }: Pick<ForgeWords, 'pull' | 'mark'>): (message: string) => string {
  if (pull === 'pull request') return (message) => message;
  const worded = (text: string): string =>
    text
      .replace(/\bpull request/g, pull)
      .replace(/\bmerge queue/g, 'merge train')
      .replace(/(?<![\w/#&-])#(?=\d)/g, mark);
  return (message) =>
    message
      .split(/("[^"\n]*")/)
      .map((part, index) => (index % 2 === 1 ? part : worded(part)))
      .join('');
}
