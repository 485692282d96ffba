/** A person's flows in Firefox and in Safari's engine, over every transport. */
import { createTextBlock, openWriter } from '../fixtures/document-writer.ts'
import { networkTransports } from '../../lib/transports/descriptors.ts'
import type { ElementQuery } from './fixtures/engine.ts'
import { expectSameEngineLines } from './fixtures/engine-window.ts'
import type { EngineWindow } from './fixtures/engine-window.ts'
import { engineNames, expect, skipReasons, test } from './fixtures/engine-fixtures.ts'

const region = (name: string): ElementQuery => ({ role: 'region', name })

async function pressKey(window: EngineWindow, keys: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await window.page.press(keys)
}

/** Runs in the page. */
const hasServiceWorker = (): boolean => navigator.serviceWorker.controller !== null

/** Runs in the page. The engines click in the middle of an element, which is not on the screen here. */
const focusText = (): void => document.querySelector<HTMLElement>('[role=textbox].ProseMirror')?.focus()

/** Runs in the page. */
const countSkippedBlocks = (): number => document.querySelectorAll('.skips-unseen').length

/** Runs in the page. */
const pastePhoto = async (): Promise<void> => {
  const canvas = document.createElement('canvas')
  canvas.width = 3000
  canvas.height = 1500
  canvas.getContext('2d')!.fillRect(0, 0, 1500, 1500)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg'))
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File([blob!], 'photo.jpg', { type: 'image/jpeg' }))
  const text = document.querySelector<HTMLElement>('[role=textbox].ProseMirror')!
  const options = { bubbles: true, cancelable: true }
  const drop = new DragEvent('drop', { dataTransfer, ...options })
  // Scripts can make no drop with files in WebKit, and no paste with files in Firefox.
  text.dispatchEvent(
    drop.dataTransfer ? drop : new ClipboardEvent('paste', { clipboardData: dataTransfer, ...options }),
  )
}

/** Runs in the page. */
const readPicture = (): readonly (string | number)[] => {
  const image = document.querySelector<HTMLImageElement>('.picture-frame > img')
  return image ? [new URL(image.src).protocol, image.naturalWidth, image.naturalHeight] : []
}

/** Runs in the page. */
const readMyStatus = async (): Promise<number> => (await fetch('/api/me')).status

