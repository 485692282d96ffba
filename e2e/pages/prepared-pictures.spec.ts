/** [F6] A picture goes into a text without what a camera wrote beside its pixels, and no larger than a screen shows. */
import type { BrowserContext, Locator, Page } from '@playwright/test'
import { createSharedDocument } from '../../server/fixtures/shared-document.ts'
import { BrowserTestServer } from '../fixtures/browser-test-server.ts'
import { bringPicture } from '../fixtures/paste-picture.ts'
import { expect, test } from '../fixtures/test.ts'

/** As a camera makes it that is held upright: turned, with a place in it. */
const camera = `ffe10046${Buffer.from('Exif\0\0MM').toString('hex')}002a00000008${[
  '0002',
  '011200030000000100060000',
  '882500040000000100000000',
  '00000000',
].join('')}${Buffer.from('GPS 52.5 N 13.4 E ......').toString('hex')}`

interface DrawnFile {
  readonly name: string
  readonly type: string
  readonly width: number
  readonly height: number
  /** Bytes behind the first two of a JPEG, in hexadecimal. */
  readonly head?: string
}

/** Draws a file in the page, and drops it or gives it to what asks for one. */
async function drawFile(page: Page, { name, type, width, height, head = '' }: DrawnFile) {
  const base64 = await page.evaluate(
    async (drawn) => {
      const canvas = new OffscreenCanvas(drawn.width, drawn.height)
      const context = canvas.getContext('2d')!
      context.fillStyle = '#3d7f99'
      context.fillRect(0, 0, drawn.width, drawn.height / 2)
      const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: drawn.type })).arrayBuffer())
      return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    },
    { type, width, height },
  )
  const bytes = Buffer.from(base64, 'base64')
  const buffer = Buffer.concat([bytes.subarray(0, 2), Buffer.from(head, 'hex'), bytes.subarray(2)])
  return { name, mimeType: type, buffer: head === '' ? bytes : buffer }
}

async function choose(page: Page, command: string, files: Parameters<Locator['setInputFiles']>[0]) {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill(command)
  const chooser = page.waitForEvent('filechooser')
  await page.getByRole('option', { name: command, exact: true }).click()
  await (await chooser).setFiles(files)
}

/** What the server has of the picture, once it has it. */
async function storedBytes(page: Page, text: Locator): Promise<Buffer> {
  const image = text.locator('.picture-frame > img')
  await expect(image).toHaveJSProperty('complete', true)
  const file = await text.locator('[data-picture]').getAttribute('data-picture')
  const path = `${new URL(page.url()).pathname.replace('/d/', '/api/documents/')}/files/${file}`
  const url = new URL(path, page.url()).href
  const get = () => page.request.get(url, { headers: { origin: new URL(url).origin } })
  await expect.poll(async () => (await get()).status()).toBe(200)
  return (await get()).body()
}

const sizeOf = (text: Locator): Promise<readonly [number, number]> =>
  text
    .locator('.picture-frame > img')
    .evaluate(({ naturalWidth, naturalHeight }: HTMLImageElement) => [naturalWidth, naturalHeight] as const)

/** Of a picture whose upper half is blue, and that is shown turned to the right. */
const isTurnedRight = (text: Locator): Promise<boolean> =>
  text.locator('.picture-frame > img').evaluate((image: HTMLImageElement) => {
    const { naturalWidth: width, naturalHeight: height } = image
    const context = new OffscreenCanvas(width, height).getContext('2d')!
    context.drawImage(image, 0, 0)
    const blueAt = (x: number) => context.getImageData(Math.floor(x * width), height / 2, 1, 1).data[2]!
    return blueAt(0.1) < 50 && blueAt(0.9) > 100
  })

