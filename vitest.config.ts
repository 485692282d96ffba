import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { alias: { '@': import.meta.dirname }, conditions: ['node', 'default'] },
  ssr: { resolve: { conditions: ['node', 'default'] } },
  test: {
    include: ['{app,bench,components,docs,e2e,lib,scripts,server}/**/*.test.ts'],
    environment: 'node',
    watch: false,
    pool: 'forks',
    // Tests start servers and workers of their own: more files at once than cores only makes them slow together.
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
  },
})
