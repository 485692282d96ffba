/** What holds for each block by two writers, whatever it is: in the second editor's window, on a phone, offline, read only and on paper. */
import type { Locator, Page } from '@playwright/test'
import type { NodeType } from 'prosemirror-model'
import type { XmlElement } from 'yjs'
import { documentWith, sharedTextOf, textSchema } from '../../lib/blocks/fixtures/block-documents.ts'
import { panelPath } from '../../lib/windows/panels.ts'
import { textIn } from '../fixtures/document-text.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

/** What stands in another block is tried with that. */
const parts = new Set([
  'doc',
  'text',
  'paragraph',
  'listItem',
  'taskItem',
  'toggleSummary',
  'tableRow',
  'tableCell',
  'caption',
])
const types = Object.values(textSchema.nodes).filter(({ name }) => !parts.has(name))

const hasLetters = (type: NodeType): boolean => type.isTextblock || !type.isLeaf

for (const type of types)
  test(`two people write at the block ${type.name} offline, and each takes back what was their own @long`, async ({
    server,
    scheme,
    createDocument,
    openWindow,
    openWindowIn,
  }, info) => {
    const document = await createDocument()
    const writer = await openWriter(server.origin(scheme), document)
    const shown = sharedTextOf(documentWith(type, {}, ['one', 'two', 'three']))
    writer.doc.transact(() => {
      const blocks = shown.toArray().map((part) => part.clone() as XmlElement)
      writer.doc.getXmlFragment('default').insert(0, blocks)
    })
    await writer.whenSaved()
    await writer.close()

    const main = await openWindow(document.url('editor'))
    const second = await openWindowIn(
      main.page.context(),
      new URL(panelPath(document.id, 'editor'), document.url('editor')).href,
      { ready: false },
    )
    const phone = await openWindow(document.url('editor'))
    await phone.page.setViewportSize({ width: 390, height: 844 })
    const viewer = await openWindow(document.url('viewer'))
    const windows = [main.page, second.page, phone.page, viewer.page]
    const expectAlike = async (): Promise<void> => {
      const text = await readText(textIn(phone.page))
      for (const page of windows) await expect.poll(() => readText(textIn(page))).toBe(text)
    }
    for (const page of windows) await expect(textIn(page)).toContainText('three')
    await expectAlike()

    await main.page.context().setOffline(true)
    await phone.page.context().setOffline(true)
    const start = hasLetters(type) ? 'Control+Home' : 'Control+End'
    await writeAt(second.page, [start, 'End'], 'QXZ')
    await writeAt(phone.page, [start, 'Home'], 'bob')
    await main.page.context().setOffline(false)
    await phone.page.context().setOffline(false)
    for (const page of windows) {
      await expect(textIn(page)).toContainText('QXZ')
      await expect(textIn(page)).toContainText('bob')
    }
    await expectAlike()
    await expectSaved(phone.page)

    await textIn(second.page).focus()
    // On a busy machine the letters are more than one step.
    for (let step = 0; step < 3; step++)
      if (/[QXZ]/.test((await textIn(second.page).textContent()) ?? ''))
        await second.page.keyboard.press('ControlOrMeta+z')
    for (const page of windows) {
      await expect(textIn(page)).not.toContainText(/[QXZ]/)
      await expect(textIn(page)).toContainText('bob')
    }
    await expectAlike()

    await textIn(viewer.page).focus()
    await viewer.page.keyboard.type('no')
    await viewer.page.emulateMedia({ media: 'print' })
    await expect(textIn(viewer.page).getByText('bob')).toBeVisible()
    await expectAlike()
    await expectCleanPage(phone.page, `phone ${type.name}`, info)
  })

async function writeAt(page: Page, keys: readonly string[], letters: string): Promise<void> {
  await textIn(page).focus()
  for (const key of keys) await page.keyboard.press(key)
  await page.keyboard.type(letters)
  await expect(textIn(page)).toContainText(letters)
}

/** The letters of each block, without what only one window draws. */
const readText = (text: Locator): Promise<string> =>
  text.evaluate((root) => {
    const copy = root.cloneNode(true) as HTMLElement
    for (const drawn of copy.querySelectorAll('.ProseMirror-widget, button, select')) drawn.remove()
    return Array.from(copy.children, ({ textContent }) => textContent).join('|')
  })
