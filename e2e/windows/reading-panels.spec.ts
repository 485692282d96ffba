/** The panels for reading, which are outline, preview and statistics, in windows of their own beside the text. */
import type { Page } from '@playwright/test'
import * as Y from 'yjs'
import { heading, paragraph, type BlockSketch, appendBlocks } from '../../lib/text/fixtures/text-sketches.ts'
import { openWriter } from '../fixtures/document-writer.ts'
import type { OpenableDocument } from '../fixtures/openable-document.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage } from '../fixtures/page-appearance.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

/** Puts blocks into a document as another person's program would. */
const writeBlocks = (document: OpenableDocument, ...blocks: BlockSketch[]): Promise<void> =>
  editAsProgram(document, (text) => appendBlocks(text, blocks))

async function editAsProgram(
  document: OpenableDocument,
  change: (text: Y.XmlFragment) => void,
): Promise<void> {
  const opened = await openWriter(new URL(document.url('editor')).origin, document)
  change(opened.doc.getXmlFragment('default'))
  await opened.whenSaved()
  await opened.close()
}

const createFiller = (about: string): BlockSketch[] =>
  Array.from({ length: 30 }, (_, index) => paragraph(`${about}, sentence ${index}.`))

const planBlocks = [
  heading(1, 'Plan'),
  ...createFiller('The plan'),
  heading(2, 'Time'),
  ...createFiller('Time'),
  heading(2, 'Costs'),
  ...createFiller('Costs'),
]

const headingsIn = (page: Page) => page.getByRole('navigation', { name: 'Headings' })
const rowOf = (page: Page, name: string) => headingsIn(page).getByRole('button', { name, exact: true })
const expectOrder = (page: Page, ...names: string[]) =>
  expect(headingsIn(page).locator('[data-go]')).toHaveText(names)
const expectHeadings = (window: DocumentWindow, ...names: string[]) =>
  expect(window.text.getByRole('heading')).toHaveText(names)

test('the Outline in a window of its own leads the text there, and moves its sections by keys, mouse and menu', async ({
  createDocument,
  openWindow,
  openWindowIn,
}, info) => {
  const document = await createDocument()
  await writeBlocks(document, ...planBlocks)
  const main = await openWindow(document.url('editor'))
  const context = main.page.context()
  const { page } = await openWindowIn(context, `${main.page.url()}/p/outline`, { ready: false })
  await expectOrder(page, 'Plan', 'Time', 'Costs')

  await rowOf(page, 'Costs').click()
  await expect(main.text.getByRole('heading', { name: 'Costs' })).toBeInViewport()
  await expect(main.text.getByRole('heading', { name: 'Time' })).not.toBeInViewport()
  await expect(rowOf(page, 'Costs')).toHaveAttribute('aria-current', 'location')
  await expectCleanPage(page, 'outline', info)

  await page.keyboard.press('Alt+ArrowUp')
  await expectOrder(page, 'Plan', 'Costs', 'Time')
  await expectHeadings(main, 'Plan', 'Costs', 'Time')
  await expect(rowOf(page, 'Costs')).toBeFocused()
  await expect(headingsIn(page).getByRole('status')).toHaveText('Costs moved up')

  await page.keyboard.press('ArrowDown')
  await expect(rowOf(page, 'Time')).toBeFocused()
  await rowOf(page, 'Time').hover()
  await page.mouse.down()
  const plansBox = (await rowOf(page, 'Plan').boundingBox())!
  await page.mouse.move(plansBox.x + 20, plansBox.y + 2, { steps: 5 })
  await page.mouse.up()
  await expectOrder(page, 'Time', 'Plan', 'Costs')
  await expectHeadings(main, 'Time', 'Plan', 'Costs')

  await page.getByRole('button', { name: 'Actions for Plan' }).click()
  await page.getByRole('menuitem', { name: 'One level lower' }).click()
  await expect(main.text.getByRole('heading', { name: 'Plan', level: 2 })).toBeVisible()
  await expect(main.text.getByRole('heading', { name: 'Costs', level: 3 })).toBeAttached()
  await expect(rowOf(page, 'Plan')).toBeFocused()
})

test(
  'a menu of the Outline moves the section that it was opened for, though others write above it',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    const document = await createDocument()
    await writeBlocks(document, ...planBlocks)
    const { page } = await openWindow(document.url('editor'))
    await page.goto(`${page.url()}/p/outline`)
    await page.getByRole('button', { name: 'Actions for Time' }).click()
    const item = page.getByRole('menuitem', { name: 'Move down' })
    await item.hover()
    const place = await item.boundingBox()
    await page.mouse.down()
    const writeAbove = (words: string) =>
      editAsProgram(document, (text) => {
        const first = new Y.XmlElement('heading')
        first.insert(0, [new Y.XmlText(words)])
        text.insert(0, [first])
      })
    await writeAbove('Above')
    await writeAbove('Before all')
    await expectOrder(page, 'Before all', 'Above', 'Plan', 'Time', 'Costs')
    // A menu that followed its row would give the click to the item above.
    expect(await item.boundingBox()).toEqual(place)
    await page.mouse.up()
    await expectOrder(page, 'Before all', 'Above', 'Plan', 'Costs', 'Time')
  },
)

