/** Windows in Firefox and WebKit, on the server of the worker. One browser a worker and engine. */
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { test as base } from '../support/fixtures.ts'
import { EngineWindow } from './engine-window.ts'
import type { Engine } from './engine.ts'
import { Firefox, noFirefoxMessage } from './firefox.ts'
import { noWebKitMessage, WebKit } from './webkit.ts'

export { expect } from '../support/fixtures.ts'

/** For all windows of a failed test. */
const SCREENSHOT_TIMEOUT_MS = 10_000

export const engineNames = ['Firefox', 'WebKit'] as const
export type EngineName = (typeof engineNames)[number]

/** An engine that is not installed cannot be tried. */
export const skipReasons: Readonly<Record<EngineName, string | undefined>> = {
  Firefox: noFirefoxMessage,
  WebKit: noWebKitMessage,
}

/** Launched by the first test that needs it. */
class EngineLauncher {
  readonly #enginesByName = new Map<EngineName, Promise<Engine>>()

  getEngine(name: EngineName): Promise<Engine> {
    const engine = this.#enginesByName.get(name) ?? launchEngine(name)
    this.#enginesByName.set(name, engine)
    return engine
  }

  async close(): Promise<void> {
    for (const engine of await Promise.allSettled(this.#enginesByName.values()))
      if (engine.status === 'fulfilled') await engine.value.close()
  }
}

const launchEngine = (name: EngineName): Promise<Engine> =>
  name === 'Firefox' ? Firefox.launch() : WebKit.launch()

interface EngineFixtures {
  engineName: EngineName
  engine: Engine
  /** Opens a page in a browser session of its own and waits until its text is there. Errors thrown in any page fail the test. */
  openEngineWindow: (url: string) => Promise<EngineWindow>
}

export const test = base.extend<EngineFixtures, { engines: EngineLauncher }>({
  engineName: ['Firefox', { option: true }],

  engines: [
    async ({}, use) => {
      const engines = new EngineLauncher()
      await use(engines)
      await engines.close()
    },
    { scope: 'worker' },
  ],

  engine: [
    async ({ engines, engineName }, use) => {
      const engine = await engines.getEngine(engineName)
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
      const screenshots = (async () => {
        for (const [index, { page }] of all.entries()) {
          const path = info.outputPath(`window-${index + 1}.png`)
          await writeFile(path, await page.screenshot())
          await info.attach(`window ${index + 1}`, { path, contentType: 'image/png' })
        }
      })()
      return Promise.race([screenshots.catch(() => {}), sleep(SCREENSHOT_TIMEOUT_MS)])
    }
    const errors = await Promise.all(all.map((window) => window.page.errors()))
    if (errors.flat().length > 0) throw new Error(`A page threw: ${errors.flat().join('\n')}`)
  },
})
