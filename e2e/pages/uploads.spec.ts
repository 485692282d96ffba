/** [F2] [F5] A picture that one person adds is seen by everybody who may read the document, however it gets there. */
import type { BrowserContext, Locator } from '@playwright/test'
import type { DocumentWindow } from '../fixtures/document-window.ts'
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
  await expectNote(one, /^Uploads once there is a connection$/)
  await expectNote(two, /so far only on the device that it was added on/)
  await expectSaved(one.page)
  await one.page.reload()
  await expectShown(imageIn(one), 600, 'device')
  await expectNote(one, /^(?:Waiting to upload|Uploads once there is a connection)$/)
  await join()
  await expectShown(imageIn(two), 600, 'server')
  await expect(noteIn(one)).toBeHidden()
})

test('an upload is cancelled and asked for again, and others see it come', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  const isHeld = Promise.withResolvers<void>()
  await one.page.context().route('**/api/documents/*/files/*', async (route) => {
    if (route.request().method() === 'PATCH') await isHeld.promise
    await route.continue().catch(() => {}) // the page has given it up
  })
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expectNote(one, /^Uploading 0 %$/)
  await expectNote(two, /is uploading “cat.png”: 0 %$/)
  await noteIn(one).getByRole('button', { name: 'Cancel' }).click()
  await expectNote(one, /^Only on this device$/)
  await expectNote(two, /so far only on the device/)
  isHeld.resolve()
  const upload = noteIn(one).getByRole('button', { name: 'Upload' })
  await upload.focus()
  await one.page.keyboard.press('Enter')
  await expectShown(imageIn(two), 600, 'server')
  await expect(noteIn(one)).toBeHidden()
  await expect(one.text).toBeFocused()
})

test('a version shows the picture that its text had', async ({ createDocument, openWindow }) => {
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

test('a block that is pasted into another document brings its file along, also what others added', async ({
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
