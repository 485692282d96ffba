/**
 * Fixtures: one real server for each worker, and every window in its own browser context,
 * so that no BroadcastChannel hides a dead link.
 */
import { test as base } from '@playwright/test'
import type { Browser, BrowserContext, ConsoleMessage } from '@playwright/test'
import { openDocumentApi } from './document-api.ts'
import type { DocumentApi } from './document-api.ts'
import { BrowserTestServer } from './browser-test-server.ts'
import type { Scheme } from './browser-test-server.ts'
import { DocumentWindow } from './document-window.ts'
import type { NetworkTransportId } from '../../lib/transports/descriptors.ts'

export { expect } from '@playwright/test'

export interface TestOptions {
  /** The transport that windows use from their first link; undefined for a new person's default. */
  transport: NetworkTransportId | undefined
  scheme: Scheme
}

interface TestFixtures {
  /** Fails a test when a page in any window violated its security policy. */
  policyReports: string[]
  door: DocumentApi
  /**
   * Opens a page in its own context and waits until its text is there, unless `ready` is
   * false. Errors thrown in any page fail the test.
   */
  openWindow: (url: string, options?: { ready: boolean }) => Promise<DocumentWindow>
  /** Does the same in the context of other windows. */
  openWindowIn: (
    context: BrowserContext,
    url: string,
    options?: { ready: boolean },
  ) => Promise<DocumentWindow>
}

export const test = base.extend<TestOptions & TestFixtures, { server: BrowserTestServer }>({
  transport: [undefined, { option: true }],
  scheme: ['https', { option: true }],

  server: [
    async ({}, use) => {
      const server = await BrowserTestServer.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],

  policyReports: [
    async ({ browser }, use) => {
      const reports: string[] = []
      const stopWatching = watchConsoles(browser, (message) => {
        if (policyReportPattern.test(message.text())) reports.push(message.text())
      })
      await use(reports)
      stopWatching()
      if (reports.length > 0) throw new Error(`The security policy was not met: ${reports.join('\n')}`)
    },
    { auto: true },
  ],

  door: async ({ server, scheme, playwright }, use, info) => {
    const from = server.output.length
    const documentApi = await openDocumentApi(playwright, server, scheme)
    await use(documentApi)
    await documentApi.close()
    server.proxy(scheme).heal()
    if (info.status !== info.expectedStatus) {
      await info.attach('server', { body: server.output.slice(from), contentType: 'text/plain' })
    }
  },

  openWindow: async ({ browser, transport }, use) => {
    await using windows = new OpenWindows(transport)
    await use(async (url, options) => windows.open(await browser.newContext(), url, options))
  },

  openWindowIn: async ({ transport }, use) => {
    await using windows = new OpenWindows(transport)
    await use((context, url, options) => windows.open(context, url, options))
  },
})

/** Matches the reports of browsers, whichever of our headers it was. */
const policyReportPattern = /Content Security Policy|Permissions-Policy|Cross-Origin-Resource-Policy/i

/** Watches every page of the browser, popups included. Returns the undo. */
function watchConsoles(browser: Browser, onMessage: (message: ConsoleMessage) => void): () => void {
  const watch = (context: BrowserContext) => context.on('console', onMessage)
  browser.on('context', watch)
  for (const context of browser.contexts()) watch(context)
  return () => {
    browser.off('context', watch)
    for (const context of browser.contexts()) context.off('console', onMessage)
  }
}

/** The windows of one test. It closes them at the end, and fails when one of their pages threw. */
class OpenWindows implements AsyncDisposable {
  readonly #windows: DocumentWindow[] = []
  readonly #transport: NetworkTransportId | undefined

  constructor(transport: NetworkTransportId | undefined) {
    this.#transport = transport
  }

  async open(context: BrowserContext, url: string, { ready } = { ready: true }): Promise<DocumentWindow> {
    const transport = this.#transport
    if (transport) await context.addInitScript(rememberTransport, transport)
    const window = await DocumentWindow.openIn(context, url)
    this.#windows.push(window)
    if (!ready) return window
    await window.expectReady()
    if (transport) await window.expectTransport(transport)
    return window
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors = this.#windows.flatMap((window) => window.errors)
    for (const window of this.#windows) await window.close()
    if (errors.length > 0) throw new Error(`A page threw: ${errors.join('\n')}`)
  }
}

/** Runs in the page: sets the first choice, which a person may change. */
function rememberTransport(transport: string): void {
  const key = 'diptych.transport'
  if (localStorage.getItem(key) === null) localStorage.setItem(key, transport)
}
