import type { Locator } from '@playwright/test'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { bringPicture } from '../fixtures/paste-picture.ts'
import { pasteInto } from '../fixtures/paste.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const pictureIn = ({ text }: DocumentWindow): Locator => text.locator('figure[data-picture]')
const imageIn = (window: DocumentWindow): Locator => pictureIn(window).locator('.picture-frame > img')

/** Waits until the browser has drawn the bytes. */
const expectShown = (image: Locator, width: number): Promise<void> =>
  expect
    .poll(() =>
      image.evaluate(({ src, naturalWidth }: HTMLImageElement) => [src.split(':')[0], naturalWidth]),
    )
    .toEqual(['blob', width])

/** In percent of the text's width. */
const widthOf = (window: DocumentWindow): Promise<number> =>
  imageIn(window).evaluate((image) =>
    Math.round((100 * image.clientWidth) / image.closest('figure')!.clientWidth),
  )

const cat = { name: 'cat.png', width: 600, height: 400 }

test('a picture is dropped, has a caption, is shown after a reload, and leaves by two keys', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await window.typeAtEnd('before')
  await bringPicture(text.locator('> p'), 'drop', cat)
  await expectShown(imageIn(window), 600)
  await expect(pictureIn(window)).toHaveAttribute('data-name', 'cat.png')
  await expect(imageIn(window)).toHaveAttribute('height', '400')
  await pictureIn(window).locator('figcaption').click()
  await page.keyboard.type('On a wall')
  // What changes a line or wraps it has no place in a caption.
  for (const keys of ['ControlOrMeta+Alt+1', 'ControlOrMeta+Shift+b', 'ControlOrMeta+Shift+8'])
    await page.keyboard.press(keys)
  await expect(text.locator('h1, blockquote, ul')).toHaveCount(0)
  await page.keyboard.press('Enter')
  await page.keyboard.type('after')
  await expect(text.locator('> p')).toHaveText(['after', 'before'])
  await expect(pictureIn(window).locator('figcaption')).toHaveText('On a wall')
  await expectSaved(page)
  await page.reload()
  await expectShown(imageIn(window), 600)
  // Backspace before a picture's caption selects it, and deletes nothing.
  await pictureIn(window).locator('figcaption').click()
  await page.keyboard.press('Home')
  await page.keyboard.press('Backspace')
  await expect(pictureIn(window)).toHaveClass(/selectednode/)
  // What is typed then is a part of the caption.
  await page.keyboard.type('!')
  await expect(pictureIn(window).locator('figcaption')).toHaveText('On a wall!')
  await page.keyboard.press('Home')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Backspace')
  await expect(pictureIn(window)).toHaveCount(0)
  await page.keyboard.press('ControlOrMeta+z')
  await expectShown(imageIn(window), 600)
})

test('a click selects a picture, and a viewer’s changes nothing @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, viewer] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expect(imageIn(viewer)).toBeVisible()
  await imageIn(viewer).click()
  await viewer.page.keyboard.press('Delete')
  await imageIn(one).click()
  await expect(pictureIn(one)).toHaveClass(/selectednode/)
  await one.page.keyboard.press('Delete')
  for (const window of [one, viewer]) await expect(pictureIn(window)).toHaveCount(0)
  await one.page.keyboard.press('ControlOrMeta+z')
  for (const window of [one, viewer]) await expect(pictureIn(window)).toHaveCount(1)
})

test('who types on after a picture writes below it @long', async ({ editorWindow: window }) => {
  const { page, text } = window
  await window.typeAtEnd('before')
  await page.keyboard.press('Enter')
  await bringPicture(text, 'paste', cat)
  await expectShown(imageIn(window), 600)
  await page.keyboard.type('after')
  await expect(text.locator('> p')).toHaveText(['before', 'after'])
  await expect(text.locator('> *').nth(1)).toHaveAttribute('data-picture')
  await page.keyboard.press('Home')
  await bringPicture(text, 'paste', cat)
  await expect(pictureIn(window)).toHaveCount(2)
  await page.keyboard.type('between ')
  await expect(text.locator('> p')).toHaveText(['before', 'between after'])
})

test('alternative text is asked for, also as decoration, and the focus returns @long', async ({
  editorWindow: window,
}, info) => {
  const { page, text } = window
  await text.click()
  await bringPicture(text, 'paste', cat)
  const ask = pictureIn(window).getByRole('button', { name: 'Add alt text' })
  await ask.click()
  const dialog = page.getByRole('dialog', { name: 'Alt text' })
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type('A cat')
  await expectCleanPage(page, 'alt text', info)
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await expect(text.getByRole('img', { name: 'A cat' })).toBeVisible()
  const change = pictureIn(window).getByRole('button', { name: 'Alt text', exact: true })
  await expect(change).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('checkbox').check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(imageIn(window)).toHaveAttribute('alt', '')
  await text.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(imageIn(window)).not.toHaveAttribute('alt', '')
})

