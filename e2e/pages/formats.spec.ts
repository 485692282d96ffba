/** The formats of the toolbar's menu: highlight, sub- and superscript, and alignment. */
import type { Page } from '@playwright/test'
import type { XmlElement } from 'yjs'
import { openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

async function chooseFormat(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'More formats' }).click()
  await page.getByRole('menuitemcheckbox', { name }).click()
  await expect(page.getByRole('menu')).toHaveCount(0)
}

test('letters are highlighted by signs, by keys and by the menu, and each is one step of undo', async ({
  editorWindow: { page, text },
}, info) => {
  await text.click()
  await page.keyboard.type('see ==this== now')
  await expect(text.locator('mark')).toHaveText('this')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('ControlOrMeta+Shift+H')
  await expect(text.locator('mark')).toHaveText('see this now')
  await chooseFormat(page, 'Highlight in green')
  await expect(text.locator('mark[data-color=green]')).toHaveText('see this now')
  await forLightAndDark(page, (scheme) => expectCleanPage(page, `highlight ${scheme}`, info))
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text.locator('mark[data-color]')).toHaveCount(0)
  await expect(text.locator('mark')).toHaveText('see this now')
  await page.getByRole('button', { name: 'More formats' }).click()
  await expect(page.getByRole('menuitemcheckbox', { name: 'Highlight in yellow' })).toBeChecked()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'More formats' })).toBeFocused()
})

test('letters are raised or lowered, not both', async ({ editorWindow: { page, text } }) => {
  await text.click()
  await page.keyboard.type('x')
  await page.keyboard.press('ControlOrMeta+.')
  await page.keyboard.type('2')
  await expect(text.locator('sup')).toHaveText('2')
  await page.keyboard.press('Shift+ArrowLeft')
  await page.keyboard.press('ControlOrMeta+Shift+.')
  await expect(text.locator('sub')).toHaveText('2')
  await expect(text.locator('sup')).toHaveCount(0)
})

test('a line keeps its alignment while another person writes in it, and passes it on to the next line @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const { page, text } = await openWindow(document.url('editor'))
  const writer = await openWriter(server.origin(scheme), document)
  await text.click()
  await page.keyboard.type('one')
  await expectSaved(page)
  await page.keyboard.press('ControlOrMeta+Shift+E')
  await expect(text.locator('p')).toHaveCSS('text-align', 'center')
  const [line] = writer.doc.getXmlFragment('default').toArray() as [XmlElement]
  await expect.poll(() => line.getAttribute('align')).toBe('center')
  ;(line.get(0) as unknown as { insert(at: number, letters: string): void }).insert(0, 'theirs ')
  await expect(text.locator('p')).toHaveText('theirs one')
  await expect(text.locator('p')).toHaveCSS('text-align', 'center')
  await page.keyboard.press('ControlOrMeta+Alt+2')
  await expect(text.locator('h2')).toHaveCSS('text-align', 'center')
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await expect(text.locator('p')).toHaveCSS('text-align', 'center')
  await chooseFormat(page, 'Align to the end')
  await expect(text.locator('p')).toHaveCSS('text-align', 'end')
  await dockPanels(page, 'Preview')
  await expect(panelOf(page, 'Preview').locator('p[data-align=end]')).toHaveText('two')
  await page.emulateMedia({ media: 'print' })
  await expect(text.locator('p')).toHaveCSS('text-align', 'end')
  await page.emulateMedia({ media: 'screen' })
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Shift+L')
  await expect(text.locator('p[data-align]')).toHaveCount(0)
  await writer.close()
})

test('highlights, raised letters and alignment of other programs are pasted and copied @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await pasteInto(text, {
    'text/html':
      '<p>first</p><p style="text-align:center">in <span style="background-color:#ffff00">Docs</span> or <span style="background:aqua;mso-highlight:aqua">Word</span> x<span style="vertical-align:super">2</span></p>' +
      '<h2 align="right">right</h2><p dir="rtl" style="text-align:right">مرحبا</p>',
  })
  const expected =
    '<p>first</p><p data-align="center">in <mark>Docs</mark> or <mark data-color="blue">Word</mark> x<sup>2</sup></p>' +
    '<h2 dir="auto" data-align="end">right</h2><p>مرحبا</p>'
  const elements = () =>
    text.evaluate((element) => element.innerHTML.replaceAll(/<br class="Prose[^>]*>/g, ''))
  await expect.poll(elements).toBe(expected)
  await page.keyboard.press('ControlOrMeta+a')
  const copied = await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/html')
  })
  await pasteInto(text, { 'text/html': copied })
  await expect.poll(elements).toBe(expected)
})
