import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: process.env['CI'] ? ['default'] : ['dot'],
  },
});
