export { countOf, listOf, someOf } from '../core/words.ts';
