/** What holds for each block in a browser, whatever it is: the same test over every definition. */
import type { XmlElement } from 'yjs'
import { blocks } from '../../lib/blocks/blocks.ts'
import { documentWith, sharedTextOf, textSchema } from '../../lib/blocks/fixtures/block-documents.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

/** One of each kind: letters, blocks within, a view that loads late. The others are in `npm run test:all`. */
const tagOf = (name: string): string => (['paragraph', 'callout', 'codeBlock'].includes(name) ? '' : ' @long')

for (const { name } of blocks) {
  test(`the block ${name} is shown, copied, printed and read${tagOf(name)}`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }, info) => {
    const document = await createDocument()
    const writer = await openWriter(server.origin(scheme), document)
    const shown = sharedTextOf(documentWith(textSchema.nodes[name]!, {}, ['one', 'two', 'three']))
    const body = writer.doc.getXmlFragment('default')
    writer.doc.transact(() => {
      body.delete(0, body.length)
      body.insert(
        0,
        shown.toArray().map((part) => part.clone() as XmlElement),
      )
    })
    await writer.whenSaved()
    await writer.close()

    const { page, text } = await openWindow(document.url('editor'))
    await expect(text).toContainText('three')
    await expectSaved(page)
    // The views of some blocks are loaded late, and draw other elements.
    await page.waitForLoadState('networkidle')
    const drawn = await text.evaluate(readElements)
    await text.focus()
    await page.keyboard.press('ControlOrMeta+a')
    const html = await text.evaluate((element) => {
      const clipboardData = new DataTransfer()
      element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
      return clipboardData.getData('text/html')
    })
    await pasteInto(text, { 'text/html': html })
    await expect.poll(() => text.evaluate(readElements)).toBe(drawn)

    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    await expect(text).toContainText('three')
    await expect(page.getByRole('toolbar')).toBeHidden()
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await expectCleanPage(page, `block ${name}`, info)
    await dockPanels(page, 'Preview')
    await expect(panelOf(page, 'Preview').locator('.text')).toContainText('three')
  })
}

for (const { name, strings } of blocks.filter(
  ({ name, strings: { name: label } }) => label && name !== 'paragraph',
))
  test(`the button of the block ${name} is reached by keyboard, and one undo takes back what it did${tagOf(name)}`, async ({
    editorWindow: { page, text },
  }) => {
    await text.click()
    await page.keyboard.type('words')
    const before = await text.evaluate(readElements)
    await page.keyboard.press('Alt+F10')
    const button = page.getByRole('toolbar').getByRole('button', { name: strings.name!, exact: true })
    while (!(await button.evaluate((element) => element === document.activeElement)))
      await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => text.evaluate(readElements)).not.toBe(before)
    await page.keyboard.press('ControlOrMeta+z')
    await expect.poll(() => text.evaluate(readElements)).toBe(before)
  })

test('of two keys that differ by Shift each does its own', async ({ editorWindow: { page, text } }) => {
  await text.click()
  await page.keyboard.type('words')
  await page.keyboard.press('Control+Shift+B')
  await expect(text.locator('blockquote p')).toHaveText('words')
  await expect(text.locator('strong')).toHaveCount(0)
  await page.keyboard.press('Control+b')
  await page.keyboard.type('bold')
  await expect(text.locator('strong')).toHaveText('bold')
})

/** The elements and letters, without what only the editor draws. */
function readElements(text: HTMLElement): string {
  const copy = text.cloneNode(true) as HTMLElement
  for (const drawn of copy.querySelectorAll('.ProseMirror-trailingBreak, .ProseMirror-widget')) drawn.remove()
  for (const element of copy.querySelectorAll('*')) element.classList.remove('ProseMirror-selectednode')
  // Where the handles of a table stand depends on the caret, and a pasted column has a name of its own.
  for (const handle of copy.querySelectorAll('.table-handle, .column-edge')) handle.remove()
  for (const column of copy.querySelectorAll('[data-column]')) column.removeAttribute('data-column')
  return copy.innerHTML.replaceAll(' class=""', '').replaceAll(' draggable="true"', '')
}
