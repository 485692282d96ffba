import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import type { TestOptions } from './e2e/fixtures/test.ts'
import { chromiumArguments, findTestBrowser } from './e2e/fixtures/chromium.ts'

// As in vitest.config.ts.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/compiled')

const executablePath = findTestBrowser()
/** What `npm test` leaves to `npm run test:all`: the matrices, the looks of pages, long waits. */
const longTests = /@long\b|\/looks\.spec\.ts|scenarios\//
const engineTests = 'engines/**'

export default defineConfig<TestOptions>({
  testDir: 'e2e',
  // Beside them lie tests without a browser.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/fixtures/global-setup.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that passes at the second try found something: it fails.
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['html', { open: 'never' }], ['./e2e/fixtures/unfinished-tests.ts']],
  use: {
    // What hangs is named, instead of the whole test running out of its time.
    actionTimeout: 60_000,
    navigationTimeout: 60_000,
    browserName: 'chromium',
    launchOptions: { args: chromiumArguments, ...(executablePath && { executablePath }) },
    ignoreHTTPSErrors: true,
    reducedMotion: 'reduce',
    // It fetches every script of the site once more, in each new context.
    serviceWorkers: 'block',
    // Recording a trace of each test costs a fifth of the whole run: `npm run test:e2e -- --trace on` has them.
    trace: 'off',
    screenshot: 'only-on-failure',
  },
  projects: [
    { name: 'flows', grepInvert: longTests, testIgnore: engineTests },
    { name: 'long', grep: longTests, testIgnore: engineTests },
    // Firefox and WebKit, driven by their own protocols.
    { name: 'engines', testDir: 'e2e/engines', use: { screenshot: 'off' } },
  ],
})
