/** One window on a document in any engine: what a person does and reads there. */
import { expect } from '@playwright/test'
import { transportLabels } from '../../lib/transports/transport-labels.ts'
import type { NetworkTransportId } from '../../lib/transports/descriptors.ts'
import type { ElementQuery, EnginePage } from './engine.ts'

const POLL_OPTIONS = { timeout: 45_000, intervals: [20, 50, 100, 200] }

const documentQuery: ElementQuery = { role: 'textbox', name: 'Document' }
const connectionQuery: ElementQuery = { role: 'button', name: 'Connection' }
const saveStateQuery: ElementQuery = { role: 'status', name: 'Save state' }

export class EngineWindow {
  readonly page: EnginePage
  readonly popups: EngineWindow[] = []

  constructor(page: EnginePage) {
    this.page = page
  }

  async expectReady(): Promise<void> {
    await this.expectShown(documentQuery)
    await this.expectSaved()
  }

  async click(query: ElementQuery): Promise<void> {
    await expect(() => this.page.click(query)).toPass(POLL_OPTIONS)
  }

  /** Types at the end of the text. */
  async typeAtEnd(text: string): Promise<void> {
    await this.moveCaretToEnd()
    await this.page.type(text)
  }

  async moveCaretToEnd(): Promise<void> {
    await this.#moveCaretTo('end', 'Control+End')
  }

  async moveCaretToStart(): Promise<void> {
    await this.#moveCaretTo('start', 'Control+Home')
  }

  /** A window that has just come to the front may not take the first key yet. */
  async #moveCaretTo(edge: 'start' | 'end', keys: string): Promise<void> {
    await this.click(documentQuery)
    await expect(async () => {
      await this.page.press(keys)
      expect(await this.page.evaluate(isCaretAt, edge)).toBe(true)
    }).toPass(POLL_OPTIONS)
  }

  /** The paragraphs as they are in the document: other people's carets are not part of it. */
  async expectLines(...expected: readonly string[]): Promise<void> {
    await expect.poll(() => this.page.evaluate(readLines), POLL_OPTIONS).toEqual(expected)
  }

  async expectSaved(): Promise<void> {
    await this.expectText(saveStateQuery, 'Saved')
  }

  async expectUnsaved(): Promise<void> {
    await this.expectText(saveStateQuery, /^(?!Saved$)./)
  }

  async expectText(query: ElementQuery, text: string | RegExp): Promise<void> {
    const polled = expect.poll(async () => (await this.page.read(query))?.text ?? '', POLL_OPTIONS)
    await (text instanceof RegExp ? polled.toMatch(text) : polled.toBe(text))
  }

  async expectShown(query: ElementQuery): Promise<void> {
    await expect.poll(() => this.page.read(query), POLL_OPTIONS).not.toBeNull()
  }

  async expectGone(query: ElementQuery): Promise<void> {
    await expect.poll(() => this.page.read(query), POLL_OPTIONS).toBeNull()
  }

  /** The words that carry a comment: another person's caret within them cuts their mark in two. */
  async expectCommentOn(words: string): Promise<void> {
    await expect.poll(() => this.page.evaluate(readCommentedText), POLL_OPTIONS).toBe(words)
  }

  /** @param meanwhile Runs once the choice is made, before its outcome is awaited. The caret is where it was. */
  async chooseTransport(transport: NetworkTransportId, meanwhile?: () => Promise<void>): Promise<void> {
    await this.click(connectionQuery)
    const dialog: ElementQuery = { role: 'dialog', name: 'Connection' }
    await this.click({ role: 'radio', name: transportLabels[transport], within: dialog })
    await this.page.press('Escape')
    await this.expectGone(dialog)
    await this.page.evaluate(focusText)
    await meanwhile?.()
    await this.expectTransport(transport)
  }

  /** The window itself says so. */
  async expectTransport(transport: NetworkTransportId): Promise<void> {
    const readDescription = async () => (await this.page.read(connectionQuery))?.description
    await expect.poll(readDescription, POLL_OPTIONS).toBe(`Connected by ${transportLabels[transport]}`)
  }

  /** The window that a click opens. */
  async openPopup(query: ElementQuery): Promise<EngineWindow> {
    const popup = new EngineWindow(await this.page.openPopup(() => this.click(query)))
    this.popups.push(popup)
    return popup
  }
}

/** Every window shows the very same lines, and says that they are safe. */
export async function expectSameEngineLines(
  windows: readonly EngineWindow[],
  ...expected: readonly string[]
): Promise<void> {
  for (const window of windows) {
    await window.expectLines(...expected)
    await window.expectSaved()
  }
}

// The functions below run in the page.

function focusText(): void {
  document.querySelector<HTMLElement>('[role=textbox][aria-label=Document]')?.focus()
}

function readLines(): string[] {
  const text = document.querySelector('[role=textbox][aria-label=Document]')
  const clone = text?.cloneNode(true) as HTMLElement | undefined
  for (const caret of clone?.querySelectorAll('.ProseMirror-widget') ?? []) caret.remove()
  return [...(clone?.children ?? [])].map((block) => block.textContent.replaceAll('\u2060', ''))
}

function readCommentedText(): string {
  return [...document.querySelectorAll('.text .comment-mark')].map((mark) => mark.textContent).join('')
}

/** Once the editor has heard of it. */
async function isCaretAt(edge: 'start' | 'end'): Promise<boolean> {
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
  const text = document.querySelector('[role=textbox][aria-label=Document]')
  const { focusNode, focusOffset } = getSelection()!
  if (document.activeElement !== text) return false
  if (edge === 'end') return text?.lastElementChild?.contains(focusNode) ?? false
  return focusOffset === 0 && (text?.firstElementChild?.contains(focusNode) ?? false)
}
