/** [F2] [F5] A picture that one person adds is seen by everybody who may read the document, however it gets there. */
import type { BrowserContext, Locator } from '@playwright/test'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { bringPicture } from '../fixtures/paste-picture.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const imageIn = ({ text }: DocumentWindow): Locator => text.locator('.picture-frame > img')
const noteIn = ({ text }: DocumentWindow): Locator => text.locator('.file-note')

/** Waits until the browser has drawn the bytes, and says where from. */
const expectShown = (image: Locator, width: number, from: 'device' | 'server'): Promise<void> =>
  expect
    .poll(() =>
      image.evaluate(({ src, naturalWidth }: HTMLImageElement) => [
        src.startsWith('blob:') ? 'device' : src.includes('/api/') ? 'server' : 'nowhere',
        naturalWidth,
      ]),
    )
    .toEqual([from, width])

const expectNote = async (window: DocumentWindow, words: RegExp): Promise<void> => {
  await expect(noteIn(window)).toBeVisible()
  await expect(noteIn(window).locator('> span')).toHaveAttribute('data-text', words)
}

const cat = { name: 'cat.png', width: 600, height: 400 }

/** Requests of files fail as without a network, until the returned function is called; other requests go on. */
async function cutFiles(context: BrowserContext): Promise<() => Promise<void>> {
  const path = '**/api/documents/*/files**'
  await context.route(path, (route) => route.abort('internetdisconnected'))
  return () => context.unroute(path)
}

test('a pasted picture is seen by others, by viewers, in panels, and by whoever comes later', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, viewer] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  await dockPanels(viewer.page, 'Preview')
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expectShown(imageIn(one), 600, 'device')
  await expectShown(imageIn(viewer), 600, 'server')
  await expectShown(panelOf(viewer.page, 'Preview').locator('figure img'), 600, 'server')
  await expect(noteIn(one)).toBeHidden()
  await expect(noteIn(viewer)).toBeHidden()
  const later = await openWindow(document.url('editor'))
  await expectShown(imageIn(later), 600, 'server')
})

test('a picture added without a network shows at once, and goes up after a reload once there is one', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  const join = await cutFiles(one.page.context())
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expectShown(imageIn(one), 600, 'device')
  await expectNote(one, /^Upload interrupted\. Retrying…$/)
  await expectNote(two, /has not been uploaded yet/)
  await expectSaved(one.page)
  await one.page.reload()
  await expectShown(imageIn(one), 600, 'device')
  await expectNote(one, /^(?:Waiting to upload|Upload interrupted\. Retrying…)$/)
  await join()
  await expectShown(imageIn(two), 600, 'server')
  await expect(noteIn(one)).toBeHidden()
})

test('an upload is cancelled and asked for again, and others see it come @long', async ({
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  const isHeld = Promise.withResolvers<void>()
  await one.page.context().route('**/api/documents/*/files/*', async (route) => {
    if (route.request().method() === 'PATCH') await isHeld.promise
    await route.continue().catch(() => {}) // the page has given it up
  })
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expectNote(one, /^Uploading 0\s%$/)
  await expectNote(two, /is uploading “cat.png”: 0\s%$/)
  for (const { page } of [one, two]) await expectCleanPage(page, 'upload', info)
  await noteIn(one).getByRole('button', { name: 'Cancel: cat.png' }).click()
  await expectNote(one, /^Only on this device$/)
  await expectNote(two, /has not been uploaded yet/)
  isHeld.resolve()
  const upload = noteIn(one).getByRole('button', { name: 'Upload: cat.png' })
  await upload.focus()
  await one.page.keyboard.press('Enter')
  await expectShown(imageIn(two), 600, 'server')
  await expect(noteIn(one)).toBeHidden()
  await expect(one.text).toBeFocused()
})

test('a version shows the picture that its text had @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  const one = await openWindow(document.url('editor'))
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expectShown(imageIn(one), 600, 'device')
  await expect(noteIn(one)).toBeHidden()
  await expectSaved(one.page)
  const two = await openWindow(document.url('editor'))
  await expectShown(imageIn(two), 600, 'server')
  await dockPanels(two.page, 'History')
  const history = panelOf(two.page, 'History')
  await history.getByRole('textbox', { name: 'Name this version' }).fill('With a cat')
  await history.getByRole('button', { name: 'Save version' }).click()
  await history.getByRole('button', { name: 'With a cat' }).click()
  await expectShown(history.locator('img'), 600, 'server')
})

test('a block that is pasted into another document brings its file along, also what others added @long', async ({
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const [document, other] = [await createDocument(), await createDocument()]
  const one = await openWindow(document.url('editor'))
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  const two = await openWindow(document.url('editor'))
  await expectShown(imageIn(two), 600, 'server')
  await two.text.focus()
  await two.page.keyboard.press('ControlOrMeta+a')
  const html = await two.text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/html')
  })
  expect(html).not.toContain('/api/')
  const theirs = await openWindowIn(two.page.context(), other.url('editor'))
  await theirs.text.click()
  await pasteInto(theirs.text, { 'text/html': html })
  await expectShown(imageIn(theirs), 600, 'server')
  const third = await openWindow(other.url('viewer'))
  await expectShown(imageIn(third), 600, 'server')

  // Whoever pastes it may not read the other document: the bytes of their device go up.
  const last = await createDocument()
  const own = await openWindowIn(one.page.context(), last.url('editor'))
  await own.text.click()
  await pasteInto(own.text, { 'text/html': html.replaceAll(document.id, other.id) })
  await expectShown(imageIn(own), 600, 'device')
  await expectShown(imageIn(await openWindow(last.url('viewer'))), 600, 'server')
})

