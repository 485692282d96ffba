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
    for (const [index, window] of windows.entries()) await paragraph(window, index, windows)
    await Promise.all(windows.map((window, index) => write(window, LETTERS.charAt(index))))
    const whole = LETTERS.split('').map(messagesOf).join('\n')
    for (const window of windows) {
      await window.expectLines(whole)
      await expect(window.saveState).toHaveText('Saved')
    }
  })
}

async function paragraph(window: Window, index: number, windows: readonly Window[]): Promise<void> {
  if (index > 0) await window.append('\n')
  else await window.focusEnd()
  for (const other of windows) await other.expectLines('\n'.repeat(index))
}

async function write(window: Window, letter: string): Promise<void> {
  for (let count = 0; count < MESSAGES; count++) await window.type(`${letter}${count} `)
}

const messagesOf = (letter: string): string =>
  Array.from({ length: MESSAGES }, (_, count) => `${letter}${count} `).join('')
