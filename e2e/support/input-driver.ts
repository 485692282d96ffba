/**
 * Drives keyboard, mouse, touch screen and input method of one page, quicker than any person: it
 * sends each command without waiting for its effect.
 */
import type { CDPSession, Page } from '@playwright/test'

declare global {
  interface Window {
    onTap(): Promise<void>
  }
}

export type InputDevice = 'key' | 'mouse' | 'touch'

const keyCodes: Record<string, number> = {
  End: 35,
  Home: 36,
  ArrowUp: 38,
  ArrowDown: 40,
}

/** Editing commands that Chromium needs with a key, as a system's keyboard would send them. */
const commands: Record<string, string> = {
  End: 'moveToEndOfLine',
  Home: 'moveToBeginningOfLine',
  ArrowUp: 'moveUp',
  ArrowDown: 'moveDown',
}

export interface PagePoint {
  readonly x: number
  readonly y: number
}

export class InputDriver {
  readonly #session: CDPSession
  #pendingCommands: Promise<unknown>[] = []
  #onTap = () => {}

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async attachTo(page: Page): Promise<InputDriver> {
    const driver = new InputDriver(await page.context().newCDPSession(page))
    await page.exposeFunction('onTap', () => driver.#onTap())
    await page.evaluate(() => {
      const reportTap = (event: Event) => {
        if (event instanceof PointerEvent && event.pointerType === 'touch') void window.onTap()
      }
      addEventListener('click', reportTap, { capture: true })
    })
    return driver
  }

  press(key: string): void {
    const event = {
      key,
      code: key,
      windowsVirtualKeyCode: keyCodes[key] ?? 0,
      commands: [commands[key] ?? ''],
    }
    this.#sendCommand('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event })
    this.#sendCommand('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  }

  type(letter: string): void {
    const code = letter.toUpperCase().codePointAt(0) ?? 0
    const event = { key: letter, code: `Key${letter.toUpperCase()}`, windowsVirtualKeyCode: code }
    this.#sendCommand('Input.dispatchKeyEvent', { type: 'keyDown', text: letter, ...event })
    this.#sendCommand('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  }

  /** Shows the text of a word that an input method is composing. */
  composeText(text: string): void {
    this.#sendCommand('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  }

  commitText(text: string): void {
    this.#sendCommand('Input.insertText', { text })
  }

  click({ x, y }: PagePoint): void {
    const event = { x, y, button: 'left', clickCount: 1 }
    this.#sendCommand('Input.dispatchMouseEvent', { type: 'mousePressed', ...event })
    this.#sendCommand('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event })
  }

  /** Resolves once the browser has turned it into a click, which takes longer than a key. */
  async tap({ x, y }: PagePoint): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onTap = resolve
    this.#sendCommand('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    this.#sendCommand('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await promise
  }

  /** Resolves when the page has received everything. */
  async waitUntilSent(): Promise<void> {
    const pending = this.#pendingCommands
    this.#pendingCommands = []
    await Promise.all(pending)
  }

  #sendCommand(method: Parameters<CDPSession['send']>[0], parameters: object): void {
    this.#pendingCommands.push(this.#session.send(method, parameters))
  }
}
