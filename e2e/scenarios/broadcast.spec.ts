/** The flow of the benchmark `broadcast`, small: everybody writes at once, and everybody hears everybody. */
import { expect, test } from '../support/fixtures.ts'
import type { Window } from '../support/window.ts'
import { everyTransport, windowsBy } from './ways.ts'

const LETTERS = 'abc'
const MESSAGES = 8

for (const transport of everyTransport) {
  test(`[S1] broadcast by ${transport}: three windows write at once, each message arrives once and in order`, async ({
    browser,
    door,
    openWindowOf,
  }) => {
    const document = await door.newDocument()
    const urls = LETTERS.split('').map(() => document.url('editor'))
    const windows = await windowsBy(browser, openWindowOf, transport, urls)
    // A paragraph each, so that a message is never parted by another one's letters.
    await windows[0]!.append(LETTERS.split('').join('\n'))
    for (const [index, window] of windows.entries()) await caretBehind(window, LETTERS.charAt(index))
    await Promise.all(windows.map((window, index) => write(window, LETTERS.charAt(index))))
    const whole = LETTERS.split('')
      .map((letter) => letter + messagesOf(letter))
      .join('\n')
    for (const window of windows) {
      await window.expectLines(whole)
      await expect(window.saveState).toHaveText('Saved')
    }
  })
}

/** In an empty paragraph the caret goes along where another window begins a new one behind it. */
async function caretBehind({ page, text }: Window, letter: string): Promise<void> {
  await text.getByText(letter, { exact: true }).click()
  await page.keyboard.press('End')
}

async function write(window: Window, letter: string): Promise<void> {
  for (let count = 0; count < MESSAGES; count++) await window.type(`${letter}${count} `)
}

const messagesOf = (letter: string): string =>
  Array.from({ length: MESSAGES }, (_, count) => `${letter}${count} `).join('')
