import { defineConfig } from '@playwright/test'
import type { Options } from './e2e/support/fixtures.ts'
import { chromiumArguments, findChromium } from './e2e/support/chromium.ts'

const executablePath = findChromium()
const project = (transport: Options['transport'], scheme: Options['scheme']) => ({
  name: `${transport} ${scheme}`,
  testDir: 'e2e/transports',
  use: { transport, scheme },
})
/** Programs in Node try every transport far harder (e2e/faults, e2e/chaos): here it is tried what only a browser can show. */
const doors = [
  // What depends on the browser's pool of connections is tried where they are shared.
  { ...project('websocket', 'https'), grepInvert: /@pool/ },
  // What depends on no transport was tried at the first.
  { ...project('sse', 'https'), grepInvert: /@first/ },
  // What depends on the door, and not on the transport alone.
  ...(['websocket', 'sse'] as const).map((transport) => ({ ...project(transport, 'http'), grep: /@door/ })),
  // They share their way up with sse, and most of what is behind it: what differs is tried.
  ...(['stream', 'long-poll', 'poll'] as const).map((transport) => ({
    ...project(transport, 'https'),
    grep: /@every/,
  })),
]

export default defineConfig<Options>({
  testDir: 'e2e',
  // Beside them lie tests without a browser.
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  globalSetup: './e2e/support/prepare.ts',
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // A test that passes at the second try found something: it fails.
  retries: 0,
  workers: 2,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['html', { open: 'never' }]],
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
    // Pictures of every frame cost a tenth of the whole run, and tell less than the trace's copies of the page.
    trace: { mode: 'retain-on-failure', screenshots: false },
    screenshot: 'only-on-failure',
  },
  projects: [
    ...doors,
    {
      name: 'offline',
      testDir: 'e2e/offline',
      use: { transport: 'websocket', scheme: 'https', serviceWorkers: 'allow' },
    },
    { name: 'sharing', testDir: 'e2e/sharing', use: { transport: 'sse', scheme: 'http' } },
    {
      name: 'faults',
      testDir: 'e2e/faults',
      use: { transport: 'websocket', scheme: 'https' },
    },
    { name: 'windows', testDir: 'e2e/windows', use: { transport: 'websocket', scheme: 'https' } },
    { name: 'latency', testDir: 'e2e/latency', use: { transport: 'websocket', scheme: 'https' } },
    { name: 'scenarios', testDir: 'e2e/scenarios', use: { transport: 'websocket', scheme: 'https' } },
    { name: 'lab', testDir: 'e2e/lab', use: { transport: 'websocket', scheme: 'https' } },
    // Firefox and WebKit, driven by their own protocols.
    {
      name: 'engines',
      testDir: 'e2e/engines',
      use: { transport: 'websocket', scheme: 'https', trace: 'off', screenshot: 'off' },
    },
    { name: 'pages', testDir: 'e2e/pages', use: { transport: 'websocket', scheme: 'https' } },
  ],
})
