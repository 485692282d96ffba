/** WebKitGTK's MiniBrowser by WebDriver, on a display that nobody sees. */
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from '@playwright/test'
import { Builder, Capabilities, error, Key } from 'selenium-webdriver'
import type { WebDriver, WebElement } from 'selenium-webdriver'
import { findFreePorts } from '../support/free-ports.ts'
import { findElement, isStill, pathOf, readElement, readErrors, recordErrors } from './engine.ts'
import type { ElementQuery, ElementReading, Engine, EnginePage } from './engine.ts'
import { findExecutableFile, findExecutable, EngineProgram } from './engine-program.ts'
import type { ProcessEnvironment } from './engine-program.ts'

const driverPath = findExecutable('WebKitWebDriver')
const browserPath = findExecutableFile('/usr/lib{,/*,exec}/webkit2gtk-*/MiniBrowser')
const displayPath = findExecutable('Xvfb')

export const noWebKitMessage =
  driverPath && browserPath && displayPath
    ? undefined
    : 'WebKitGTK is not installed: apt-get install webkit2gtk-driver xvfb'

/** A fast human. */
const KEY_INTERVAL_MS = 25

/** Until a program or a window is there, on a busy machine. */
const START_TIMEOUT_MS = 45_000

/** A page that does not load is named before its test runs out of time: the driver's own limit is five minutes. */
const PAGE_LOAD_TIMEOUT_MS = 60_000

/** A driver has one browser, and a browser one session: a page needs both for itself. */
interface WebDriverSession extends AsyncDisposable {
  readonly driver: WebDriver
}

export class WebKit implements Engine {
  readonly #display: EngineProgram
  readonly #folder: string
  readonly #environment: Partial<ProcessEnvironment>
  readonly #sessions: WebDriverSession[] = []

  private constructor(display: EngineProgram, number: string, folder: string) {
    this.#display = display
    this.#folder = folder
    this.#environment = {
      DISPLAY: `:${number}`,
      GDK_BACKEND: 'x11',
      // Without a graphics card WebKit's compositor draws by several threads, and takes as much processor time as the page.
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      // Without this, the accessibility bridge starts a bus that outlives the browser.
      NO_AT_BRIDGE: '1',
      DBUS_SESSION_BUS_ADDRESS: 'disabled:',
    }
  }

  static async launch(): Promise<WebKit> {
    const folder = await mkdtemp(join(tmpdir(), 'diptych-webkit-'))
    await mkdir(join(folder, 'gtk-3.0'))
    // Pages read it as "prefers reduced motion".
    await writeFile(join(folder, 'gtk-3.0/settings.ini'), '[Settings]\ngtk-enable-animations=0\n')
    const options = '-displayfd 3 -screen 0 1600x1000x24 -nolisten tcp'
    const display = new EngineProgram(displayPath!, options.split(' '))
    return new WebKit(display, await display.readFirstLine(), folder)
  }

  async newPage(): Promise<EnginePage> {
    const session = await this.#newSession()
    this.#sessions.push(session)
    return new WebKitPage(session.driver, await session.driver.getWindowHandle())
  }

  /**
   * A browser serves one test. In one that had served several, 2 of some 100 navigations never began: the page's next process was there
   * and asked for nothing.
   */
  async closePages(): Promise<void> {
    await Promise.all(this.#sessions.splice(0).map((session) => session[Symbol.asyncDispose]()))
  }

  async close(): Promise<void> {
    await this.closePages()
    await this.#display[Symbol.asyncDispose]()
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 5 })
  }

  async #newSession(): Promise<WebDriverSession> {
    const [port] = await findFreePorts(1)
    const program = new EngineProgram(driverPath!, [`--port=${port}`], this.#environment)
    try {
      const address = `http://127.0.0.1:${port}`
      await expect.poll(() => isAnswering(`${address}/status`), { timeout: START_TIMEOUT_MS }).toBe(true)
      const driver = await new Builder().usingServer(address).withCapabilities(capabilities).build()
      await driver.manage().window().setRect({ x: 0, y: 0, width: 1280, height: 900 })
      return { driver, [Symbol.asyncDispose]: () => endSession(driver, program) }
    } catch (error) {
      await program[Symbol.asyncDispose]()
      throw error
    }
  }
}

const capabilities = new Capabilities({
  browserName: 'MiniBrowser',
  acceptInsecureCerts: true,
  timeouts: { pageLoad: PAGE_LOAD_TIMEOUT_MS },
  'webkitgtk:browserOptions': { binary: browserPath, args: ['--automation'] },
})

async function isAnswering(address: string): Promise<boolean> {
  const response = await fetch(address).catch(() => undefined)
  return response?.ok ?? false
}

