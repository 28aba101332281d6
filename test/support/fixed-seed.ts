import fc from 'fast-check';

/**
 * Laws draw the same examples on every machine, so that a red run means the change and not the dice. Another number draws
 * others: `LAW_SEED=7 npx vitest run --config test/vitest.config.ts`.
 */
fc.configureGlobal({ seed: Number(process.env['LAW_SEED'] ?? 20_261_121) });
