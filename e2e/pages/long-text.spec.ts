/** A text of thousands of blocks: the page draws it in slices, and a key costs what it changes. */
import { countStyledElements, recordDrawnBlocks } from '../fixtures/drawn-blocks.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const BLOCKS = 3_200

test('it is drawn in slices, and to focus it or write in it calculates the style of few elements @long', async ({
  server,
  scheme,
  browser,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const blocks = Array.from({ length: BLOCKS }, (_, index) => createTextBlock('paragraph', `line ${index}`))
  writer.doc.transact(() => writer.doc.getXmlFragment('default').insert(0, blocks))
  await writer.whenSaved()
  await writer.close()

  browser.once('context', (context) => void context.addInitScript(recordDrawnBlocks))
  const { page, text } = await openWindow(document.url('editor'))
  await expect(text.getByText(`line ${BLOCKS - 1}`)).toBeAttached()
  await expect(text).not.toHaveAttribute('aria-busy')
  const drawn = await page.evaluate(() => globalThis.drawnBlocks!)
  expect(Math.max(...drawn)).toBeLessThanOrEqual(1_000)
  expect(drawn.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(BLOCKS)

  const styled = await countStyledElements(page, async () => {
    await text.focus()
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.type('first ')
    await expect(text.getByText('first line 0')).toBeVisible()
    // What the page loads when the text has the focus is there.
    await expect(text).toHaveClass(/ProseMirror-focused/)
    await page.keyboard.press('/')
    await expect(page.getByRole('listbox')).toBeVisible()
    await page.keyboard.press('Escape')
  })
  expect(styled).toBeGreaterThan(0)
  expect(styled).toBeLessThan(BLOCKS)
  await expectSaved(page)
})
