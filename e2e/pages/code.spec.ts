import type { DocumentWindow } from '../fixtures/document-window.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { XmlElement, XmlText } from 'yjs'

const languageIn = ({ text }: DocumentWindow) => text.getByRole('button', { name: /^Language/ })

test('code is coloured while it is written, and its language is chosen by name', async ({
  editorWindow,
}, info) => {
  const { page, text } = editorWindow
  await text.click()
  await page.keyboard.type('```ts ')
  await page.keyboard.type('const a = "b" // c')
  await expect(text.locator('.hljs-keyword')).toHaveText('const')
  await expect(text.locator('.hljs-comment')).toHaveText('// c')
  await expect(languageIn(editorWindow)).toHaveAccessibleName('Language: TypeScript')
  await languageIn(editorWindow).click()
  await page.keyboard.type('pyth')
  await expect(page.getByRole('option')).toHaveText(['Python'])
  await page.keyboard.press('Enter')
  await expect(languageIn(editorWindow)).toHaveAccessibleName('Language: Python')
  await expect(text.locator('.hljs-keyword')).toHaveCount(0)
  await expect(text.locator('.hljs-string')).toHaveText('"b"')
  // The focus is back, and the caret where it was.
  await page.keyboard.type('!')
  await expect(text.locator('pre code')).toHaveText('const a = "b" // c!')
  await languageIn(editorWindow).click()
  await page.keyboard.type('plain')
  await page.keyboard.press('Enter')
  await expect(text.locator('[class^=hljs]')).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expect(languageIn(editorWindow)).toHaveAccessibleName('Language: Python')
  await expectSaved(page)
  await expectCleanPage(page, 'code', info)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectCleanPage(page, 'code dark', info)
})

test('code is copied, and its lines are numbered for this person alone @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  await one.page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await one.text.click()
  await one.page.keyboard.type('```js ')
  await one.page.keyboard.type('let a')
  await one.page.keyboard.press('Enter')
  await one.page.keyboard.type('let b')
  await one.text.getByRole('button', { name: 'Copy code' }).click()
  await expect(one.text.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await one.page.evaluate(() => navigator.clipboard.readText())).toBe('let a\nlet b')
  await one.text.getByRole('button', { name: 'Lines of code' }).click()
  await one.page.getByRole('menuitemradio', { name: 'Number the lines' }).click()
  await expect(one.text.locator('.code-numbers')).toHaveAttribute('data-numbers', '1\n2')
  await expect(two.text.locator('.hljs-keyword')).toHaveText(['let', 'let'])
  await expect(two.text.locator('.code-numbers')).toBeHidden()
  await expect(languageIn(two)).toBeDisabled()
  await dockPanels(one.page, 'Preview')
  const preview = panelOf(one.page, 'Preview')
  await expect(preview.locator('.hljs-keyword')).toHaveText(['let', 'let'])
  await expect(preview.locator('.code-numbers')).toHaveAttribute('data-numbers', '1\n2')
})

test('code of a megabyte is shown, has no colours and says so @long', async ({
  server,
  scheme,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWriter(server.origin(scheme), document)
  const code = new XmlElement('codeBlock')
  code.setAttribute('language', 'js')
  code.insert(0, [new XmlText('let a = "b" // c\n'.repeat(60_000))])
  writer.doc.getXmlFragment('default').insert(0, [code])
  await writer.whenSaved()
  await writer.close()
  const window = await openWindow(document.url('editor'))
  await expect(languageIn(window)).toHaveAccessibleName('Language: JavaScript')
  await expect(window.text.locator('.code-note')).toHaveAttribute('data-note', 'Too long for colours')
  await window.focusStart()
  await window.page.keyboard.type('x')
  await expectSaved(window.page)
  await expect(window.text.locator('[class^=hljs]')).toHaveCount(0)
})
