import type { Commit, Forge } from './forge.ts';

/**
 * Writes a commit whose message ends with the sign-off of its author. Most tokens of jobs may not read whose they are, so the
 * forge tells it with a commit that no branch contains.
 */
export async function writeSignedOff(forge: Forge, commit: Omit<Commit, 'id'>): Promise<string> {
  const { name, email } = await forge.authorOf(await forge.writeCommit(commit));
  return forge.writeCommit({ ...commit, message: `${commit.message.trimEnd()}\nSigned-off-by: ${name} <${email}>\n` });
}