test('the width is a part of the text’s, by keys and by dragging, also while others write', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
  await one.text.click()
  await bringPicture(one.text, 'paste', { ...cat, width: 3000, height: 200 })
  const handle = pictureIn(one).getByRole('slider', { name: 'Width of the picture' })
  await handle.focus()
  await one.page.keyboard.press('Home')
  await expect.poll(() => widthOf(one)).toBe(25)
  await one.page.keyboard.press('ArrowRight')
  await expect(handle).toHaveAttribute('aria-valuetext', 'A third of the text’s width')
  await expect(pictureIn(two)).toHaveAttribute('data-percent', '33')

  const { x, y, width, height } = (await imageIn(one).boundingBox())!
  await handle.hover()
  await one.page.mouse.down()
  await one.page.mouse.move(x + 2 * width, y + height / 2, { steps: 4 })
  await expect(pictureIn(one)).toHaveAttribute('data-percent', '67')
  await two.focusEnd()
  await pictureIn(two).locator('figcaption').click()
  await two.page.keyboard.type('theirs')
  await expect(pictureIn(one).locator('figcaption')).toContainText('theirs')
  await expect(pictureIn(one)).toHaveAttribute('data-percent', '67')
  await one.page.mouse.up()
  await expect(pictureIn(two)).toHaveAttribute('data-percent', '67')
  await one.text.focus()
  await one.page.keyboard.press('ControlOrMeta+z')
  await expect(pictureIn(two)).toHaveAttribute('data-percent', '33')
  await expect(pictureIn(two).locator('figcaption')).toContainText('theirs')
})

test('where a picture is still on its way, its place is kept @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [one, two] = [await openWindow(document.url('editor')), await openWindow(document.url('viewer'))]
  // It never goes up.
  await one.page.context().route('**/api/documents/*/files**', (route) => route.abort())
  await one.text.click()
  await bringPicture(one.text, 'paste', cat)
  await expectShown(imageIn(one), 600)
  await expect(pictureIn(two).locator('.file-note > span')).toHaveAttribute(
    'data-text',
    '“cat.png” has not been uploaded yet.',
  )
  await expect(pictureIn(two).getByRole('button')).toHaveCount(0)
  const sizeIn = (window: typeof one) =>
    imageIn(window).evaluate((image) => {
      const { width, height } = image.getBoundingClientRect()
      return [width, height]
    })
  await expect.poll(() => sizeIn(two)).toEqual(await sizeIn(one))
})

test('another window of the browser shows it at once, as does the Preview @long', async ({
  createDocument,
  openWindow,
  openWindowIn,
}) => {
  const document = await createDocument()
  const one = await openWindow(document.url('editor'))
  const two = await openWindowIn(one.page.context(), document.url('editor'))
  await dockPanels(two.page, 'Preview')
  await one.text.click()
  await bringPicture(one.text, 'paste', { ...cat, name: 'photo.jpg', type: 'image/jpeg' })
  await expectShown(imageIn(two), 600)
  await expectShown(panelOf(two.page, 'Preview').locator('figure img'), 600)
})

test('the full view zooms by keys, closes by Escape, and gives the focus back @long', async ({
  editorWindow: window,
}, info) => {
  const { page, text } = window
  await text.click()
  await bringPicture(text, 'paste', { ...cat, width: 2000, height: 1600 })
  await expectShown(imageIn(window), 2000)
  const open = pictureIn(window).getByRole('button', { name: 'View full size' })
  await open.focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  const shown = dialog.getByRole('img')
  await expect(shown).toBeVisible()
  await expectCleanPage(page, 'full view', info)
  await page.keyboard.press('+')
  await page.keyboard.press('-')
  await expect.poll(() => shown.evaluate(({ clientWidth }) => clientWidth)).toBe(2000)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(open).toBeFocused()
})

test('pasted HTML keeps a picture whose bytes it has, and says what it lost', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await window.focusEnd()
  const gif = 'R0lGODdhAgABAIABAP8AAAAA/ywAAAAAAgABAAACAgQKADs='
  await pasteInto(text, {
    'text/html': `<p>one</p><img alt="Dots" src="data:image/gif;base64,${gif}"><p>two <img src="https://example.org/a.png"><img src="data:image/png;base64,AAAA"><img src="data:image/svg+xml;base64,PHN2Zy8+"></p>`,
  })
  await expectShown(imageIn(window), 2)
  await expect(imageIn(window)).toHaveAttribute('alt', 'Dots')
  await expect(text.locator('> p')).toHaveText(['one', 'two'])
  await expect(page.locator('[data-sonner-toast]')).toContainText('3 images could not be pasted.')
})

test('a copied picture is pasted with all it has @long', async ({ editorWindow: window }) => {
  const { page, text } = window
  await text.click()
  await bringPicture(text, 'paste', cat)
  await expectShown(imageIn(window), 600)
  await page.keyboard.press('ControlOrMeta+a')
  const html = await text.evaluate((element) => {
    const clipboardData = new DataTransfer()
    element.dispatchEvent(new ClipboardEvent('copy', { clipboardData, bubbles: true, cancelable: true }))
    return clipboardData.getData('text/html')
  })
  expect(html).not.toContain('blob:')
  await page.keyboard.press('ArrowRight')
  await pasteInto(text, { 'text/html': html })
  await expect(imageIn(window)).toHaveCount(2)
  for (const image of await imageIn(window).all()) await expectShown(image, 600)
})

test('a picture that no browser can draw is refused by its bytes, whatever its name is @long', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await text.click()
  await text.evaluate((target) => {
    const dataTransfer = new DataTransfer()
    const header = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
    const size = [0, 0, 0x4e, 0x20, 0, 0, 0x4e, 0x20]
    dataTransfer.items.add(
      new File([Uint8Array.from([...header, ...size])], 'huge.png', { type: 'image/png' }),
    )
    dataTransfer.items.add(new File(['<svg/>'], 'drawing.png', { type: 'image/png' }))
    target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
  })
  await expect(page.locator('[data-sonner-toast]')).toContainText(
    '“huge.png” was not inserted: 20000 × 20000 pixels are more than browsers can show.',
  )
  await expect(pictureIn(window)).toHaveCount(0)
})
