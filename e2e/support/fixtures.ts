/** One real server a worker; every window in a browser context of its own, so that no BroadcastChannel hides a dead link. */
import { test as base } from '@playwright/test'
import type { Browser, BrowserContext, ConsoleMessage } from '@playwright/test'
import { openDoor } from './documents.ts'
import type { Door } from './documents.ts'
import { TestServer } from './server.ts'
import type { Scheme } from './server.ts'
import { Window } from './window.ts'
import type { TransportName } from './window.ts'

export { expect } from '@playwright/test'

export interface Options {
  /** What windows are told before their first link; undefined: what a newcomer has. */
  transport: TransportName | undefined
  scheme: Scheme
}

interface Fixtures {
  /** Fails a test whose pages, in whichever window, met the policy they came with. */
  policyReports: string[]
  door: Door
  /**
   * Opens a page in a context of its own and waits until its text is there, unless `ready` is false. Errors thrown in any page
   * fail the test.
   */
  openWindow: (url: string, options?: { ready: boolean }) => Promise<Window>
  /** The same beside other windows of one browser. */
  openWindowOf: (context: BrowserContext, url: string, options?: { ready: boolean }) => Promise<Window>
}

export const test = base.extend<Options & Fixtures, { server: TestServer }>({
  transport: [undefined, { option: true }],
  scheme: ['https', { option: true }],

  server: [
    async ({}, use) => {
      const server = await TestServer.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],

  policyReports: [
    async ({ browser }, use) => {
      const reports: string[] = []
      const unwatch = watchConsoles(browser, (message) => {
        if (policyReport.test(message.text())) reports.push(message.text())
      })
      await use(reports)
      unwatch()
      if (reports.length > 0) throw new Error(`The security policy was not met: ${reports.join('\n')}`)
    },
    { auto: true },
  ],

  door: async ({ server, scheme, playwright }, use, info) => {
    const from = server.output.length
    const door = await openDoor(playwright, server, scheme)
    await use(door)
    await door.close()
    server.proxy(scheme).heal()
    if (info.status !== info.expectedStatus) {
      await info.attach('server', { body: server.output.slice(from), contentType: 'text/plain' })
    }
  },

  openWindow: async ({ browser, transport }, use) => {
    await using windows = new Opened(transport)
    await use(async (url, options) => windows.open(await browser.newContext(), url, options))
  },

  openWindowOf: async ({ transport }, use) => {
    await using windows = new Opened(transport)
    await use((context, url, options) => windows.open(context, url, options))
  },
})

/** As browsers say it, whichever of our headers it was. */
const policyReport = /Content Security Policy|Permissions-Policy|Cross-Origin-Resource-Policy/i

/** Of every page of the browser, popups included. Returns the undo. */
function watchConsoles(browser: Browser, onMessage: (message: ConsoleMessage) => void): () => void {
  const watch = (context: BrowserContext) => context.on('console', onMessage)
  browser.on('context', watch)
  for (const context of browser.contexts()) watch(context)
  return () => {
    browser.off('context', watch)
    for (const context of browser.contexts()) context.off('console', onMessage)
  }
}

/** The windows of one test: closed at its end, which fails where one of their pages threw. */
class Opened implements AsyncDisposable {
  readonly #windows: Window[] = []
  readonly #transport: TransportName | undefined

  constructor(transport: TransportName | undefined) {
    this.#transport = transport
  }

  async open(context: BrowserContext, url: string, { ready } = { ready: true }): Promise<Window> {
    const transport = this.#transport
    if (transport) await context.addInitScript(rememberTransport, transport)
    const window = await Window.openIn(context, url)
    this.#windows.push(window)
    if (!ready) return window
    await window.expectReady()
    if (transport) await window.expectInUse(transport)
    return window
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors = this.#windows.flatMap((window) => window.errors)
    for (const window of this.#windows) await window.close()
    if (errors.length > 0) throw new Error(`A page threw: ${errors.join('\n')}`)
  }
}

/** In the page: the first choice, which a person may change. */
function rememberTransport(transport: string): void {
  const key = 'diptych.transport'
  if (localStorage.getItem(key) === null) localStorage.setItem(key, transport)
}
