/** One window on a document: what a person does and reads there, by the names that assistive technology reads. */
import { expect } from '@playwright/test'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { Wire } from './wire.ts'

export type TransportName = 'websocket' | 'sse' | 'stream' | 'long-poll' | 'poll'

export const labels: Record<TransportName, string> = {
  websocket: 'WebSocket',
  sse: 'Server-sent events',
  stream: 'HTTP stream',
  'long-poll': 'Long polling',
  poll: 'Polling',
}

/** Nothing stays open between its requests. */
export const isPolled = (transport: TransportName): boolean =>
  transport === 'poll' || transport === 'long-poll'

/** A fast human, so that letters fall into every phase of what happens meanwhile. */
const KEY_DELAY_MS = 25

interface Patience {
  /** Milliseconds. */
  readonly timeout?: number
}

export class Window {
  readonly page: Page
  readonly wire: Wire
  readonly errors: string[] = []
  readonly text: Locator
  readonly saveState: Locator
  readonly connection: Locator
  /** One element a person. */
  readonly people: Locator

  private constructor(page: Page, wire: Wire) {
    this.page = page
    this.wire = wire
    this.text = page.getByRole('textbox', { name: 'Document' })
    this.saveState = page.getByRole('status', { name: 'Save state' })
    this.connection = page.getByRole('button', { name: 'Connection', exact: true })
    const people = page.getByRole('group', { name: 'People' })
    this.people = people.getByRole('img').or(people.getByRole('button'))
    page.on('pageerror', (error) => this.errors.push(String(error)))
  }

  static async openIn(context: BrowserContext, url: string): Promise<Window> {
    const page = await context.newPage()
    const window = new Window(page, await Wire.watch(page))
    await page.goto(url)
    return window
  }

  async expectReady(): Promise<void> {
    await expect(this.text).toBeVisible()
    await expect(this.saveState).toHaveText('Saved')
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }

  /** Puts the caret at the end of the text. */
  async focusEnd(): Promise<void> {
    await this.text.focus()
    await this.page.keyboard.press('Control+End')
    const isThere = () =>
      this.text.evaluate((element) => element.lastElementChild?.contains(getSelection()?.focusNode ?? null))
    await expect.poll(isThere).toBe(true)
  }

  /** Puts the caret at the beginning of the text. */
  async focusStart(): Promise<void> {
    await this.text.focus()
    await this.page.keyboard.press('Control+Home')
    await expect.poll(() => this.text.evaluate(isCaretAtStart)).toBe(true)
  }

  /** Types where the caret is. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: KEY_DELAY_MS })
  }

  /** Types at the end of the text. */
  async append(text: string): Promise<void> {
    await this.focusEnd()
    await this.type(text)
  }

  /** The paragraphs as they are in the document, a line each: other people's carets are not part of it. */
  async lines(): Promise<string> {
    return this.text.evaluate((element) => {
      const copy = element.cloneNode(true) as HTMLElement
      for (const caret of copy.querySelectorAll('.ProseMirror-widget')) caret.remove()
      return [...copy.children].map((block) => block.textContent.replaceAll('\u2060', '')).join('\n')
    })
  }

  async expectLines(expected: string, patience: Patience = {}): Promise<void> {
    await expect.poll(() => this.lines(), patience).toBe(expected)
  }

  /** @param meanwhile Runs once the choice is made, before its outcome is awaited. */
  async choose(transport: TransportName, meanwhile?: () => Promise<void>): Promise<void> {
    await this.inConnection((dialog) =>
      dialog.getByRole('radio', { name: labels[transport], exact: true }).click(),
    )
    await this.text.focus()
    await meanwhile?.()
    await this.expectInUse(transport)
  }

  /** What the window says about itself. */
  async expectInUse(transport: TransportName): Promise<void> {
    await expect(this.connection).toHaveAccessibleDescription(`Connected by ${labels[transport]}`)
  }

  async expectProtocol(protocol = ''): Promise<void> {
    const names: Record<string, string> = { h2: 'HTTP/2', 'http/1.1': 'HTTP/1.1' }
    await this.inConnection(async (dialog) => {
      await expect(dialog.getByRole('region', { name: 'In use' })).toContainText(
        names[protocol] ?? 'a protocol',
      )
    })
  }

  /** Does something in the dialog "Connection", which closes again. */
  async inConnection(act: (dialog: Locator) => Promise<void>): Promise<void> {
    await this.connection.click()
    const dialog = this.page.getByRole('dialog', { name: 'Connection' })
    await act(dialog)
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** Everything that the window says about its connection from now on, as it changes. */
  async recordConnection(): Promise<() => Promise<string[]>> {
    const label = this.connection.locator('#connection-state')
    const record = await label.evaluateHandle((element) => {
      const said = [element.textContent]
      new MutationObserver(() => said.push(element.textContent)).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      })
      return said
    })
    return () => record.jsonValue()
  }

  /** HTTP versions that carried the conversation's requests, by the page's own performance entries. */
  async nextHopProtocols(): Promise<string[]> {
    return this.page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const ours = entries.filter(
        ({ name, nextHopProtocol }) => new URL(name).pathname.startsWith('/sync') && nextHopProtocol,
      )
      return [...new Set(ours.map(({ nextHopProtocol }) => nextHopProtocol))]
    })
  }

  /** Until an earlier link has drained. */
  async expectQuiet(): Promise<void> {
    let before = -1
    await expect
      .poll(
        () => {
          const quiet = this.wire.frames === before
          before = this.wire.frames
          return quiet
        },
        { intervals: [700] },
      )
      .toBe(true)
  }
}

/** In the page: once the editor has heard of it. */
function isCaretAtStart(text: Element): Promise<boolean> {
  const isThere = (): boolean => {
    const { focusNode, focusOffset } = getSelection()!
    return focusOffset === 0 && (text.firstElementChild?.contains(focusNode) ?? false)
  }
  return new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(isThere()))),
  )
}

/** Every window shows the very same letters, and says that they are safe. */
export async function expectEqual(
  windows: readonly Window[],
  expected: string,
  patience: Patience = {},
): Promise<void> {
  for (const window of windows) {
    await window.expectLines(expected, patience)
    await expect(window.saveState).toHaveText('Saved', patience)
  }
}