test('a viewer goes to headings, and cannot move them @long', async ({ createDocument, openWindow }) => {
  const document = await createDocument()
  await writeBlocks(document, ...planBlocks)
  const viewer = await openWindow(document.url('viewer'))
  const { page } = viewer
  await page.goto(`${page.url()}/p/outline`)
  await rowOf(page, 'Time').focus()
  await page.keyboard.press('Alt+ArrowUp')
  await page.keyboard.press('ArrowDown')
  await expect(rowOf(page, 'Costs')).toBeFocused()
  await expectOrder(page, 'Plan', 'Time', 'Costs')
  await page.getByRole('button', { name: 'Actions for Costs' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Copy link'])
})

test('the Preview shows what is typed, as text and as Markdown, and nothing in it runs', async ({
  createDocument,
  openWindow,
  openWindowIn,
}, info) => {
  const document = await createDocument()
  const script = { text: 'click', marks: { link: { href: 'javascript:alert(1)' } } }
  await writeBlocks(
    document,
    heading(1, 'Plan'),
    paragraph('<img src=x onerror=alert(1)> ', script),
    paragraph('End'),
  )
  const main = await openWindow(document.url('editor'))
  const preview = await openWindowIn(main.page.context(), `${main.page.url()}/p/preview`, { ready: false })
  const { page } = preview
  page.on('dialog', () => preview.errors.push('a script ran'))
  const text = page.getByRole('article')
  await expect(text.getByRole('heading', { name: 'Plan', level: 2 })).toBeVisible()
  await expect(text).toContainText('<img src=x onerror=alert(1)> click')
  await expect(text.getByRole('link')).toHaveCount(0)

  await main.typeAtEnd(' of **all**')
  await expect(text.locator('strong')).toHaveText('all')
  await expectCleanPage(page, 'preview', info)
  await main.page.getByRole('textbox', { name: 'Title' }).fill('Year')
  await page.getByRole('button', { name: 'Markdown' }).click()
  const source = page.getByLabel('Markdown', { exact: true }).last()
  await expect(source).toContainText(/^# Year\n\n# Plan\n/)
  await expect(source).toContainText('End of **all**')
  await expectCleanPage(page, 'preview as Markdown', info)
})

test('Statistics count while somebody types, and a goal is one’s own in every window @long', async ({
  editorWindow: main,
  openWindowIn,
}, info) => {
  await main.typeAtEnd('Three little words')
  const openStatistics = () =>
    openWindowIn(main.page.context(), `${main.page.url()}/p/statistics`, { ready: false })
  const [{ page }, { page: other }] = [await openStatistics(), await openStatistics()]
  const words = page.getByRole('row', { name: /^Words/ })
  await expect(words).toContainText('3')
  await main.type(' and more')
  await expect(words).toContainText('5')

  await page.getByRole('button', { name: 'Set a goal' }).click()
  await page.getByRole('spinbutton', { name: 'Words' }).fill('8')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Change' })).toBeFocused()
  await expect(other.getByText('5 of 8 words. 3 to go.')).toBeVisible()
  await expectCleanPage(other, 'statistics', info)
  await page.getByRole('button', { name: 'Remove' }).click()
  await expect(other.getByRole('button', { name: 'Set a goal' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(other.getByText('5 of 8 words. 3 to go.')).toBeVisible()

  await main.page.keyboard.press('Control+Shift+ArrowLeft')
  await expect(page.getByRole('columnheader', { name: 'Selection' })).toBeVisible()
  await expect(page.getByRole('row', { name: /^Words/ })).toHaveText('Words51')
})

test(
  'the panels for reading fit on a phone',
  { tag: '@long' },
  async ({ createDocument, openWindow }, info) => {
    const document = await createDocument()
    await writeBlocks(document, ...planBlocks)
    const { page } = await openWindow(document.url('editor'))
    await page.setViewportSize({ width: 320, height: 640 })
    const address = page.url()
    for (const panel of ['Outline', 'Preview', 'Statistics']) {
      await page.goto(`${address}/p/${panel.toLowerCase()}`)
      const region = page.getByRole('region', { name: panel, exact: true })
      await expect(region).toContainText(panel === 'Statistics' ? 'Goal' : 'Plan')
      await expectCleanPage(page, `${panel} on a phone`, info)
    }
  },
)
