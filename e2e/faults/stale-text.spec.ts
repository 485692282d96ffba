/**
 * Tests an editor in which something throws while it takes in remote edits: a hostile presence that neither the server nor the
 * client stopped, or a faulty plugin. The window continues to show remote edits, or stops and reports it; its next key deletes
 * nothing (W9).
 */
import type { Page } from '@playwright/test'
import type { XmlText } from 'yjs'
import type { OpenDocument } from '../../lib/client.ts'
import { expect, test as base } from '../fixtures/test.ts'
import type { OpenableDocument } from '../fixtures/openable-document.ts'
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

/** Tiptap's editor, as the page has it. */
interface PageEditor {
  readonly state: { readonly plugins: readonly { readonly constructor: unknown }[] }
  readonly commands: { insertContent(text: string): boolean }
  registerPlugin(plugin: unknown): void
  /** Makes the view read its state again. */
  setOptions(options: object): void
}

interface PageTransaction {
  getMeta(key: string): { readonly isDrawn?: boolean } | undefined
}

declare global {
  interface Window {
    /** At how many further remote changes the faulty plugin throws. */
    faults: number
  }
}

const faultPoints = ['state', 'view', 'decorations', 'filter'] as const
type FaultPoint = (typeof faultPoints)[number]

/** Adds a plugin that fails at remote edits. */
const addFaultyPlugin = (page: Page, faultPoint: FaultPoint, faults: number): Promise<void> =>
  page.evaluate(
    ([faultPoint, faults]) => {
      const { editor } = document.querySelector('.text') as unknown as { editor: PageEditor }
      const Plugin = editor.state.plugins[0]!.constructor as new (spec: object) => object
      let isRemote = false
      const takeFault = (point: string): boolean => {
        if (point !== faultPoint || !isRemote || window.faults === 0) return false
        window.faults -= 1
        isRemote = false
        return true
      }
      const throwIfFaulty = (point: string): void => {
        if (takeFault(point)) throw new Error('a plugin at fault')
      }
      const noteOrigin = (transaction: PageTransaction): void => {
        isRemote = transaction.getMeta('textBinding$')?.isDrawn === true
      }
      window.faults = 0
      const plugin = new Plugin({
        filterTransaction(transaction: PageTransaction) {
          noteOrigin(transaction)
          return !takeFault('filter')
        },
        state: {
          init: () => 0,
          apply(transaction: PageTransaction) {
            noteOrigin(transaction)
            throwIfFaulty('state')
            return 0
          },
        },
        props: {
          decorations() {
            throwIfFaulty('decorations')
          },
        },
        view: () => ({ update: () => throwIfFaulty('view') }),
      })
      editor.registerPlugin(plugin)
      window.faults = faults
    },
    [faultPoint, faults] as const,
  )

const firstLineOf = ({ doc }: OpenDocument): XmlText => {
  const block = doc.getXmlFragment('default').get(0) as unknown as { get(index: number): XmlText }
  return block.get(0)
}

const test = base.extend<{
  sharedDocument: OpenableDocument
  /** Another person's program, which has written "one". */
  remoteWriter: OpenDocument
  /** A window in which " two" was added. */
  window: DocumentWindow
}>({
  sharedDocument: async ({ createDocument }, use) => use(await createDocument()),
  remoteWriter: async ({ server, scheme, sharedDocument }, use) => {
    const remoteWriter = await openWriter(server.origin(scheme), sharedDocument)
    const body = remoteWriter.doc.getXmlFragment('default')
    body.delete(0, body.length)
    body.insert(0, [createTextBlock('paragraph', 'one')])
    await remoteWriter.whenSaved()
    await use(remoteWriter)
    await remoteWriter.close()
  },
  window: async ({ remoteWriter, sharedDocument, openWindow }, use) => {
    const window = await openWindow(sharedDocument.url('editor'))
    await window.expectLines('one')
    await window.typeAtEnd(' two')
    await expect.poll(() => firstLineOf(remoteWriter).toString()).toBe('one two')
    await use(window)
  },
})

/** Expects that the page threw. */
function expectFault({ errors }: DocumentWindow, fault: RegExp): void {
  expect(errors.join('\n')).toMatch(fault)
  errors.length = 0
}

