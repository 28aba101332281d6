import { expect, it } from 'vitest';
import { cidrText } from '../../../src/live/import/finding.ts';

it('never leaves a gap in a message where an object has no network, or an empty one', () => {
  expect(cidrText(['10.0.0.0/16', '10.1.0.0/16'])).toBe('10.0.0.0/16, 10.1.0.0/16');
  expect(cidrText([])).toBe('none');
  expect(cidrText([''])).toBe('none');
  expect(cidrText(['', '10.1.0.0/16'])).toBe('10.1.0.0/16');
});
