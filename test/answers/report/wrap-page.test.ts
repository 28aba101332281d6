import { expect, it } from 'vitest';
import { wrapPage } from '../../../src/answers/report/explained.ts';

const PAGE = `# a/code

A sentence that goes on and
on, over two lines.

- an entry that is longer than the line
- short

\`\`\`yaml
clusters: { rome: { podCIDR: 10.202.0.0/16 } }

peerings: []
\`\`\`
`;

it('breaks paragraphs anew and entries of lists with an indentation, and leaves code as it is', () => {
  expect(wrapPage(PAGE, 20)).toBe(`# a/code

A sentence that goes
on and on, over
two lines.

- an entry that is
  longer than the
  line
- short

\`\`\`yaml
clusters: { rome: { podCIDR: 10.202.0.0/16 } }

peerings: []
\`\`\`
`);
});

it('changes nothing for a pipe, or where every line fits', () => {
  expect(wrapPage(PAGE, undefined)).toBe(PAGE);
  expect(wrapPage(PAGE, 80)).toBe(PAGE);
});
