const encoder = new TextEncoder();

/** The object name that git gives to a text, so that texts that the forge already has are not sent. Source: git, Documentation gitformat. */
export async function blobId(text: string): Promise<string> {
  const bytes = encoder.encode(text);
  const head = encoder.encode(`blob ${bytes.length}\0`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return hexOf(await crypto.subtle.digest('SHA-1', whole));
}

/** SHA-256 of a text, in hex. */
export const digestOf = async (text: string): Promise<string> =>
  hexOf(await crypto.subtle.digest('SHA-256', encoder.encode(text)));

const hexOf = (hash: ArrayBuffer): string =>
  [...new Uint8Array(hash)].map((it) => it.toString(16).padStart(2, '0')).join('');
