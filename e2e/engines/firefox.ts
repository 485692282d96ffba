/** Firefox by WebDriver BiDi. */
import { launch } from 'puppeteer-core'
import type { Browser, BrowserContext, ElementHandle, EvaluateFunc, KeyInput, Page } from 'puppeteer-core'
import { findElement, isStill, pathOf, readElement, readErrors, recordErrors } from './engine.ts'
import type { ElementQuery, ElementReading, Engine, EnginePage } from './engine.ts'
import { endWithParentScript, programEnvironmentWith, findExecutable } from './engine-program.ts'

const firefoxPath = findExecutable('firefox-esr', 'firefox')

export const noFirefoxMessage = firefoxPath
  ? undefined
  : 'Firefox is not installed: apt-get install firefox-esr'

/** A fast human. */
const KEY_INTERVAL_MS = 25

export class Firefox implements Engine {
  readonly #browser: Browser
  readonly #contexts: BrowserContext[] = []

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async launch(): Promise<Firefox> {
    const browser = await launch({
      browser: 'firefox',
      executablePath: endWithParentScript,
      env: programEnvironmentWith(firefoxPath!),
      acceptInsecureCerts: true,
      defaultViewport: { width: 1280, height: 900 },
      // Puppeteer would end the whole worker, which has a report to write; the browser ends with it all the same.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
    })
    return new Firefox(browser)
  }

  async newPage(): Promise<EnginePage> {
    const context = await this.#browser.createBrowserContext()
    this.#contexts.push(context)
    return FirefoxPage.openIn(context)
  }

  async closePages(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()))
  }

  async close(): Promise<void> {
    await this.#browser.close()
  }
}

class FirefoxPage implements EnginePage {
  readonly #page: Page

  private constructor(page: Page) {
    this.#page = page
  }

  static async openIn(context: BrowserContext): Promise<FirefoxPage> {
    // A tab would hide the one before it.
    const page = await context.newPage({ type: 'window' })
    await page.evaluateOnNewDocument(recordErrors)
    return new FirefoxPage(page)
  }

  async errors(): Promise<readonly string[]> {
    return this.#page.evaluate(readErrors)
  }

  async open(url: string): Promise<void> {
    await this.#page.goto(url)
  }

  async deleteCookies(): Promise<void> {
    const context = this.#page.browserContext()
    await context.deleteCookie(...(await context.cookies()))
  }

  async evaluate<Given extends unknown[], Result>(
    inPage: (...given: Given) => Result | Promise<Result>,
    ...args: Given
  ): Promise<Result> {
    return (await this.#page.evaluate(inPage as EvaluateFunc<Given>, ...args)) as Result
  }

  async read(query: ElementQuery): Promise<ElementReading | null> {
    using handle = await this.#findHandle(query)
    return handle.asElement() && (await handle.evaluate(readElement))
  }

  async click(query: ElementQuery): Promise<void> {
    using handle = await this.#findHandle(query)
    if (!handle.asElement() || !(await handle.evaluate(isStill)))
      throw new Error(`No ${query.role} ${query.name} yet`)
    // As a person's click does: a window behind others gets letters alone, and no other keys.
    await this.#page.bringToFront()
    await handle.click()
  }

  async press(keys: string): Promise<void> {
    const names = keys.split('+') as KeyInput[]
    const key = names.pop()!
    for (const name of names) await this.#page.keyboard.down(name)
    await this.#page.keyboard.press(key)
    for (const name of names.reverse()) await this.#page.keyboard.up(name)
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text, { delay: KEY_INTERVAL_MS })
  }

  async openPopup(click: () => Promise<void>): Promise<EnginePage> {
    const opening = Promise.withResolvers<Page>()
    this.#page.once('popup', (page) => opening.resolve(page!))
    await click()
    const popup = await opening.promise
    await popup.evaluate(recordErrors)
    return new FirefoxPage(popup)
  }

  async screenshot(): Promise<Buffer> {
    return Buffer.from(await this.#page.screenshot())
  }

  /** A handle on `null` where it is not shown. */
  async #findHandle(query: ElementQuery): Promise<ElementHandle<HTMLElement>> {
    return (await this.#page.evaluateHandle(findElement, pathOf(query))) as ElementHandle<HTMLElement>
  }
}
