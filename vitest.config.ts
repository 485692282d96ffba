import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

// For threads and programs that tests start: hundreds of stores have a thread each, and reading its TypeScript anew is two thirds of its start.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

/** Whole matrices and long waits, wherever they are; and what chaos and faults do to real servers. */
const longTests = [
  '{app,bench,components,docs,e2e,lib,scripts,server}/**/*.long.test.ts',
  'e2e/{chaos,faults}/*.test.ts',
]

/** Start servers, workers or processes of their own. */
const realTests = ['{docs,e2e,scripts,server}/**/*.test.ts', '{app,bench,components,lib}/**/*.real.test.ts']

/** Test what stands in tables: the project `real` runs them on SQLite, the project `postgres` on PostgreSQL. */
const onEachStore = [
  'server/access/create-access.test.ts',
  'server/api/*-{document,list,rights,routes}.test.ts',
  'server/api/create-api.test.ts',
  'server/rooms/*-on-nodes.test.ts',
  'server/proposals/{accept-proposal,proposal-life}.test.ts',
  'server/{retention,versions}/{retention,versions}.test.ts',
  'server/store/document-sizes.test.ts',
  'server/search/search.test.ts',
  'server/storage/storage-quota.test.ts',
  'server/files/files.test.ts',
]

/** Try a few of their runs in `npm test`; the project `long` tries all (lib/fixtures/runs.ts). */
export const triedMore = [
  'components/blocks/table/concurrent-tables.test.ts',
  'e2e/chaos/editor/{bad-input,seeds,stock-session}.test.ts',
  'lib/client.real.test.ts',
  'lib/export/docx/{docx-round-trip,write-docx}.test.ts',
  'lib/export/write-html.test.ts',
  'lib/files/file-uploads.real.test.ts',
  'lib/import/read-archive.test.ts',
  'server/api/{export,metered}-routes.test.ts',
  'server/retention/retention.test.ts',
  'server/gateways/y-websocket.test.ts',
  'server/rooms/{costly-edits,documents-in-memory,hostile-updates,large-text,rooms}.test.ts',
  'server/search/killed-indexing.test.ts',
  'server/sessions/slow-readers.test.ts',
]

const resolve = { alias: { '@': import.meta.dirname }, conditions: ['node', 'default'] }
const ssr = { resolve: { conditions: ['node', 'default'] } }

/** Starts one PostgreSQL for those tests that ask for it. */
const globalSetup = ['server/store/fixtures/postgres-global-setup.ts']

/** To end what hangs, and never what is slow: beside other work on the same cores a test that moves megabytes takes ten times as long. */
const timeouts = { testTimeout: 60_000, hookTimeout: 60_000, expect: { poll: { timeout: 55_000 } } }

export default defineConfig({
  test: {
    watch: false,
    // Servers and their clients mostly wait for each other, which leaves room for twice as many as two cores.
    maxWorkers: 4,
    maxConcurrency: 20,
    projects: [
      {
        resolve,
        ssr,
        test: {
          name: 'pure',
          include: ['{app,bench,components,lib}/**/*.test.ts'],
          exclude: [...realTests, ...longTests],
          pool: 'threads',
          // A file leaves nothing behind, so that all of them share their imports.
          isolate: false,
          ...timeouts,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'real',
          include: realTests,
          exclude: longTests,
          pool: 'forks',
          isolate: false,
          globalSetup,
          setupFiles: ['server/fixtures/end-children.ts'],
          ...timeouts,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'postgres',
          include: onEachStore,
          // Who pays for a request does not depend on the store.
          exclude: ['server/api/metered-routes.test.ts'],
          pool: 'forks',
          isolate: false,
          env: { TEST_STORE: 'postgres' },
          globalSetup,
          setupFiles: ['server/fixtures/end-children.ts', 'server/store/fixtures/require-postgres.ts'],
          ...timeouts,
        },
      },
      {
        resolve,
        ssr,
        test: {
          name: 'long',
          include: [...longTests, ...triedMore],
          env: { TEST_RUNS: 'all' },
          pool: 'forks',
          globalSetup,
          setupFiles: ['server/fixtures/end-children.ts'],
          ...timeouts,
        },
      },
    ],
  },
})
