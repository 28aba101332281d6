import { chance } from '../../laws/chance.ts';

/** Characters with a meaning in YAML, alone and in combinations that are easily misread. */
const PIECES = [
  ...' \n\t\r:#-,.[]{}"\'|>&*!%@`?~<=+\\/\u0001\u00a0\u00e9\u2028\ufeff\u{1f600}019aeEnxy_$()'.split(/(?:)/u),
  ...[
    '  ',
    '    ',
    ': ',
    ' #',
    '# ',
    '- ',
    '\n\n',
    '\n ',
    '\n  ',
    '---\n',
    '---',
    '...\n',
    '--- ',
    '- - ',
    '? ',
    '\n---\n',
  ],
  ...[
    '|',
    '|-',
    '|+',
    '>',
    '>-',
    '|2',
    '| ',
    '|\n',
    '|-\n',
    '""',
    "''",
    '"a"',
    '"a": b',
    '[]',
    '{}',
    '[a]',
    '{a: b}',
    ' []',
    ' {}',
  ],
  ...[
    'null',
    'Null',
    'true',
    'FALSE',
    'yes',
    'no',
    'on',
    '~',
    '0x1f',
    '0o7',
    '1e3',
    '1.5',
    '.5',
    '-1',
    '-0',
    '+1',
    '.inf',
    '.nan',
  ],
  ...[
    '017',
    '1_000',
    '12:30:45',
    '2001-01-01',
    '99999999999999999999',
    'a:b',
    'a: b',
    'a:',
    ':a',
    'a #b',
    'a#b',
    'null:',
    '<<: ',
  ],
  ...[
    '\\n',
    '\\"',
    '\\\\',
    '\\x41',
    '\\u0041',
    '\\U00000041',
    '\\/',
    '\\ ',
    '\\q',
    '\\x4',
    '\\ud800',
    '&a ',
    '*a',
    '!!str ',
    '%YAML 1.2\n',
  ],
];

/** A text with some edits of a few characters, or of a line, that a seed decides. */
export function mutateText(text: string, seed: number): string {
  const next = chance(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  let mutated = text;
  for (let edits = 1 + below(3); edits > 0; edits--)
    mutated = below(3) === 0 ? editLine(mutated, below) : editPiece(mutated, below);
  return mutated;
}

type Below = (limit: number) => number;

function editPiece(text: string, below: Below): string {
  // Ends of lines, quotes, colons and dashes are where most mistakes of a reader would be.
  const marks = [...text.matchAll(/[\n:"#|-]/g)];
  const mark = marks[below(marks.length)];
  const at = mark !== undefined && below(2) === 0 ? mark.index + below(3) - 1 : below(text.length + 1);
  const start = Math.max(0, at);
  const removed = below(3) === 0 ? 0 : below(4);
  const piece = below(4) === 0 ? '' : (PIECES[below(PIECES.length)] as string);
  return text.slice(0, start) + piece + text.slice(start + removed);
}

function editLine(text: string, below: Below): string {
  const lines = text.split('\n');
  const at = below(lines.length);
  const line = lines[at] as string;
  const other = lines[below(lines.length)] as string;
  switch (below(7)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(at, 0, other);
      break;
    case 2:
      lines[at] = other;
      break;
    case 3:
      lines[at] = ' '.repeat(1 + below(3)) + line;
      break;
    case 4:
      lines[at] = line.replace(/^ {1,2}/, '');
      break;
    case 5:
      lines.splice(
        at,
        0,
        ['', '  ', '# a', '  # a', '---', '...', '- a', '  a', 'a: b', 'a:', '-'][below(11)] as string,
      );
      break;
    default:
      lines.length = at;
  }
  return lines.join('\n');
}