const figureNamed = ({ text }: DocumentWindow, name: string): Locator =>
  text.locator(`[data-picture][data-name="${name}"]`)

const namesIn = ({ text }: DocumentWindow): Promise<readonly (string | null)[]> =>
  text
    .locator('[data-picture]')
    .evaluateAll((figures) => figures.map((figure) => figure.getAttribute('data-name')))

async function addPicture(window: DocumentWindow, name: string, width: number): Promise<void> {
  await window.focusEnd()
  await bringPicture(window.text, 'paste', { name, width, height: 200 })
  await expectShown(figureNamed(window, name).locator('.picture-frame > img'), width, 'device')
}

test('two writers place, move, resize and delete pictures without a network, by two transports, and nothing is lost @long', async ({
  browser,
  server,
  scheme,
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const openBy = async (transport: string): Promise<DocumentWindow> => {
    const context = await browser.newContext()
    await context.addInitScript((id) => localStorage.setItem('diptych.transport', id), transport)
    return openWindowIn(context, document.url('editor', 'faulty'))
  }
  const [one, two] = [await openBy('websocket'), await openBy('poll')]
  await addPicture(one, 'resized', 301)
  await addPicture(one, 'deleted', 302)
  await expect.poll(() => namesIn(two)).toEqual(['resized', 'deleted'])
  // Each window has loaded what it takes to paste.
  await addPicture(two, 'moved', 303)
  await expect.poll(() => namesIn(one)).toHaveLength(3)
  for (const window of [one, two])
    for (const note of await noteIn(window).all()) await expect(note).toBeHidden()

  server.proxy(scheme).setFaults({ refuse: true })
  server.proxy(scheme).cutConnections()
  await addPicture(one, 'of one', 401)
  await addPicture(two, 'of two', 402)
  await figureNamed(one, 'resized').getByRole('slider').focus()
  await one.page.keyboard.press('Home')
  await figureNamed(two, 'deleted').locator('figcaption').click()
  for (const key of ['Home', 'Backspace', 'Backspace']) await two.page.keyboard.press(key)
  await expect(figureNamed(two, 'deleted')).toHaveCount(0)
  await figureNamed(two, 'moved').locator('figcaption').click()
  for (let steps = 0; steps < 5 && (await namesIn(two))[0] !== 'moved'; steps++)
    await two.page.keyboard.press('Alt+Shift+ArrowUp')
  await expect.poll(() => namesIn(two)).toEqual(['moved', 'resized', 'of two'])
  await expect(figureNamed(one, 'of one').locator('.file-note')).toBeVisible()

  server.proxy(scheme).heal()
  await expect
    .poll(async () => new Set(await namesIn(one)))
    .toEqual(new Set(['moved', 'of one', 'of two', 'resized']))
  await expect.poll(() => namesIn(two)).toEqual(await namesIn(one))
  const reader = await openWindow(document.url('viewer'))
  await expect.poll(() => namesIn(reader)).toEqual(await namesIn(one))
  for (const [name, width] of [
    ['resized', 301],
    ['moved', 303],
    ['of one', 401],
    ['of two', 402],
  ] as const)
    await expectShown(figureNamed(reader, name).locator('.picture-frame > img'), width, 'server')
  for (const window of [one, two, reader])
    await expect(figureNamed(window, 'resized')).toHaveAttribute('data-percent', '25')
  // The file stays for an undo.
  await two.text.focus()
  for (let steps = 0; steps < 10 && !(await namesIn(two)).includes('deleted'); steps++)
    await two.page.keyboard.press('ControlOrMeta+z')
  await expectShown(figureNamed(reader, 'deleted').locator('.picture-frame > img'), 302, 'server')
})

test('a server that restarts in the middle of an upload has it go on @long', async ({
  server,
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  const isReached = Promise.withResolvers<void>()
  const isBack = Promise.withResolvers<void>()
  await one.page.context().route('**/api/documents/*/files/*', async (route) => {
    if (Number(route.request().headers()['upload-offset'] ?? 0) > 0) {
      isReached.resolve()
      await isBack.promise
    }
    await route.continue().catch(() => {})
  })
  await one.text.click()
  await one.text.evaluate((target) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([new Uint8Array(3_000_000).fill(7)], 'film.bin'))
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await isReached.promise
  await expectNote(one, /^Uploading 3\d\s%$/)
  await server.kill()
  await server.start()
  isBack.resolve()
  await expect(noteIn(one)).toBeHidden()
  await expect(two.text.getByRole('button', { name: 'Download film.bin' })).toBeVisible()
})
