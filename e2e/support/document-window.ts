/** One window on a document: what a person does and reads in it, by the names that assistive technology reads. */
import { expect } from '@playwright/test'
import type { BrowserContext, Locator, Page } from '@playwright/test'
import type { NetworkTransportId } from '../../lib/transports/descriptors.ts'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import { PageNetworkLog } from './page-network-log.ts'

/** True for a transport that keeps nothing open between its requests. */
export const usesPolling = (transport: NetworkTransportId): boolean =>
  transport === 'poll' || transport === 'long-poll'

/** The speed of a fast human, so that letters fall into every phase of a concurrent event. */
const KEY_DELAY_MS = 25

interface WaitOptions {
  /** The limit in milliseconds. */
  readonly timeout?: number
}

export class DocumentWindow {
  readonly page: Page
  readonly wire: PageNetworkLog
  readonly errors: string[] = []
  readonly text: Locator
  readonly saveState: Locator
  readonly connection: Locator
  /** One element for each person. */
  readonly people: Locator

  private constructor(page: Page, networkLog: PageNetworkLog) {
    this.page = page
    this.wire = networkLog
    this.text = page.getByRole('textbox', { name: 'Document' })
    this.saveState = page.getByRole('status', { name: 'Save state' })
    this.connection = page.getByRole('button', { name: 'Connection', exact: true })
    const people = page.getByRole('group', { name: 'People' })
    this.people = people.getByRole('img').or(people.getByRole('button'))
    page.on('pageerror', (error) => this.errors.push(String(error)))
  }

  static async openIn(context: BrowserContext, url: string): Promise<DocumentWindow> {
    const page = await context.newPage()
    const window = new DocumentWindow(page, await PageNetworkLog.attachTo(page))
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
    const isCaretAtEnd = () =>
      this.text.evaluate((element) => element.lastElementChild?.contains(getSelection()?.focusNode ?? null))
    await expect.poll(isCaretAtEnd).toBe(true)
  }

  /** Puts the caret at the beginning of the text. */
  async focusStart(): Promise<void> {
    await this.text.focus()
    await this.page.keyboard.press('Control+Home')
    await expect.poll(() => this.text.evaluate(isCaretAtStart)).toBe(true)
  }

  /** Types at the caret. */
  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text, { delay: KEY_DELAY_MS })
  }

  /** Types at the end of the text. */
  async typeAtEnd(text: string): Promise<void> {
    await this.focusEnd()
    await this.type(text)
  }

  /** Returns the paragraphs of the document, a line each, without other people's carets. */
  async readLines(): Promise<string> {
    return this.text.evaluate((element) => {
      const copy = element.cloneNode(true) as HTMLElement
      for (const caret of copy.querySelectorAll('.ProseMirror-widget')) caret.remove()
      return [...copy.children].map((block) => block.textContent.replaceAll('\u2060', '')).join('\n')
    })
  }

  async expectLines(expected: string, waitOptions: WaitOptions = {}): Promise<void> {
    await expect.poll(() => this.readLines(), waitOptions).toBe(expected)
  }

  /** @param meanwhile Runs once the choice is made, before its outcome is awaited. */
  async chooseTransport(transport: NetworkTransportId, meanwhile?: () => Promise<void>): Promise<void> {
    await this.withConnectionDialog((dialog) =>
      dialog.getByRole('radio', { name: transportLabels[transport], exact: true }).click(),
    )
    await this.text.focus()
    await meanwhile?.()
    await this.expectTransport(transport)
  }

  /** Checks the transport that the window reports. */
  async expectTransport(transport: NetworkTransportId): Promise<void> {
    await expect(this.connection).toHaveAccessibleDescription(`Connected by ${transportLabels[transport]}`)
  }

  async expectProtocol(protocol = ''): Promise<void> {
    const names: Record<string, string> = { h2: 'HTTP/2', 'http/1.1': 'HTTP/1.1' }
    await this.withConnectionDialog(async (dialog) => {
      await expect(dialog.getByRole('region', { name: 'In use' })).toContainText(
        names[protocol] ?? 'a protocol',
      )
    })
  }

  /** Acts in the dialog "Connection", and closes it again. */
  async withConnectionDialog(act: (dialog: Locator) => Promise<void>): Promise<void> {
    await this.connection.click()
    const dialog = this.page.getByRole('dialog', { name: 'Connection' })
    await act(dialog)
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /** Records every label that the window gives its connection from now on. */
  async recordConnectionLabel(): Promise<() => Promise<string[]>> {
    const label = this.connection.locator('#connection-state')
    const labelTextsHandle = await label.evaluateHandle((element) => {
      const labelTexts = [element.textContent]
      new MutationObserver(() => labelTexts.push(element.textContent)).observe(element, {
        characterData: true,
        childList: true,
        subtree: true,
      })
      return labelTexts
    })
    return () => labelTextsHandle.jsonValue()
  }

  /** Returns the HTTP versions that carried the sync requests, by the page's own performance entries. */
  async readNextHopProtocols(): Promise<string[]> {
    return this.page.evaluate(() => {
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      const syncEntries = entries.filter(
        ({ name, nextHopProtocol }) => new URL(name).pathname.startsWith('/sync') && nextHopProtocol,
      )
      return [...new Set(syncEntries.map(({ nextHopProtocol }) => nextHopProtocol))]
    })
  }

  /** Waits until an earlier link has drained. */
  async waitUntilIdle(): Promise<void> {
    let framesBefore = -1
    await expect
      .poll(
        () => {
          const isIdle = this.wire.webSocketFrames === framesBefore
          framesBefore = this.wire.webSocketFrames
          return isIdle
        },
        { intervals: [700] },
      )
      .toBe(true)
  }
}

/** Runs in the page, once the editor has received the selection. */
function isCaretAtStart(text: Element): Promise<boolean> {
  const isThere = (): boolean => {
    const { focusNode, focusOffset } = getSelection()!
    return focusOffset === 0 && (text.firstElementChild?.contains(focusNode) ?? false)
  }
  return new Promise((resolve) =>
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(isThere()))),
  )
}

/** Expects every window to show exactly these letters, and to report them as saved. */
export async function expectSameLines(
  windows: readonly DocumentWindow[],
  expected: string,
  waitOptions: WaitOptions = {},
): Promise<void> {
  for (const window of windows) {
    await window.expectLines(expected, waitOptions)
    await expect(window.saveState).toHaveText('Saved', waitOptions)
  }
}
