/** One real server a worker; every window in a browser context of its own, so that no BroadcastChannel hides a dead link. */
import { test as base } from '@playwright/test'
import type { BrowserContext } from '@playwright/test'
import { openDoor } from './documents.ts'
import type { Door } from './documents.ts'
import { TestServer } from './server.ts'
import type { Scheme } from './server.ts'
import { Window } from './window.ts'
import type { TransportName } from './window.ts'

export { expect } from '@playwright/test'

export interface Options {
  transport: TransportName
  scheme: Scheme
}

interface Fixtures {
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
  transport: ['websocket', { option: true }],
  scheme: ['https', { option: true }],

  server: [
    async ({}, use) => {
      const server = await TestServer.start()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
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

  openWindow: async ({ browser }, use) => {
    await using windows = new Opened()
    await use((url, options) => windows.keep(Window.open(browser, url), options))
  },

  openWindowOf: async ({}, use) => {
    await using windows = new Opened()
    await use((context, url, options) => windows.keep(Window.openIn(context, url), options))
  },
})

/** The windows of one test: closed at its end, which fails where one of their pages threw. */
class Opened implements AsyncDisposable {
  readonly #windows: Window[] = []

  async keep(opening: Promise<Window>, { ready } = { ready: true }): Promise<Window> {
    const window = await opening
    this.#windows.push(window)
    if (ready) await window.expectReady()
    return window
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const errors = this.#windows.flatMap((window) => window.errors)
    for (const window of this.#windows) await window.close()
    if (errors.length > 0) throw new Error(`A page threw: ${errors.join('\n')}`)
  }
}
