/**
 * Parts of a text that this page does not know, written by a newer page or another program: every window goes on showing and editing the
 * text, and deletes nothing of them. A person can move, copy and delete each as a whole.
 */
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

const hologram = (text: string): Y.XmlElement => {
  const element = new Y.XmlElement('hologram')
  element.setAttribute('depth', '3')
  element.insert(0, [new Y.XmlText(text)])
  return element
}

const unknownPartIn = ({ text }: DocumentWindow) =>
  text.getByRole('group', { name: 'Made with a newer Diptych or another program' })

async function expectShown(window: DocumentWindow, lines: string): Promise<void> {
  await window.expectLines(lines)
  await expect(unknownPartIn(window)).toHaveText('of tomorrow')
  await expect(window.saveState).toHaveText('Saved')
}

test('[W11] unknown parts in a document, from the start or while it is open: every window shows them, edits the text around them, and deletes nothing', async ({
  sharedDocument,
  writer,
  openWindow,
}) => {
  const editor = await openWindow(sharedDocument.url('editor'))
  await editor.typeAtEnd('known')
  const viewer = await openWindow(sharedDocument.url('viewer'))
  await viewer.expectLines('known')
  writer.write((body) => body.push([hologram('of tomorrow'), new Y.XmlText('beside blocks')]))
  for (const window of [editor, viewer]) await expectShown(window, 'known\nof tomorrow\nbeside blocks')
  await editor.page.reload()
  await expectShown(editor, 'known\nof tomorrow\nbeside blocks')
  const late = await openWindow(sharedDocument.url('editor'))
  await expectShown(late, 'known\nof tomorrow\nbeside blocks')
  await editor.typeAtEnd(' are kept')
  await late.text.getByText('known').click()
  await late.page.keyboard.press('Home')
  await late.page.keyboard.type('un')
  for (const window of [editor, viewer, late])
    await expectShown(window, 'unknown\nof tomorrow\nbeside blocks are kept')
  await expect
    .poll(() => writer.body.toJSON())
    .toBe('<paragraph>unknown</paragraph><hologram depth="3">of tomorrow</hologram>beside blocks are kept')
})

test('an unknown part can be deleted and brought back, and moved by cutting and pasting: it stays what it was @long', async ({
  sharedDocument,
  writer,
  openWindow,
}) => {
  const editor = await openWindow(sharedDocument.url('editor'))
  writer.write((body) => {
    body.delete(0, body.length)
    body.push([
      createTextBlock('paragraph', 'known'),
      hologram('of tomorrow'),
      createTextBlock('paragraph', 'end'),
    ])
  })
  const stored = '<hologram depth="3">of tomorrow</hologram>'
  await unknownPartIn(editor).click()
  await editor.page.keyboard.press('Backspace')
  await expect(unknownPartIn(editor)).toHaveCount(0)
  await expect.poll(() => writer.body.toJSON()).not.toContain('hologram')
  await editor.page.keyboard.press('ControlOrMeta+z')
  await expect(unknownPartIn(editor)).toBeVisible()
  await expect.poll(() => writer.body.toJSON()).toContain(stored)
  // Two clicks at one place would be a double click.
  await editor.text.getByText('known').click()
  await unknownPartIn(editor).click()
  await editor.page.keyboard.press('ControlOrMeta+x')
  await expect(unknownPartIn(editor)).toHaveCount(0)
  await editor.text.getByText('end').click()
  await editor.page.keyboard.press('End')
  await editor.page.keyboard.press('ControlOrMeta+v')
  await expect
    .poll(() => writer.body.toJSON())
    .toContain(`<paragraph>known</paragraph><paragraph>end</paragraph>${stored}`)
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

test('whatever well-formed Yjs arrives: the text can be edited, its panels stay, and what arrived is kept @long', async ({
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
    const changed = writer.body.toJSON()
    for (const { page } of [editor, second])
      await expect(page.getByRole('textbox', { name: 'Document' })).toContainText(/kn?\uFFFC?n?own/)
    await expect(preview.page.locator('.text')).toContainText(/n?own/)
    await editor.text.getByText(/own/).first().click()
    await editor.page.keyboard.press('End')
    await editor.page.keyboard.type('!')
    await expect.poll(() => writer.body.toJSON()).toContain('own!')
    expect(writer.body.toJSON().replace('own!', 'own')).toBe(changed)
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
    for (const window of [editor, second]) await window.expectLines('known')
  }
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
