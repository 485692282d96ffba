/** A person takes a document out in each format, online and offline, and reads what a format cannot hold before. */
import { readFile } from 'node:fs/promises'
import type { Download, Locator, Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { bringPicture } from '../fixtures/paste-picture.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const dialogIn = (page: Page): Locator => page.getByRole('dialog', { name: 'Export' })

async function openDialog(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Document options' }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await expect(dialogIn(page)).toBeVisible()
  return dialogIn(page)
}

async function exportAs(page: Page, format: string): Promise<Download> {
  const dialog = dialogIn(page)
  await dialog.getByRole('radio', { name: format }).check()
  const downloading = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  return downloading
}

const bytesOf = async (download: Download): Promise<Buffer> => readFile(await download.path())

test('a document leaves in each format, and the dialog says before what one cannot hold', async ({
  editorWindow: { page, text },
}, info) => {
  await page.getByRole('textbox', { name: 'Title' }).fill('Plan')
  await text.click()
  await page.keyboard.type('[!TIP] Try ==this==')
  await bringPicture(text, 'paste', { name: 'cat.webp', width: 60, height: 40, type: 'image/webp' })
  await expect(text.locator('.picture-frame > img')).toBeVisible()
  await expectSaved(page)
  await expect(text.locator('.file-note')).toBeHidden()

  const dialog = await openDialog(page)
  await expect(dialog.getByText('Pictures are links to this server.')).toBeVisible()
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: width > 400 ? 900 : 844 })
    await forLightAndDark(page, (scheme) => expectCleanPage(page, `export ${scheme} ${width}`, info))
  }
  const markdown = await exportAs(page, 'Markdown')
  expect(markdown.suggestedFilename()).toBe('Plan.md')
  expect((await bytesOf(markdown)).toString()).toMatch(
    /^# Plan\n\n> \[!TIP\]\n> Try <mark>this<\/mark>\n[^]*!\[\]\(http/,
  )
  await expect(dialog).toBeHidden()
  await expect(page.getByText('“Plan.md” was exported.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Document options' })).toBeFocused()

  await openDialog(page)
  await dialog.getByRole('radio', { name: 'JSON' }).check()
  await expect(dialog.getByText('This format keeps everything in this document.')).toBeVisible()
  const json = JSON.parse((await bytesOf(await exportAs(page, 'JSON'))).toString()) as { title: string }
  expect(json.title).toBe('Plan')

  await openDialog(page)
  const html = (await bytesOf(await exportAs(page, 'Web page'))).toString()
  expect(html).toMatch(/<img src="data:image\/(?:png|webp);base64,[\w+/=]{20,}"/)

  await openDialog(page)
  const zipped = unzipSync(await bytesOf(await exportAs(page, 'Zip')))
  expect(Object.keys(zipped)).toEqual(['Plan.md', 'Plan.json', expect.stringMatching(/^files\/cat\.\w+$/)])

  await openDialog(page)
  const word = unzipSync(await bytesOf(await exportAs(page, 'Word')))
  expect(strFromU8(word['word/document.xml']!)).toContain('Try ')
  // Word may not know WebP.
  const pictures = Object.entries(word).filter(([name]) => name.startsWith('word/media/'))
  expect(pictures.map(([name, bytes]) => [name.replace(/.*\./, ''), [...bytes.subarray(0, 2)]])).toEqual([
    ['jpg', [0xff, 0xd8]],
  ])
})

