/**
 * Parts of a text that this page does not know, written by a newer page or another program: every window goes on showing the text, deletes
 * nothing of it, and edits it again once somebody has taken that part out.
 */
import type { Page } from '@playwright/test'
import * as Y from 'yjs'
import { expect, test as base } from '../fixtures/test.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import type { OpenableDocument } from '../fixtures/openable-document.ts'
import { createStockProvider } from '../../server/fixtures/stock-provider.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

interface StockWriter extends Disposable {
  readonly body: Y.XmlFragment
  write(change: (body: Y.XmlFragment) => void): void
}

const test = base.extend<{
  sharedDocument: OpenableDocument
  writer: StockWriter
}>({
  sharedDocument: async ({ createDocument }, use) => use(await createDocument()),
  writer: async ({ server, scheme, sharedDocument }, use) => {
    using provider = disposable(
      createStockProvider(server.origin(scheme), sharedDocument.id, { token: sharedDocument.tokens.other }),
    )
    const { doc } = provider.value
    await new Promise<void>((resolve) => provider.value.once('sync', () => resolve()))
    const body = doc.getXmlFragment('default')
    await use({ body, write: (change) => doc.transact(() => change(body)), [Symbol.dispose]() {} })
  },
})

const disposable = <Value extends { destroy(): void }>(
  value: Value,
): Disposable & { readonly value: Value } => ({
  value,
  [Symbol.dispose]: () => value.destroy(),
})

const noticeIn = (page: Page) =>
  page.getByRole('status').filter({ hasText: 'Part of this document was made with a newer Diptych' })

const hologram = (text: string): Y.XmlElement => {
  const element = new Y.XmlElement('hologram')
  element.insert(0, [new Y.XmlText(text)])
  return element
}

async function expectReadable({ page, text, saveState }: DocumentWindow, words: string[]): Promise<void> {
  await expect(noticeIn(page)).toBeVisible()
  for (const word of words) await expect(text).toContainText(word)
  await expect(text).toHaveAttribute('aria-readonly', 'true')
  await expect(saveState).toHaveText('Saved')
}

async function expectEditable(window: DocumentWindow, word: string): Promise<void> {
  await expect(noticeIn(window.page)).toBeHidden()
  await expect(window.text).toHaveAttribute('aria-readonly', 'false')
  await window.typeAtEnd(word)
  await expect(window.saveState).toHaveText('Saved')
}