for (const place of faultPoints)
  test(`[W9] a plugin that throws once, at the ${place}: the window shows remote edits, and its next key deletes nothing${place === 'view' ? '' : ' @long'}`, async ({
    remoteWriter,
    window,
  }) => {
    await addFaultyPlugin(window.page, place, 1)
    firstLineOf(remoteWriter).insert(0, 'zero ')
    await window.expectLines('zero one two')
    expect(await window.page.evaluate(() => globalThis.window.faults)).toBe(0)
    // The caret has not moved.
    await window.type(' three')
    await window.expectLines('zero one two three')
    await expect.poll(() => firstLineOf(remoteWriter).toString()).toBe('zero one two three')
    firstLineOf(remoteWriter).insert(0, 'and ')
    await window.expectLines('and zero one two three')
    if (place !== 'filter') expectFault(window, /a plugin at fault/)
  })

test('[W9] a plugin that always throws: the window stops and reports it, deletes nothing, and loses no letter @long', async ({
  remoteWriter,
  window,
}) => {
  await window.type(' mine')
  await addFaultyPlugin(window.page, 'state', 1_000)
  firstLineOf(remoteWriter).insert(0, 'zero ')
  const alert = window.page.getByRole('alert').filter({ hasText: 'This window could not show a change.' })
  await expect(alert).toContainText('Reload it to go on.')
  await window.page.keyboard.type('gone')
  await window.page.keyboard.press('Backspace')
  // Actions without a key change nothing either: a command, and a page that renders again.
  await window.page.evaluate(() => {
    const { editor } = document.querySelector('.text') as unknown as { editor: PageEditor }
    editor.commands.insertContent('gone')
    editor.setOptions({})
  })
  firstLineOf(remoteWriter).insert(0, 'and ')
  await remoteWriter.whenSaved()
  await expect(window.saveState).toHaveText('Saved')
  expect(firstLineOf(remoteWriter).toString()).toBe('and zero one two mine')
  await alert.getByRole('button', { name: 'Reload' }).click()
  await window.expectLines('and zero one two mine')
  await window.typeAtEnd(' three')
  await expect.poll(() => firstLineOf(remoteWriter).toString()).toBe('and zero one two mine three')
  expectFault(window, /a plugin at fault/)
})

const hostileStates: readonly [what: string, state: object][] = [
  ['an empty cursor', { cursor: {} }],
  ['a cursor without positions', { cursor: { anchor: {}, head: {} } }],
  ['a cursor of an invalid user', { user: 7, cursor: { anchor: {}, head: {} } }],
  [
    'a name that is not text',
    { user: { name: { toString: 1 } }, cursor: { anchor: { tname: 'default' }, head: { tname: 'default' } } },
  ],
]

/** Bypasses the checks of the server and of the client. */
const injectPresence = (page: Page, state: object): Promise<void> =>
  page.evaluate((state) => {
    const { awareness } = globalThis.window.diptych!
    awareness.states.set(7, state)
    awareness.meta.set(7, { clock: 1e99, lastUpdated: Date.now() })
    try {
      awareness.emit('change', [{ added: [7], updated: [], removed: [] }, 'test'])
    } catch (error) {
      reportError(error)
    }
  }, state)

for (const [what, state] of hostileStates)
  test(`hostile presence that got past all checks, ${what}: the window shows remote edits, and its next key deletes nothing @long`, async ({
    remoteWriter,
    window,
  }) => {
    await injectPresence(window.page, state)
    firstLineOf(remoteWriter).insert(0, 'zero ')
    await window.expectLines('zero one two')
    await window.type(' three')
    await expect.poll(() => firstLineOf(remoteWriter).toString()).toBe('zero one two three')
    firstLineOf(remoteWriter).insert(0, 'and ')
    await window.expectLines('and zero one two three')
    window.errors.length = 0
  })

test('hostile presence over the network: other people’s carets stay, and nothing throws @long', async ({
  remoteWriter,
  window,
}) => {
  for (const [, state] of hostileStates) {
    remoteWriter.awareness.setLocalState(state)
    firstLineOf(remoteWriter).insert(0, 'x')
  }
  const place = { tname: 'default' }
  remoteWriter.awareness.setLocalState({ user: { name: 'Eve' }, cursor: { anchor: place, head: place } })
  await expect(window.text.locator('.caret')).toHaveCount(1)
  await window.type(' three')
  await expect.poll(() => firstLineOf(remoteWriter).toString()).toBe('xxxxone two three')
  await window.expectLines('xxxxone two three')
})