test('without a network what is here is exported, and the rest says what it needs @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('Saved before')
  await expectSaved(page)
  // The dialog is loaded once, as by whoever has used it before.
  await openDialog(page)
  await bytesOf(await exportAs(page, 'Word'))
  await page.context().setOffline(true)
  await text.click()
  await page.keyboard.type(' and offline')
  const dialog = await openDialog(page)
  await expect(dialog.getByText('This format keeps everything')).toBeVisible()
  expect((await bytesOf(await exportAs(page, 'Markdown'))).toString()).toContain('and offline')
  await openDialog(page)
  const word = unzipSync(await bytesOf(await exportAs(page, 'Word')))
  expect(strFromU8(word['word/document.xml']!)).toContain('and offline')
  await openDialog(page)
  await dialog.getByRole('radio', { name: 'Zip' }).check()
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('This needs a connection.')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('the list exports a document, and the settings all of them', async ({ page, server, scheme }) => {
  await page.goto(server.origin(scheme))
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await list.getByRole('button', { name: /^More for/ }).click()
  await page.getByRole('menuitem', { name: 'Export…' }).click()
  await dialogIn(page).getByRole('radio', { name: 'Plain text' }).check()
  await expect(dialogIn(page).getByText('What this format cannot hold:')).toBeVisible()
  const text = await exportAs(page, 'Plain text')
  expect(text.suggestedFilename()).toMatch(/\.txt$/)
  expect((await bytesOf(text)).toString()).toContain('[ ] Two windows.')
  await expect(dialogIn(page)).toBeHidden()
  await page.goto(`${server.origin(scheme)}/settings`)
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export all' }).click()
  const names = Object.keys(unzipSync(await bytesOf(await downloading)))
  expect(names).toContainEqual(expect.stringMatching(/^[^/]+\/[^/]+\.md$/))
})

test('an exported page runs nothing, whatever its document holds @long', async ({
  editorWindow: { page, text },
}) => {
  await page.getByRole('textbox', { name: 'Title' }).fill('</title><script>document.body.id="run"</script>')
  await text.click()
  await page.keyboard.insertText(
    '<img src=x onerror="document.body.id=1"> <script>document.body.id=1</script>',
  )
  await expectSaved(page)
  await openDialog(page)
  const download = await exportAs(page, 'Web page')
  const errors: string[] = []
  const other = await page.context().newPage()
  other.on('console', (message) => errors.push(message.text()))
  await other.setContent((await bytesOf(download)).toString())
  await expect(other.getByText('onerror')).toBeVisible()
  expect(await other.evaluate(() => document.body.id)).toBe('')
  expect(errors).toEqual([])
})

test('the page that is printed has the document alone, its pictures, and comments by choice @long', async ({
  editorWindow,
}) => {
  const { page, text } = editorWindow
  await page.getByRole('textbox', { name: 'Title' }).fill('Plan')
  await text.click()
  await page.keyboard.type('On paper')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('ControlOrMeta+Alt+m')
  await page.getByRole('textbox', { name: 'Comment' }).fill('Which paper?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await editorWindow.focusEnd()
  await page.keyboard.press('Enter')
  await bringPicture(text, 'paste', { name: 'cat.png', width: 60, height: 40 })
  await expect(text.locator('.picture-frame > img')).toBeVisible()
  await expectSaved(page)
  await page.evaluate(catchPrinting)
  for (const hasComments of [true, false]) {
    const dialog = await openDialog(page)
    await dialog.getByRole('radio', { name: 'Print or PDF' }).check()
    const comments = dialog.getByRole('checkbox', { name: 'Include comments' })
    await expect(comments).toBeChecked()
    await comments.setChecked(hasComments)
    await dialog.getByRole('button', { name: 'Print…' }).click()
    await expect(dialog).toBeHidden()
    const printed = await page.evaluate(() => (globalThis as { printed?: PrintedPage }).printed)
    expect(printed).toMatchObject({ widths: [60], font: expect.stringContaining('Charter') })
    expect(printed!.text).toContain('On paper')
    expect(printed!.text.includes('Which paper?')).toBe(hasComments)
  }
  await expect(page.locator('iframe')).toHaveCount(0)
})

interface PrintedPage {
  readonly text: string
  /** Of its pictures. */
  readonly widths: readonly number[]
  /** That of its style sheet. */
  readonly font: string
}

/** Runs in the page: a frame that is printed is read, and no dialog opens. */
function catchPrinting(): void {
  const catchFrame = ({ target }: Event): void => {
    const view = (target as HTMLIFrameElement).contentWindow as (Window & typeof globalThis) | null
    if (!(target instanceof HTMLIFrameElement) || !view) return
    view.print = () => {
      const { body, images } = view.document
      const printed: PrintedPage = {
        text: body.textContent,
        widths: [...images].map(({ naturalWidth }) => naturalWidth),
        font: view.getComputedStyle(body).fontFamily,
      }
      Object.assign(globalThis, { printed })
      view.dispatchEvent(new view.Event('afterprint'))
    }
  }
  document.addEventListener('load', catchFrame, { capture: true })
}
