/** Firefox by WebDriver BiDi. */
import { launch } from 'puppeteer-core'
import type { Browser, BrowserContext, ElementHandle, EvaluateFunc, KeyInput, Page } from 'puppeteer-core'
import { findElement, isStill, pathOf, readElement, readErrors, recordErrors } from './engine.ts'
import type { ElementQuery, ElementReading, Engine, EnginePage } from './engine.ts'
import { endWithParent, environmentFor, findProgram } from './programs.ts'

const program = findProgram('firefox-esr', 'firefox')

export const noFirefox = program ? undefined : 'Firefox is not installed: apt-get install firefox-esr'

/** A fast human. */
const KEY_DELAY_MS = 25

export class Firefox implements Engine {
  readonly #browser: Browser
  readonly #contexts: BrowserContext[] = []

  private constructor(browser: Browser) {
    this.#browser = browser
  }

  static async launch(): Promise<Firefox> {
    const browser = await launch({
      browser: 'firefox',
      executablePath: endWithParent,
      env: environmentFor(program!),
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
    return FirefoxPage.in(context)
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

  static async in(context: BrowserContext): Promise<FirefoxPage> {
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
    ...given: Given
  ): Promise<Result> {
    return (await this.#page.evaluate(inPage as EvaluateFunc<Given>, ...given)) as Result
  }

  async read(query: ElementQuery): Promise<ElementReading | null> {
    using found = await this.#find(query)
    return found.asElement() && (await found.evaluate(readElement))
  }

  async click(query: ElementQuery): Promise<void> {
    using found = await this.#find(query)
    if (!found.asElement() || !(await found.evaluate(isStill)))
      throw new Error(`No ${query.role} ${query.name} yet`)
    // As a person's click does: a window behind others gets letters alone, and no other keys.
    await this.#page.bringToFront()
    await found.click()
  }

  async press(keys: string): Promise<void> {
    const names = keys.split('+') as KeyInput[]
    const key = names.pop()!
    for (const name of names) await this.#page.keyboard.down(name)
    await this.#page.keyboard.press(key)
    for (const name of names.reverse()) await this.#page.keyboard.up(name)
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text, { delay: KEY_DELAY_MS })
  }

  async popupOf(click: () => Promise<void>): Promise<EnginePage> {
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
  async #find(query: ElementQuery): Promise<ElementHandle<HTMLElement>> {
    return (await this.#page.evaluateHandle(findElement, pathOf(query))) as ElementHandle<HTMLElement>
  }
}