test('a photo is stored upright, smaller and without its place; its original on request, and what is small unchanged', async ({
  editorWindow: { page, text },
}) => {
  const photo = await drawFile(page, {
    name: 'photo.jpg',
    type: 'image/jpeg',
    width: 4000,
    height: 3000,
    head: camera,
  })
  await text.click()
  await choose(page, 'Picture…', photo)
  await expect.poll(() => sizeOf(text)).toEqual([1920, 2560])
  const figure = text.locator('[data-picture]')
  await expect(figure).toHaveAttribute('data-type', 'image/webp')
  await expect(figure.locator('img')).toHaveAttribute('width', '1920')
  expect(await isTurnedRight(text)).toBe(true)
  const stored = await storedBytes(page, text)
  expect(stored.subarray(8, 12).toString()).toBe('WEBP')
  expect(stored.includes('GPS')).toBe(false)

  const replaceBy = async (command: string, file: typeof photo): Promise<Buffer> => {
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.press('Backspace')
    await expect(figure).toHaveCount(0)
    await choose(page, command, file)
    return storedBytes(page, text)
  }
  expect((await replaceBy('Original picture…', photo)).equals(photo.buffer)).toBe(true)
  const small = await drawFile(page, {
    name: 'small.jpg',
    type: 'image/jpeg',
    width: 600,
    height: 400,
    head: camera,
  })
  const smaller = await replaceBy('Picture…', small)
  expect(smaller.includes('GPS')).toBe(false)
  await expect.poll(() => sizeOf(text)).toEqual([400, 600])
  expect(await isTurnedRight(text)).toBe(true)
  const screenshot = await drawFile(page, { name: 'shot.png', type: 'image/png', width: 1200, height: 800 })
  expect((await replaceBy('Picture…', screenshot)).equals(screenshot.buffer)).toBe(true)
})

test('a phone offers its camera, and a desk does not @long', async ({
  browser,
  createDocument,
  openWindowIn,
}) => {
  const document = await createDocument()
  const findCamera = async (context: BrowserContext) => {
    const { page, text } = await openWindowIn(context, document.url('editor'))
    await text.click()
    await page.keyboard.press('ControlOrMeta+k')
    await page.getByRole('combobox').fill('picture')
    return { page, item: page.getByRole('option', { name: 'Take a photo' }) }
  }
  const phone = await findCamera(await browser.newContext({ hasTouch: true, isMobile: true }))
  const chooser = phone.page.waitForEvent('filechooser')
  await phone.item.click()
  const input = (await chooser).element()
  expect(await input.getAttribute('capture')).toBe('environment')
  expect(await input.getAttribute('accept')).toContain('image/jpeg')
  const desk = await findCamera(await browser.newContext())
  await expect(desk.page.getByRole('option', { name: 'Picture…', exact: true })).toBeVisible()
  await expect(desk.item).toHaveCount(0)
})

test('HEIC becomes a file, with a sentence that says why @long', async ({ editorWindow: { page, text } }) => {
  await text.click()
  const buffer = Buffer.from('000000186674797068656963000000006865696300000000', 'hex')
  await choose(page, 'File…', { name: 'IMG_1.heic', mimeType: 'image/heic', buffer })
  await expect(text.locator('[data-file]')).toHaveText('IMG_1.heic')
  await expect(page.locator('[data-sonner-toast]')).toContainText('browsers don’t show HEIC')
})

test('[A6] a file that the server will not take is said to be too large before it is inserted @long', async ({
  browser,
}) => {
  await using server = await BrowserTestServer.launch({ LIMIT_FILE: '5', LIMIT_STORAGE_OF_PERSON: '7' })
  // The person's cookie is used from Node, too.
  const origin = server.origin('http')
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(origin)
  await expect(page.getByRole('list', { name: 'Documents' }).getByRole('listitem')).toHaveCount(1)
  const cookie = (await context.cookies(origin)).map(({ name, value }) => `${name}=${value}`).join('; ')
  const document = await createSharedDocument(origin, {}, cookie)
  await page.goto(`${origin}/d/${document.id}`)
  const text = page.getByRole('textbox', { name: 'Document' })
  await text.click()
  const fileOf = (mib: number) => ({
    name: 'film.bin',
    mimeType: 'application/octet-stream',
    buffer: Buffer.alloc(mib * 1024 * 1024),
  })
  const toast = page.locator('[data-sonner-toast]')
  await choose(page, 'File…', fileOf(6))
  await expect(toast).toContainText(
    '“film.bin” was not inserted: a file may have at most 5 MB on this server.',
  )
  await choose(page, 'File…', fileOf(4.5))
  await expect(text.locator('[data-file]')).toHaveCount(1)
  await expect(text.locator('.file-note')).toBeHidden()
  await choose(page, 'File…', fileOf(4.75))
  await expect(toast).toContainText(/your space has room for 2\.\d MB more\.$/)
  await expect(text.locator('[data-file]')).toHaveCount(1)
  await bringPicture(text, 'paste', { name: 'cat.png', width: 60, height: 40 })
  await expect(text.locator('.picture-frame > img')).toHaveCount(1)
  await context.close()
})