test('[W11] unknown parts in a document, from the start or while it is open: every window shows the text and deletes nothing, and after a restore all edit again', async ({
  sharedDocument,
  writer,
  openWindow,
}) => {
  const editor = await openWindow(sharedDocument.url('editor'))
  await editor.typeAtEnd('known')
  const viewer = await openWindow(sharedDocument.url('viewer'))
  await viewer.expectLines('known')
  // A version to restore.
  await editor.page.evaluate(
    (id) =>
      fetch(`/api/documents/${id}/versions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Before' }),
      }),
    sharedDocument.id,
  )
  writer.write((body) => body.push([hologram('of tomorrow'), new Y.XmlText('beside blocks')]))
  const words = ['known', 'of tomorrow', 'beside blocks']
  for (const window of [editor, viewer]) await expectReadable(window, words)
  await expect(editor.text.locator('[data-label]')).toHaveAttribute('data-label', /Made with a newer Diptych/)

  await editor.text.focus()
  await editor.page.keyboard.type('gone')
  await editor.page.reload()
  await expectReadable(editor, words)
  const late = await openWindow(sharedDocument.url('editor'))
  await expectReadable(late, words)
  writer.write((body) => ((body.get(0) as Y.XmlElement).get(0) as Y.XmlText).insert(0, 'un'))
  for (const window of [editor, viewer, late]) await expect(window.text).toContainText('unknown')
  expect(writer.body.toJSON()).toBe(
    '<paragraph>unknown</paragraph><hologram>of tomorrow</hologram>beside blocks',
  )

  await expect(noticeIn(viewer.page).getByRole('button')).toHaveCount(0)
  await noticeIn(editor.page).getByRole('button', { name: 'History' }).click()
  const history = editor.page.getByRole('region', { name: 'History', exact: true })
  await history.getByRole('button', { name: /Before/ }).click()
  await history.getByRole('button', { name: 'Restore' }).click()
  await expect(noticeIn(viewer.page)).toBeHidden()
  await viewer.expectLines('known')
  await expectEditable(editor, ' one')
  await expectEditable(late, ' two')
  await viewer.expectLines('known one two')
})

test('what is shown of an unknown part can be kept, and undone', async ({
  sharedDocument,
  writer,
  openWindow,
}) => {
  const editor = await openWindow(sharedDocument.url('editor'))
  await editor.typeAtEnd('known')
  await expect(editor.saveState).toHaveText('Saved')
  await expect.poll(() => writer.body.toJSON()).toContain('known')
  writer.write((body) => body.push([hologram('of tomorrow')]))
  await expectReadable(editor, ['known', 'of tomorrow'])
  await noticeIn(editor.page).getByRole('button', { name: 'Keep what is shown' }).click()
  await expect(noticeIn(editor.page)).toBeHidden()
  await editor.expectLines('known\nof tomorrow')
  await editor.page
    .getByRole('region', { name: /Notifications/ })
    .getByRole('button', { name: 'Undo' })
    .click()
  await expectReadable(editor, ['known', 'of tomorrow'])
  await expect.poll(() => writer.body.toJSON()).toContain('<hologram>of tomorrow</hologram>')
  writer.write((body) => body.delete(1, body.length - 1))
  await expectEditable(editor, ' one')
  await expect.poll(() => writer.body.toJSON()).toContain('known one')
})

const odd: readonly [string, (body: Y.XmlFragment) => void][] = [
  ['an unknown mark', (body) => firstText(body).format(0, 2, { glow: true })],
  ['an object among letters', (body) => firstText(body).insertEmbed(1, { image: 'x' })],
  ['a block among letters', (body) => firstText(body).insertEmbed(1, new Y.XmlElement('paragraph'))],
  ['a hook', (body) => body.push([new Y.XmlHook('hook') as unknown as Y.XmlText])],
  [
    'a map and an array',
    (body) => body.insert(0, [new Y.Map() as unknown as Y.XmlText, new Y.Array() as unknown as Y.XmlText]),
  ],
  ['an item without a list', (body) => body.push([new Y.XmlElement('listItem')])],
  [
    'an attribute that is an object',
    (body) => (body.get(0) as Y.XmlElement).setAttribute('level', { a: 1 } as unknown as string),
  ],
]

const firstText = (body: Y.XmlFragment): Y.XmlText => (body.get(0) as Y.XmlElement).get(0) as Y.XmlText

test('whatever well-formed Yjs arrives: the text and its panels stay, here and in a second editor', async ({
  sharedDocument,
  writer,
  openWindow,
}) => {
  const editor = await openWindow(sharedDocument.url('editor'))
  await editor.typeAtEnd('known')
  await expect(editor.saveState).toHaveText('Saved')
  await expect.poll(() => writer.body.toJSON()).toContain('known')
  const second = await openWindow(sharedDocument.url('editor').replace('#', '/p/editor#'), { ready: false })
  const preview = await openWindow(sharedDocument.url('editor').replace('#', '/p/preview#'), { ready: false })
  for (const [, change] of odd) {
    const before = Y.encodeStateAsUpdate(writer.body.doc!)
    writer.write(change)
    for (const { page } of [editor, second]) await expect(noticeIn(page)).toBeVisible()
    for (const { page } of [editor, second])
      await expect(page.getByRole('textbox', { name: 'Document' })).toContainText(/kn?\uFFFC?n?own/)
    await expect(preview.page.locator('.text')).toContainText(/n?own/)
    const past = new Y.Doc()
    Y.applyUpdate(past, before)
    writer.write((body) => {
      body.delete(0, body.length)
      body.insert(
        0,
        past
          .getXmlFragment('default')
          .toArray()
          .map((block) => block.clone()) as Y.XmlElement[],
      )
    })
    for (const { page } of [editor, second]) await expect(noticeIn(page)).toBeHidden()
  }
  await editor.expectLines('known')
})

test('[W11] two deletions that meet leave an item without a paragraph: its list stays, and a viewer’s window writes nothing', async ({
  server,
  scheme,
  sharedDocument,
  writer,
  openWindow,
}) => {
  writer.write((body) => {
    body.delete(0, body.length)
    body.insert(0, [
      list(
        item(
          createTextBlock('paragraph', 'p1'),
          createTextBlock('paragraph', 'p2'),
          list(item(createTextBlock('paragraph', 'kept'))),
        ),
      ),
    ])
  })
  const [viewer, editor] = [
    await openWindow(sharedDocument.url('viewer')),
    await openWindow(sharedDocument.url('editor')),
  ]
  for (const window of [viewer, editor]) await window.expectLines('p1p2kept')
  const other = await openWriter(server.origin(scheme), sharedDocument)
  const blocksOf = (body: Y.XmlFragment) => (body.get(0) as Y.XmlElement).get(0) as Y.XmlElement
  // The second deletion is made without the first.
  const deletion = new Y.Doc()
  Y.applyUpdate(deletion, Y.encodeStateAsUpdate(writer.body.doc!))
  blocksOf(deletion.getXmlFragment('default')).delete(1, 1)
  writer.write((body) => blocksOf(body).delete(0, 1))
  Y.applyUpdate(other.doc, Y.encodeStateAsUpdate(deletion))
  await other.whenSaved()
  for (const window of [viewer, editor]) {
    await window.expectLines('kept')
    await expect(window.saveState).toHaveText('Saved')
  }
  await viewer.text.click()
  await editor.typeAtEnd(' words')
  for (const window of [viewer, editor]) await window.expectLines('kept words')
  await expect(viewer.saveState).toHaveText('Saved')
  await other.close()
})

const elementOf = (name: string, children: Y.XmlElement[]): Y.XmlElement => {
  const element = new Y.XmlElement(name)
  element.insert(0, children)
  return element
}
const list = (...items: Y.XmlElement[]): Y.XmlElement => elementOf('bulletList', items)
const item = (...blocks: Y.XmlElement[]): Y.XmlElement => elementOf('listItem', blocks)
