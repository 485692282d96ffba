/** A table of contents in the text: it follows the headings, leads to them, and can be read, printed and used by keys. */
import type { Locator } from '@playwright/test'
import { XmlElement, type XmlText } from 'yjs'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expect, test } from '../fixtures/test.ts'

const contentsIn = (area: Locator) => area.getByRole('navigation', { name: 'Table of contents' })

test('a table of contents is typed, follows two writers, and is used by mouse and keys', async ({
  server,
  scheme,
  longDocument,
  openWindow,
}, info) => {
  const { page, text } = await openWindow(longDocument.url('editor'))
  const writer = await openWriter(server.origin(scheme), longDocument)
  const body = writer.doc.getXmlFragment('default')
  await text.click()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('Control+Alt+0')
  await page.keyboard.type('[TOC] ')
  const links = contentsIn(text).getByRole('link')
  await expect(links).toHaveCount(30)
  await page.keyboard.type('The ')
  await expect(links.first()).toHaveAccessibleName('The Section 1')
  await expect.poll(() => (body.get(0) as XmlElement).nodeName).toBe('tableOfContents')

  const fifth = body.toArray().findIndex((block) => block.toJSON().includes('>Section 5<'))
  const heading = body.get(fifth) as XmlElement
  writer.doc.transact(() => {
    ;(heading.get(0) as XmlText).insert(0, 'The ')
    heading.setAttribute('level', 3 as unknown as string)
    body.delete(fifth + 5, 1)
  })
  await expect(links).toHaveCount(29)
  await expect(contentsIn(text).locator('li li a')).toHaveAccessibleName('The Section 5')

  await contentsIn(text).getByRole('link', { name: 'Section 20' }).click()
  await expect(text.getByRole('heading', { name: 'Section 20' })).toBeInViewport()
  await page.goBack()
  await expect(contentsIn(text)).toBeInViewport()
  await page.keyboard.press('Control+Home')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await expect(links.first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(text.getByRole('heading', { name: 'Section 2', exact: true })).toBeInViewport()
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await page.evaluate(() => scrollTo(0, 0))
  await forLightAndDark(page, (colours) => expectCleanPage(page, `contents ${colours}`, info))
  await writer.close()
})

test('a reader has the table of contents in the text, in the Preview and on paper @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWindow(document.url('editor'))
  await writer.text.click()
  await writer.type('/contents')
  await expect(writer.page.getByRole('option')).toHaveAccessibleName('Table of contents')
  await writer.page.keyboard.press('Enter')
  await expect(contentsIn(writer.text)).toHaveAttribute('data-label', /listed here/)
  await writer.type('## Plan\n')
  await expect(contentsIn(writer.text).getByRole('link')).toHaveAccessibleName('Plan')

  const reader = await openWindow(document.url('viewer'))
  await dockPanels(reader.page, 'Preview')
  const preview = contentsIn(panelOf(reader.page, 'Preview'))
  await expect(preview.getByRole('link')).toHaveAccessibleName('Plan')
  await writer.type('## Costs')
  await expect(preview.getByRole('link', { name: 'Costs' })).toBeVisible()
  await panelOf(reader.page, 'Preview').getByRole('button', { name: 'Markdown' }).click()
  await expect(panelOf(reader.page, 'Preview')).toContainText('[TOC]')
  await reader.page.emulateMedia({ media: 'print' })
  await expect(contentsIn(reader.text).getByRole('link', { name: 'Costs' })).toBeVisible()
})

test(
  'of very many tables of contents and headings so many are drawn as a window can show',
  { tag: '@long' },
  async ({ server, scheme, createDocument, openWindow }) => {
    const document = await createDocument()
    const writer = await openWriter(server.origin(scheme), document)
    const tables = Array.from({ length: 12 }, () => new XmlElement('tableOfContents'))
    const headings = Array.from({ length: 501 }, (_, at) => createTextBlock('heading', `${at}`))
    writer.doc.getXmlFragment('default').insert(0, [...tables, ...headings])
    await writer.whenSaved()
    const { text } = await openWindow(document.url('editor'))
    await expect(contentsIn(text).getByRole('link')).toHaveCount(10 * 500)
    await expect(contentsIn(text).nth(0)).toHaveAttribute('data-label', 'and 1 more heading')
    await expect(contentsIn(text).nth(11)).toHaveAttribute('data-label', /above/)
    await writer.close()
  },
)
