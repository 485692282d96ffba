/** Code and tables that are far off the screen: the browser passes over them, and nobody sees that. */
import { XmlElement } from 'yjs'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expect, test } from '../fixtures/test.ts'

function createCode(lines: number): XmlElement {
  const code = createTextBlock('codeBlock', 'let a = "b" // c\n'.repeat(lines))
  code.setAttribute('language', 'js')
  return code
}

function createTable(rows: number): XmlElement {
  const table = new XmlElement('table')
  const createRow = (): XmlElement => {
    const [row, cell] = [new XmlElement('tableRow'), new XmlElement('tableCell')]
    cell.insert(0, [createTextBlock('paragraph', 'cell')])
    row.insert(0, [cell])
    return row
  }
  table.insert(0, Array.from({ length: rows }, createRow))
  return table
}

test('code and tables far off the screen are passed over, take as much room as before, and are printed @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const blocks = Array.from({ length: 20 }, (_, at) => [createCode(5 + at), createTable(5 + at)]).flat()
  writer.doc.transact(() =>
    writer.doc.getXmlFragment('default').insert(0, [...blocks, new XmlElement('paragraph')]),
  )
  await writer.whenSaved()
  await writer.close()

  const { page, text } = await openWindow(document.url('editor'))
  const isShown = (selector: string, at: number): Promise<boolean> =>
    text
      .locator(selector)
      .nth(at)
      .evaluate((element) => element.checkVisibility({ contentVisibilityAuto: true }))
  for (const selector of ['pre code', '.table-scroll table']) {
    await expect.poll(() => isShown(selector, -1)).toBe(false)
    expect(await isShown(selector, 0)).toBe(true)
  }
  const heights = await text.evaluate((element) => {
    const read = (): number => element.scrollHeight
    const skipped = read()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('.skips-unseen { content-visibility: visible !important }')
    globalThis.document.adoptedStyleSheets.push(sheet)
    const shown = read()
    globalThis.document.adoptedStyleSheets.pop()
    return { skipped, shown }
  })
  expect(heights.skipped).toBe(heights.shown)

  await text.focus()
  await page.keyboard.press('ControlOrMeta+End')
  await expect.poll(() => isShown('.table-scroll table', -1)).toBe(true)
  await expect.poll(() => isShown('pre code', 0)).toBe(false)
  await page.emulateMedia({ media: 'print' })
  await expect.poll(() => isShown('pre code', 0)).toBe(true)
})
