/** Keyboard, mouse, touch screen and input method of one page, quicker than any person: what is asked for is sent without waiting for its effect. */
import type { CDPSession, Page } from '@playwright/test'

declare global {
  interface Window {
    onTap(): Promise<void>
  }
}

export type Device = 'key' | 'mouse' | 'touch'

const codes: Record<string, number> = {
  End: 35,
  Home: 36,
  ArrowUp: 38,
  ArrowDown: 40,
}

/** Editing commands that Chromium is told with a key, as a system's keyboard would bring them. */
const commands: Record<string, string> = {
  End: 'moveToEndOfLine',
  Home: 'moveToBeginningOfLine',
  ArrowUp: 'moveUp',
  ArrowDown: 'moveDown',
}

export interface Point {
  readonly x: number
  readonly y: number
}

export class InputDriver {
  readonly #session: CDPSession
  #sent: Promise<unknown>[] = []
  #onTap = () => {}

  private constructor(session: CDPSession) {
    this.#session = session
  }

  static async of(page: Page): Promise<InputDriver> {
    const driver = new InputDriver(await page.context().newCDPSession(page))
    await page.exposeFunction('onTap', () => driver.#onTap())
    await page.evaluate(() => {
      const tell = (event: Event) => {
        if (event instanceof PointerEvent && event.pointerType === 'touch') void window.onTap()
      }
      addEventListener('click', tell, { capture: true })
    })
    return driver
  }

  press(key: string): void {
    const event = { key, code: key, windowsVirtualKeyCode: codes[key] ?? 0, commands: [commands[key] ?? ''] }
    this.#send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...event })
    this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  }

  type(letter: string): void {
    const code = letter.toUpperCase().codePointAt(0) ?? 0
    const event = { key: letter, code: `Key${letter.toUpperCase()}`, windowsVirtualKeyCode: code }
    this.#send('Input.dispatchKeyEvent', { type: 'keyDown', text: letter, ...event })
    this.#send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
  }

  /** What an input method shows while a word is put together. */
  compose(text: string): void {
    this.#send('Input.imeSetComposition', { text, selectionStart: text.length, selectionEnd: text.length })
  }

  commit(text: string): void {
    this.#send('Input.insertText', { text })
  }

  click({ x, y }: Point): void {
    const event = { x, y, button: 'left', clickCount: 1 }
    this.#send('Input.dispatchMouseEvent', { type: 'mousePressed', ...event })
    this.#send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...event })
  }

  /** Resolves once the browser has made a click of it, which it does later than it takes a key. */
  async tap({ x, y }: Point): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#onTap = resolve
    this.#send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x, y }] })
    this.#send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await promise
  }

  /** Resolves when the page has had all of it. */
  async awaitSent(): Promise<void> {
    const sent = this.#sent
    this.#sent = []
    await Promise.all(sent)
  }

  #send(method: Parameters<CDPSession['send']>[0], parameters: object): void {
    this.#sent.push(this.#session.send(method, parameters))
  }
}
