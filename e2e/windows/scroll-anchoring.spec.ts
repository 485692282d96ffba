import type { Page } from '@playwright/test'
import type { XmlElement, XmlText } from 'yjs'
import { waitForFrames } from '../fixtures/document-text.ts'
import { expect, test } from '../fixtures/test.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'

/** Returns the px from the window's upper edge to these letters. */
const readTopOf = (page: Page, start: string): Promise<number> =>
  page.evaluate((text) => {
    const walker = document.createTreeWalker(document.querySelector('.text')!, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const at = node.textContent!.indexOf(text)
      if (at < 0) continue
      const range = document.createRange()
      range.setStart(node, at)
      range.setEnd(node, at + text.length)
      return Math.round(range.getBoundingClientRect().top)
    }
    return NaN
  }, start)

for (const hasCaret of [false, true])
  test(`what others write above, and into the very paragraph at the top, moves nothing that is read ${hasCaret ? 'with the caret in view' : 'without a caret @long'}`, async ({
    longDocument,
    server,
    scheme,
    openWindow,
  }) => {
    const window = await openWindow(longDocument.url('editor'))
    const { page } = window
    await page.setViewportSize({ width: 500, height: 700 })
    if (hasCaret) await window.text.getByText('15.2 ').click()
    await page.mouse.move(200, 400)
    // The first lines of 15.1 are out of sight, and its last ones are at the top.
    const anchorText = '15.2 The quick brown fox'
    await expect(async () => {
      const offset = (await readTopOf(page, anchorText)) - 300
      if (Math.abs(offset) > 5) await page.mouse.wheel(0, offset)
      expect(Math.abs((await readTopOf(page, anchorText)) - 300)).toBeLessThan(30)
    }).toPass()
    await waitForFrames(page)
    const before = await readTopOf(page, anchorText)

    const other = await openWriter(server.origin(scheme), longDocument)
    const body = other.doc.getXmlFragment('default')
    const remoteEdits = {
      above: () =>
        body.insert(
          0,
          Array.from({ length: 20 }, (_, n) => createTextBlock('paragraph', `New ${n}`)),
        ),
      'into what is at the top': () => {
        const paragraph = body.toArray().find((block) => JSON.stringify(block).includes('15.1 The'))
        const text = (paragraph as XmlElement).get(0) as XmlText
        // The text ends with a line break, so that the lines after it break where they did.
        text.insert(
          0,
          `${'Something that somebody else writes here, and that takes several lines. '.repeat(4)}\n`,
        )
      },
      'away above': () => body.delete(0, 10),
    }
    for (const [name, editRemotely] of Object.entries(remoteEdits)) {
      editRemotely()
      await other.whenSaved()
      const blockCount = other.doc.getXmlFragment('default').length
      await expect(page.locator('.text > *')).toHaveCount(blockCount)
      if (name === 'into what is at the top') await expect(window.text).toContainText('Something that')
      await waitForFrames(page)
      expect(Math.abs((await readTopOf(page, anchorText)) - before), name).toBeLessThanOrEqual(1)
    }
    await other.close()
  })
