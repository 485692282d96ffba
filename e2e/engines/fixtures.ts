/** Windows in Firefox and WebKit, on the server of the worker. One browser a worker and engine. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base } from '../support/fixtures.ts'
import { EngineWindow } from './engine-window.ts'
import type { Engine } from './engine.ts'
import { Firefox, noFirefox } from './firefox.ts'
import { noWebKit, WebKit } from './webkit.ts'

export { expect } from '../support/fixtures.ts'

/** For all windows of a failed test. */
const SCREENSHOT_MS = 10_000

export const engineNames = ['Firefox', 'WebKit'] as const
export type EngineName = (typeof engineNames)[number]

/** An engine that is not installed cannot be tried. */
export const skipReasons: Readonly<Record<EngineName, string | undefined>> = {
  Firefox: noFirefox,
  WebKit: noWebKit,
}

/** Launched by the first test that needs it. */
class Engines {
  readonly #launched = new Map<EngineName, Promise<Engine>>()

  get(name: EngineName): Promise<Engine> {
    const launched = this.#launched.get(name) ?? launch(name)
    this.#launched.set(name, launched)
    return launched
  }

  async close(): Promise<void> {
    for (const launched of await Promise.allSettled(this.#launched.values()))
      if (launched.status === 'fulfilled') await launched.value.close()
  }
}

const launch = (name: EngineName): Promise<Engine> =>
  name === 'Firefox' ? Firefox.launch() : WebKit.launch()

interface EngineFixtures {
  engineName: EngineName
  engine: Engine
  /** Opens a page in a browser session of its own and waits until its text is there. Errors thrown in any page fail the test. */
  openEngineWindow: (url: string) => Promise<EngineWindow>
}

export const test = base.extend<EngineFixtures, { engines: Engines }>({
  engineName: ['Firefox', { option: true }],

  engines: [
    async ({}, use) => {
      const engines = new Engines()
      await use(engines)
      await engines.close()
    },
    { scope: 'worker' },
  ],

  engine: [
    async ({ engines, engineName }, use) => {
      const engine = await engines.get(engineName)
      await use(engine)
      await engine.closePages()
    },
    // A browser that no longer answers ends its own test alone.
    { timeout: 60_000 },
  ],

  openEngineWindow: async ({ engine }, use, info) => {
    const windows: EngineWindow[] = []
    await use(async (url) => {
      const window = new EngineWindow(await engine.newPage())
      windows.push(window)
      await window.page.open(url)
      await window.expectReady()
      return window
    })
    const all = windows.flatMap((window) => [window, ...window.popups])
    if (info.status !== info.expectedStatus) {
      // One after the other: the windows of a driver take turns. A browser that hangs has nothing to show.
      const shown = (async () => {
        for (const [index, { page }] of all.entries()) {
          const path = info.outputPath(`window-${index + 1}.png`)
          await writeFile(path, await page.screenshot())
          await info.attach(`window ${index + 1}`, { path, contentType: 'image/png' })
        }
      })()
      return Promise.race([shown.catch(() => {}), sleep(SCREENSHOT_MS)])
    }
    const errors = await Promise.all(all.map((window) => window.page.errors()))
    if (errors.flat().length > 0) throw new Error(`A page threw: ${errors.flat().join('\n')}`)
  },
})