for (const engineName of engineNames)
  test.describe(engineName, () => {
    test.use({ engineName })
    // A contributor may lack an engine; CI installs both.
    test.skip(skipReasons[engineName] !== undefined, skipReasons[engineName])

    test('typing goes both ways between two windows', async ({ createDocument, openEngineWindow }) => {
      const document = await createDocument()
      const windows = [
        await openEngineWindow(document.url('editor')),
        await openEngineWindow(document.url('editor')),
      ] as const
      await windows[0].typeAtEnd('The first writes, ')
      await windows[1].expectLines('The first writes, ')
      await windows[1].typeAtEnd('the second goes on.')
      await expectSameEngineLines(windows, 'The first writes, the second goes on.')
    })

    test('two people type at the same time', async ({ createDocument, openEngineWindow }) => {
      const document = await createDocument()
      const first = await openEngineWindow(document.url('editor'))
      const second = await openEngineWindow(document.url('editor'))
      await first.typeAtEnd('[')
      await first.page.press('Enter')
      await second.expectLines('[', '')
      await first.moveCaretToStart()
      await first.page.press('End')
      await second.moveCaretToEnd()
      await Promise.all([first.page.type('a line of the first'), second.page.type('a line of the second')])
      await expectSameEngineLines([first, second], '[a line of the first', 'a line of the second')
    })

    test('the caret goes to the end and back over code that is off the screen', async ({
      server,
      scheme,
      createDocument,
      openEngineWindow,
    }) => {
      const document = await createDocument()
      const writer = await openWriter(server.origin(scheme), document)
      const code = 'let a\n'.repeat(9) + 'let b'
      const blocks = Array.from({ length: 30 }, () => createTextBlock('codeBlock', code))
      const lines = [createTextBlock('paragraph', 'top'), ...blocks]
      writer.doc.transact(() => writer.doc.getXmlFragment('default').insert(0, lines))
      await writer.whenSaved()
      await writer.close()
      const window = await openEngineWindow(document.url('editor'))
      await expect.poll(() => window.page.evaluate(countSkippedBlocks)).toBe(30)
      await window.page.evaluate(focusText)
      await window.page.press('Control+End')
      await window.page.type('end')
      await window.page.press('Control+Home')
      await window.page.type('the ')
      await expectSameEngineLines([window], 'the top', ...blocks.map(() => code), 'end')
    })

    for (const scheme of ['https', 'http'] as const)
      test.describe(() => {
        test.use({ scheme })
        test(`typing by each transport over ${scheme}`, async ({ createDocument, openEngineWindow }) => {
          const document = await createDocument()
          const chosen = await openEngineWindow(document.url('editor'))
          const other = await openEngineWindow(document.url('editor'))
          let text = ''
          for (const transport of networkTransports)
            await test.step(transport, async () => {
              await chosen.chooseTransport(transport)
              await chosen.typeAtEnd(`${transport} there `)
              await other.expectLines((text += `${transport} there `))
              await other.typeAtEnd('and back. ')
              await expectSameEngineLines([chosen, other], (text += 'and back. '))
              await chosen.expectTransport(transport)
            })
        })
      })

    test('[S4] a switch in mid-word loses no letter', async ({
      server,
      scheme,
      createDocument,
      openEngineWindow,
    }) => {
      const document = await createDocument()
      const switchingWindow = await openEngineWindow(document.url('editor', 'faulty'))
      const steadyWindow = await openEngineWindow(document.url('editor'))
      await switchingWindow.typeAtEnd('.')
      await switchingWindow.page.press('Enter')
      await steadyWindow.expectLines('.', '')
      // A switch takes some round trips: slow ones let letters fall into each of its phases.
      server.proxy(scheme).setFaults({ delayMs: 40 })
      await switchingWindow.moveCaretToStart()
      await steadyWindow.moveCaretToEnd()
      const switchTransports = async () => {
        for (const [transport, word] of [
          ['sse', 'transformation'],
          ['websocket', 'unquestionable'],
          ['long-poll', 'interoperability'],
        ] as const) {
          await switchingWindow.page.type(word.slice(0, 7))
          await switchingWindow.chooseTransport(transport, () => switchingWindow.page.type(word.slice(7)))
        }
      }
      const remoteText = 'meanwhile somebody else goes on typing a line of their own'
      await Promise.all([switchTransports(), steadyWindow.page.type(remoteText)])
      await expectSameEngineLines(
        [switchingWindow, steadyWindow],
        'transformationunquestionableinteroperability.',
        remoteText,
      )
    })

    test('[W1] a panel in its own window follows the text', async ({ createDocument, openEngineWindow }) => {
      const main = await openEngineWindow((await createDocument()).url('editor'))
      await main.typeAtEnd('# One')
      await main.page.press('Enter')
      await main.page.type('first')
      await main.click({ role: 'button', name: 'Panels' })
      await main.click({ role: 'menuitemcheckbox', name: 'Outline' })
      await main.page.press('Escape')
      await main.expectShown({ role: 'button', name: 'One', within: region('Outline') })
      const outline = await main.openPopup({
        role: 'button',
        name: 'Open in its own window',
        within: region('Outline'),
      })
      await outline.expectShown({ role: 'button', name: 'One', within: region('Outline') })
      await main.expectShown({ role: 'group', name: 'Outline in another window' })
      await main.typeAtEnd('')
      await main.page.press('Enter')
      await main.page.type('# Two')
      await outline.expectShown({ role: 'button', name: 'Two', within: region('Outline') })
    })

    test('text typed while offline is there afterwards', async ({
      server,
      scheme,
      createDocument,
      openEngineWindow,
    }) => {
      const document = await createDocument()
      const offlineWindow = await openEngineWindow(document.url('editor', 'faulty'))
      const onlineWindow = await openEngineWindow(document.url('editor'))
      await offlineWindow.typeAtEnd('Before, ')
      await expectSameEngineLines([offlineWindow, onlineWindow], 'Before, ')
      server.proxy(scheme).goOffline()
      await offlineWindow.page.type('offline')
      await offlineWindow.expectUnsaved()
      await onlineWindow.expectLines('Before, ')
      server.proxy(scheme).heal()
      await expectSameEngineLines([offlineWindow, onlineWindow], 'Before, offline')
      await onlineWindow.typeAtEnd(', and after')
      await expectSameEngineLines([offlineWindow, onlineWindow], 'Before, offline, and after')
    })

    test('[F2] [F6] a large photo is made smaller, goes up and is seen by others', async ({
      createDocument,
      openEngineWindow,
    }) => {
      const document = await createDocument()
      const writer = await openEngineWindow(document.url('editor'))
      const reader = await openEngineWindow(document.url('viewer'))
      await writer.moveCaretToEnd()
      await writer.page.evaluate(pastePhoto)
      for (const [window, source] of [
        [writer, 'blob:'],
        [reader, 'https:'],
      ] as const)
        await expect.poll(() => window.page.evaluate(readPicture)).toEqual([source, 2560, 1280])
    })

    test('[D2] the server is killed and comes back', async ({ server, createDocument, openEngineWindow }) => {
      const document = await createDocument()
      const writer = await openEngineWindow(document.url('editor'))
      const reader = await openEngineWindow(document.url('editor'))
      await writer.typeAtEnd('Saved before. ')
      await expectSameEngineLines([writer, reader], 'Saved before. ')
      await Promise.all([writer.page.type('Written while the server '), server.kill()])
      await writer.page.type('was dead.')
      await writer.expectUnsaved()
      await server.start()
      await expectSameEngineLines([writer, reader], 'Saved before. Written while the server was dead.')
    })

    test.describe(() => {
      // Firefox runs a service worker only at an address that it trusts. By HTTP on this computer, that needs no certificate.
      test.use({ scheme: 'http' })

      test('behind the service worker, a person who lost their session gets another', async ({
        server,
        scheme,
        createDocument,
        openEngineWindow,
      }) => {
        const window = await openEngineWindow((await createDocument()).url('editor'))
        await expect.poll(() => window.page.evaluate(hasServiceWorker)).toBe(true)
        for (const url of [(await createDocument()).url('editor'), `${server.origin(scheme)}/new`]) {
          await window.page.deleteCookies()
          // WebKit's driver answers before its network process has forgotten them.
          await expect.poll(() => window.page.evaluate(readMyStatus)).toBe(401)
          await window.page.open(url)
          await window.expectReady()
        }
      })
    })

    test('a comment on a selection is seen elsewhere', async ({ createDocument, openEngineWindow }) => {
      const document = await createDocument()
      const writer = await openEngineWindow(document.url('editor'))
      const reader = await openEngineWindow(document.url('editor'))
      await writer.typeAtEnd('The meeting is on Monday.')
      await pressKey(writer, 'Shift+ArrowLeft', 'Monday.'.length)
      await writer.page.press('Control+Alt+m')
      await writer.expectFocusOn('Comment')
      await writer.page.type('Or on Tuesday?')
      await writer.page.press('Control+Enter')
      for (const window of [writer, reader]) await window.expectCommentOn('Monday.')
      await reader.click({ role: 'button', name: 'Panels' })
      await reader.click({ role: 'menuitemcheckbox', name: 'Comments' })
      await reader.page.press('Escape')
      const thread: ElementQuery = { role: 'article', name: 'Thread on “Monday.”' }
      await reader.expectText({ ...thread, within: region('Comments') }, /Or on Tuesday\?/)
    })

    test('find and replace', async ({ createDocument, openEngineWindow }) => {
      const document = await createDocument()
      const window = await openEngineWindow(document.url('editor'))
      const other = await openEngineWindow(document.url('editor'))
      await window.typeAtEnd('A red rose is red, and so is Red wine.')
      await window.page.press('Control+f')
      const panel = region('Find')
      await window.click({ role: 'searchbox', name: 'Find', within: panel })
      await window.page.type('red')
      await window.expectText({ role: 'status', name: 'Found' }, /^\d of 3$/)
      await window.click({ role: 'button', name: 'Match case', within: panel })
      await window.expectText({ role: 'status', name: 'Found' }, /^\d of 2$/)
      await window.click({ role: 'textbox', name: 'Replace with', within: panel })
      await window.page.type('white')
      await window.click({ role: 'button', name: 'Replace all', within: panel })
      await expectSameEngineLines([window, other], 'A white rose is white, and so is Red wine.')
    })

    test('undo takes back only one’s own words', async ({ createDocument, openEngineWindow }) => {
      const document = await createDocument()
      const first = await openEngineWindow(document.url('editor'))
      const second = await openEngineWindow(document.url('editor'))
      await first.typeAtEnd('mine')
      await second.expectLines('mine')
      await second.typeAtEnd(' and yours')
      await first.expectLines('mine and yours')
      await first.moveCaretToEnd()
      await first.page.press('Control+z')
      await expectSameEngineLines([first, second], ' and yours')
      await first.page.press('Control+z')
      await first.page.press('Control+Shift+z')
      await expectSameEngineLines([first, second], 'mine and yours')
    })
  })
