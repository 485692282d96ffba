/** Formulas: typed, edited in place, drawn, and what nobody may make of one. */
import type { Locator, Page } from '@playwright/test'
import { type XmlElement, XmlElement as Element } from 'yjs'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const fieldIn = (page: Page): Locator => page.getByRole('textbox', { name: 'Formula in LaTeX' })

test('a formula among letters is typed, edited in place, and each is one step of undo', async ({
  editorWindow: { page, text },
}, info) => {
  await text.click()
  await page.keyboard.type('so $x^2$ is')
  await expect(text.locator('p math msup')).toHaveText('x2')
  await expect(text.locator('p')).toContainText('is')
  await text.locator('.math').click()
  await expect(fieldIn(page)).toBeFocused()
  await page.keyboard.type('\\frac{a')
  await expect(page.getByRole('dialog', { name: 'Formula' })).toContainText('This is not a formula yet')
  await page.keyboard.type('}{b}')
  await expect(text.locator('p math mfrac')).toHaveText('ab')
  await forLightAndDark(page, (scheme) => expectCleanPage(page, `formula ${scheme}`, info))
  await page.keyboard.press('Enter')
  await expect(fieldIn(page)).toHaveCount(0)
  await expect(text).toBeFocused()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text.locator('p math msup')).toHaveText('x2')
  await page.keyboard.press('ControlOrMeta+Shift+z')
  await expect(text.locator('p math mfrac')).toHaveText('ab')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(fieldIn(page)).toHaveValue('\\frac{a}{b}')
  await page.keyboard.type('thrown away')
  await page.keyboard.press('Escape')
  await expect(text.locator('p math mfrac')).toHaveText('ab')
})

test('a formula as a block is made by two dollars, and one undo takes back all of it @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('$$ ')
  await expect(fieldIn(page)).toBeFocused()
  await page.keyboard.type('\\sum_{i=1}^n i + x^2')
  await page.keyboard.press('Enter')
  await expect(text.locator('div.math math[display=block]')).toContainText('∑')
  const hiddenHeight = (shown: HTMLElement | SVGElement): number => shown.scrollHeight - shown.clientHeight
  expect(await text.locator('.math-shown').evaluate(hiddenHeight)).toBe(0)
  await expect(text).toBeFocused()
  await dockPanels(page, 'Preview')
  await expect(panelOf(page, 'Preview').locator('div.math math')).toContainText('∑')
  await text.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(text.locator('.math')).toHaveCount(0)
})

test('a formula that another person changes or deletes is drawn so, and somebody who may only view opens none @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const body = writer.doc.getXmlFragment('default')
  const formula = new Element('blockMath')
  formula.setAttribute('latex', 'a')
  body.insert(0, [formula])
  await writer.whenSaved()
  const [editor, viewer] = [
    await openWindow(document.url('editor')),
    await openWindow(document.url('viewer')),
  ]
  await viewer.text.locator('.math').click()
  await expect(viewer.text.locator('.math math')).toHaveText('a')
  await editor.text.locator('.math').click()
  await expect(fieldIn(editor.page)).toBeFocused()
  await expect(fieldIn(viewer.page)).toHaveCount(0)
  formula.setAttribute('latex', 'b')
  await expect(viewer.text.locator('.math math')).toHaveText('b')
  await expect(fieldIn(editor.page)).toHaveValue('a')
  await editor.page.keyboard.press('Escape')
  await expect(editor.text.locator('.math math')).toHaveText('b')
  await editor.text.locator('.math').click()
  body.delete(0, 1)
  await expect(fieldIn(editor.page)).toHaveCount(0)
  await editor.text.click()
  await editor.page.keyboard.type('on')
  await expect(editor.text).toContainText('on')
  await writer.close()
})

/** With a part of the sentence that says why it is not drawn. */
const hostileFormulas: readonly (readonly [latex: string, reason: string])[] = [
  ['\\href{javascript:alert(1)}{x}', 'trusted|Unsupported|not a formula'],
  ['\\class{fixed inset-0}{x}', 'trusted'],
  ['\\style{position:fixed}{x}', 'trusted'],
  ['\\id{text}{x}', 'trusted'],
  ['\\includegraphics{https://example.org/a.png}', 'trusted'],
  ['\\def\\a{\\a\\a}\\a', 'define'],
  ['\\newcommand{\\a}[1]{#1#1}\\a{x}', 'define'],
  [`${'{'.repeat(2_000)}${'}'.repeat(2_000)}`, 'nested'],
  ['\\left('.repeat(500), 'nested'],
  ['x+'.repeat(10_000), 'too long'],
]

test('a formula that is too much, or would do something, is shown as its source @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const body = writer.doc.getXmlFragment('default')
  const formulas = [...hostileFormulas.map(([latex]) => latex), 'x'.repeat(1_000_000)].map((latex) => {
    const formula = new Element('blockMath')
    formula.setAttribute('latex', latex)
    return formula
  })
  body.insert(0, [...formulas, createTextBlock('paragraph', 'after')] as XmlElement[])
  await writer.whenSaved()
  const { page, text } = await openWindow(document.url('editor'))
  await expect(text.locator('.math').last().locator('.math-source')).toBeVisible()
  for (const [at, [latex, reason]] of hostileFormulas.entries()) {
    const shown = text.locator('.math').nth(at).locator('.math-shown')
    await expect(shown).toHaveText(latex)
    await expect(shown).toHaveAttribute('title', new RegExp(reason))
  }
  await expect(text.locator('a, img, [id]')).toHaveCount(0)
  await text.getByText('after').click()
  await page.keyboard.press('End')
  await page.keyboard.type(' all')
  await expect(text.getByText('after all')).toBeVisible()
  await expectSaved(page)
  await writer.close()
})
