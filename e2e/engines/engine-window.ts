/** One window on a document in any engine: what a person does and reads there. */
import { expect } from '@playwright/test'
import { labels } from '../support/window.ts'
import type { TransportName } from '../support/window.ts'
import type { ElementQuery, EnginePage } from './engine.ts'

const PATIENCE = { timeout: 45_000, intervals: [20, 50, 100, 200] }

const documentText: ElementQuery = { role: 'textbox', name: 'Document' }
const connection: ElementQuery = { role: 'button', name: 'Connection' }
const saveState: ElementQuery = { role: 'status', name: 'Save state' }

export class EngineWindow {
  readonly page: EnginePage
  readonly popups: EngineWindow[] = []

  constructor(page: EnginePage) {
    this.page = page
  }

  async expectReady(): Promise<void> {
    await this.expectShown(documentText)
    await this.expectSaved()
  }

  async click(query: ElementQuery): Promise<void> {
    await expect(() => this.page.click(query)).toPass(PATIENCE)
  }

  /** Types at the end of the text. */
  async append(text: string): Promise<void> {
    await this.moveToEnd()
    await this.page.type(text)
  }

  async moveToEnd(): Promise<void> {
    await this.#moveTo('end', 'Control+End')
  }

  async moveToStart(): Promise<void> {
    await this.#moveTo('start', 'Control+Home')
  }

  /** A window that has just come to the front may not take the first key yet. */
  async #moveTo(edge: 'start' | 'end', keys: string): Promise<void> {
    await this.click(documentText)
    await expect(async () => {
      await this.page.press(keys)
      expect(await this.page.evaluate(isCaretAt, edge)).toBe(true)
    }).toPass(PATIENCE)
  }

  /** The paragraphs as they are in the document: other people's carets are not part of it. */
  async expectLines(...expected: readonly string[]): Promise<void> {
    await expect.poll(() => this.page.evaluate(readLines), PATIENCE).toEqual(expected)
  }

  async expectSaved(): Promise<void> {
    await this.expectText(saveState, 'Saved')
  }

  async expectUnsaved(): Promise<void> {
    await this.expectText(saveState, /^(?!Saved$)./)
  }

  async expectText(query: ElementQuery, text: string | RegExp): Promise<void> {
    const polled = expect.poll(async () => (await this.page.read(query))?.text ?? '', PATIENCE)
    await (text instanceof RegExp ? polled.toMatch(text) : polled.toBe(text))
  }

  async expectShown(query: ElementQuery): Promise<void> {
    await expect.poll(() => this.page.read(query), PATIENCE).not.toBeNull()
  }

  async expectGone(query: ElementQuery): Promise<void> {
    await expect.poll(() => this.page.read(query), PATIENCE).toBeNull()
  }

  /** The words that carry a comment: another person's caret within them cuts their mark in two. */
  async expectCommentOn(words: string): Promise<void> {
    await expect.poll(() => this.page.evaluate(readCommented), PATIENCE).toBe(words)
  }

  /** @param meanwhile Runs once the choice is made, before its outcome is awaited. The caret is where it was. */
  async choose(transport: TransportName, meanwhile?: () => Promise<void>): Promise<void> {
    await this.click(connection)
    const dialog: ElementQuery = { role: 'dialog', name: 'Connection' }
    await this.click({ role: 'radio', name: labels[transport], within: dialog })
    await this.page.press('Escape')
    await this.expectGone(dialog)
    await this.page.evaluate(focusText)
    await meanwhile?.()
    await this.expectInUse(transport)
  }

  /** The window itself says so. */
  async expectInUse(transport: TransportName): Promise<void> {
    const describe = async () => (await this.page.read(connection))?.description
    await expect.poll(describe, PATIENCE).toBe(`Connected by ${labels[transport]}`)
  }

  /** The window that a click opens. */
  async popupOf(query: ElementQuery): Promise<EngineWindow> {
    const popup = new EngineWindow(await this.page.popupOf(() => this.click(query)))
    this.popups.push(popup)
    return popup
  }
}

/** Every window shows the very same lines, and says that they are safe. */
export async function expectEqual(
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
  const copy = text?.cloneNode(true) as HTMLElement | undefined
  for (const caret of copy?.querySelectorAll('.ProseMirror-widget') ?? []) caret.remove()
  return [...(copy?.children ?? [])].map((block) => block.textContent.replaceAll('\u2060', ''))
}

function readCommented(): string {
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
