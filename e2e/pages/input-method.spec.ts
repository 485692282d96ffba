/** Input methods, emoji and letters from right to left in every kind of block that holds letters, while another person writes there. */
import * as Y from 'yjs'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'
import { InputDriver } from './fixtures/input-driver.ts'

/** What a person types to make the block, and where its letters stand. */
const places: readonly (readonly [string, string, string])[] = [
  ['a callout', '[!TIP] ', 'blockquote[data-callout] p'],
  ['the summary of a toggle', '+++ ', '.toggle summary'],
  ['code', '``` ', 'pre code'],
  ['a task', '[ ] ', '[data-type=taskItem] p'],
]

const family = '👩‍👩‍👧'
const arabic = 'مرحبا'

for (const [name, shortcut, selector] of places)
  test(`a word is composed in ${name} while another person writes there${name === 'code' ? '' : ' @long'}`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }) => {
    const document = await createDocument()
    const { page, text } = await openWindow(document.url('editor'))
    const reader = await openWindow(document.url('viewer'))
    const writer = await openWriter(server.origin(scheme), document)
    const body = writer.doc.getXmlFragment('default')
    await text.click()
    await page.keyboard.type(`${shortcut}a`)
    await expect(text.locator(selector)).toHaveText('a')
    await expect.poll(() => body.toJSON()).toContain('>a<')
    // Without the mark of the writer's caret.
    const readThere = async () =>
      (await reader.text.locator(selector).textContent())?.replaceAll('\u2060', '')
    const driver = await InputDriver.attachTo(page)
    driver.composeText('に')
    driver.composeText('にほ')
    await driver.waitUntilSent()
    textWith(body, 'a')!.insert(0, 'x')
    await writer.whenSaved()
    await expect(reader.text.locator(selector)).toContainText('xa')
    driver.composeText('日本')
    driver.commitText('日本')
    await driver.waitUntilSent()
    await expect(text.locator(selector)).toHaveText('xa日本')
    await page.keyboard.insertText(`${family} ${arabic}`)
    const expected = `xa日本${family} ${arabic}`
    await expect(text.locator(selector)).toHaveText(expected)
    await expect.poll(readThere).toBe(expected)
    await expectSaved(page)
    expect(body.toJSON().split('日本')).toHaveLength(2)
    // A picture of several code points is deleted as a whole.
    await page.keyboard.insertText(family)
    await page.keyboard.press('Backspace')
    await expect.poll(readThere).toBe(expected)
    await writer.close()
  })

test('a word is composed in a cell while another person writes there and adds a column', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await ada.text.click()
  await ada.page.getByRole('toolbar').getByRole('button', { name: 'Table', exact: true }).click()
  await ada.page.keyboard.type('a')
  const cellIn = ({ text }: typeof ada) => text.locator('th, td', { hasText: 'a' })
  const lettersOf = async (window: typeof ada) =>
    (await cellIn(window).textContent())?.replaceAll('\u2060', '')
  await expect.poll(() => lettersOf(bob)).toBe('a')
  const driver = await InputDriver.attachTo(ada.page)
  for (const composed of ['に', 'にほ']) driver.composeText(composed)
  await expect.poll(() => lettersOf(ada)).toBe('aにほ')
  await cellIn(bob).click()
  await bob.page.keyboard.press('Home')
  await bob.page.keyboard.type('x')
  await bob.page.getByRole('toolbar').getByRole('button', { name: 'Change table' }).click()
  await bob.page.getByRole('menuitem', { name: 'Add column left' }).click()
  await expect(bob.text.locator('tr').first().locator('th')).toHaveCount(4)
  await expect.poll(() => lettersOf(ada)).toMatch(/^xa/)
  driver.commitText('日本')
  for (const window of [ada, bob]) {
    await expect.poll(() => lettersOf(window)).toBe('xa日本')
    await expect(window.text.locator('tr').first().locator('th')).toHaveCount(4)
  }
  await ada.page.keyboard.insertText(family)
  await expect.poll(() => lettersOf(bob)).toBe(`xa日本${family}`)
  await ada.page.keyboard.press('Backspace')
  await expect.poll(() => lettersOf(bob)).toBe('xa日本')
})

for (const [name, element, selector] of [
  ['a picture', 'picture', 'figcaption'],
  ['a file card', 'fileCard', '.file-card-name'],
] as const)
  test(`the caption of ${name} takes Arabic, composed words and emoji beside another writer @long`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
  }) => {
    const document = await createDocument()
    const { page, text } = await openWindow(document.url('editor'))
    const reader = await openWindow(document.url('viewer'))
    const writer = await openWriter(server.origin(scheme), document)
    const body = writer.doc.getXmlFragment('default')
    const block = new Y.XmlElement(element)
    block.setAttribute('file', 'AAAAAAAAAAAAAAAAAAAAAA')
    block.insert(0, [createTextBlock('caption', arabic)])
    body.insert(0, [block])
    const caption = text.locator(selector).locator('[data-caption]')
    await expect(caption).toHaveText(arabic)
    await expect(caption).toHaveCSS('direction', 'rtl')
    await caption.click()
    await page.keyboard.press('End')
    const driver = await InputDriver.attachTo(page)
    for (const composed of ['に', 'にほ']) driver.composeText(composed)
    await driver.waitUntilSent()
    textWith(body, arabic)!.insert(0, 'x')
    await writer.whenSaved()
    await expect(reader.text.locator(selector)).toContainText(`x${arabic}`)
    driver.commitText('日本')
    const readThere = async () =>
      (await reader.text.locator(selector).textContent())?.replaceAll('\u2060', '')
    await expect.poll(readThere).toBe(`x${arabic}日本`)
    await page.keyboard.insertText(family)
    await expect.poll(readThere).toBe(`x${arabic}日本${family}`)
    await page.keyboard.press('Backspace')
    await expect.poll(readThere).toBe(`x${arabic}日本`)
    await writer.close()
  })

/** The text of that beginning, however deep it stands. */
function textWith(parent: Y.XmlFragment, letters: string): Y.XmlText | undefined {
  for (const child of parent.toArray() as unknown[]) {
    if (child instanceof Y.XmlText && child.toJSON().startsWith(letters)) return child
    const found = child instanceof Y.XmlFragment ? textWith(child, letters) : undefined
    if (found) return found
  }
  return undefined
}
