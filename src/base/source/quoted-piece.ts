import { shortened } from '../core/words.ts';

/** Longest piece of a file that a message repeats, in UTF-16 code units. */
const LONGEST = 60;

/** A piece of a file, cut where it would be too long for a message. */
export const shortenedPiece = (text: string): string => shortened(text, LONGEST);

/** A piece of a file in quotes. */
export const quotedPiece = (text: string): string => `"${shortenedPiece(text)}"`;