/** A driver that no longer answers ends with its browser all the same. */
async function endSession(driver: WebDriver, program: EngineProgram): Promise<void> {
  await Promise.race([driver.quit().catch(() => {}), sleep(5_000)])
  await program[Symbol.asyncDispose]()
}

class WebKitPage implements EnginePage {
  readonly #driver: WebDriver
  readonly #handle: string

  constructor(driver: WebDriver, handle: string) {
    this.#driver = driver
    this.#handle = handle
  }

  async errors(): Promise<readonly string[]> {
    return this.evaluate(readErrors)
  }

  async open(url: string): Promise<void> {
    const driver = await this.#focusWindow()
    try {
      await driver.get(url)
    } catch (caught) {
      throw caught instanceof error.TimeoutError ? new Error(await describePageLoad(driver, url)) : caught
    }
    await driver.executeScript(recordErrors)
  }

  async deleteCookies(): Promise<void> {
    await (await this.#focusWindow()).manage().deleteAllCookies()
  }

  async evaluate<Given extends unknown[], Result>(
    inPage: (...given: Given) => Result | Promise<Result>,
    ...args: Given
  ): Promise<Result> {
    return (await this.#focusWindow()).executeScript<Result>(inPage, ...args)
  }

  async read(query: ElementQuery): Promise<ElementReading | null> {
    const driver = await this.#focusWindow()
    const element = await findWebElement(driver, query)
    if (!element) return null
    return driver.executeScript<ElementReading>(readElement, element).catch(nullIfGone)
  }

  async click(query: ElementQuery): Promise<void> {
    const driver = await this.#focusWindow()
    const element = await findWebElement(driver, query)
    if (!element || !(await driver.executeScript(isStill, element)))
      throw new Error(`No ${query.role} ${query.name} yet`)
    await element.click()
  }

  async press(keys: string): Promise<void> {
    const names = keys.split('+').map(keyOf)
    const key = names.pop()!
    const actions = (await this.#focusWindow()).actions({ async: false })
    for (const name of names) actions.keyDown(name)
    actions.sendKeys(key)
    for (const name of names.reverse()) actions.keyUp(name)
    await actions.perform()
  }

  async type(text: string): Promise<void> {
    const actions = (await this.#focusWindow()).actions({ async: false })
    for (const letter of text) actions.sendKeys(letter).pause(KEY_INTERVAL_MS)
    await actions.perform()
  }

  async openPopup(click: () => Promise<void>): Promise<EnginePage> {
    const before = await this.#driver.getAllWindowHandles()
    await click()
    const findOpened = async () =>
      (await this.#driver.getAllWindowHandles()).find((handle) => !before.includes(handle))
    await expect.poll(findOpened, { timeout: START_TIMEOUT_MS }).toBeDefined()
    const popup = new WebKitPage(this.#driver, (await findOpened())!)
    await popup.evaluate(recordErrors)
    return popup
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await (await this.#focusWindow()).takeScreenshot(), 'base64')
  }

  async #focusWindow(): Promise<WebDriver> {
    await this.#driver.switchTo().window(this.#handle)
    return this.#driver
  }
}

/** How far a page has come that did not load in time. */
async function describePageLoad(driver: WebDriver, url: string): Promise<string> {
  const state = await driver
    .executeScript(() => ({
      address: location.href,
      state: document.readyState,
      controlled: Boolean(navigator.serviceWorker?.controller),
      scripts: [...document.scripts].map(({ src }) => src),
      loaded: performance.getEntriesByType('resource').map(({ name, duration }) => `${name} ${duration}`),
    }))
    .catch((caught: unknown) => String(caught))
  return `${url} did not load within ${PAGE_LOAD_TIMEOUT_MS / 1000} s: ${JSON.stringify(state, null, 1)}`
}

/** An element may go before the driver has made a name for it. */
const findWebElement = (driver: WebDriver, query: ElementQuery): Promise<WebElement | null> =>
  driver.executeScript<WebElement | null>(findElement, pathOf(query)).catch(nullIfGone)

/** An element may go between two commands. */
function nullIfGone(caught: unknown): null {
  if (caught instanceof error.StaleElementReferenceError) return null
  throw caught
}

const namedKeys: Readonly<Record<string, string>> = {
  Alt: Key.ALT,
  ArrowLeft: Key.ARROW_LEFT,
  Control: Key.CONTROL,
  End: Key.END,
  Enter: Key.ENTER,
  Escape: Key.ESCAPE,
  Home: Key.HOME,
  Shift: Key.SHIFT,
}

const keyOf = (name: string): string => namedKeys[name] ?? name
