import { pasteInto, pastePictureInto } from '../fixtures/paste.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expect, test } from '../fixtures/test.ts'

test('on paper a heading is on the page of what follows it, and short code on one page @long', async ({
  longDocument,
  openWindow,
}) => {
  const { page, text } = await openWindow(longDocument.url('editor'))
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  const codeBlocks = Array.from({ length: 8 }, (_, n) => `<h3>Code ${n}</h3><pre>one\ntwo\nthree\nfour</pre>`)
  await pasteInto(text, { 'text/html': codeBlocks.join('') })
  await expect(text.locator('pre')).toHaveCount(8)
  await page.emulateMedia({ media: 'print' })
  // Columns are broken by the same rules as pages, and the page can be asked where.
  for (const height of [300, 340, 380]) {
    const broken = await text.evaluate(findBrokenParts, height)
    expect(broken, `on pages of ${height} px`).toEqual([])
  }
})

test('after printing the text is where it was, and the outline marks the section in view @long', async ({
  longDocument,
  openWindow,
}) => {
  const { page, text } = await openWindow(longDocument.url('editor'))
  await dockPanels(page, 'Outline')
  await text.getByRole('heading', { name: 'Section 12' }).scrollIntoViewIfNeeded()
  await text.hover()
  await page.mouse.wheel(0, 300)
  const currentHeading = panelOf(page, 'Outline').locator('[aria-current]')
  await expect(currentHeading).toHaveText(/Section 1[0-3]/)
  const readView = async () => [await page.evaluate(() => scrollY), await currentHeading.textContent()]
  const viewBefore = await readView()
  await page.pdf()
  const isScreenShown = () => page.evaluate(() => matchMedia('screen').matches)
  await expect.poll(isScreenShown).toBe(true)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
  expect(await readView()).toEqual(viewBefore)
})

test(
  'the dark theme prints dark letters on white, and no toast',
  { tag: '@long' },
  async ({ editorWindow: window }) => {
    const { page, text } = window
    await page.emulateMedia({ colorScheme: 'dark' })
    await window.typeAtEnd('To be read on paper.')
    // A text can hold no picture: a toast says so.
    await pastePictureInto(text)
    const toast = page.locator('[data-sonner-toast]')
    await expect(toast).toBeVisible()
    const readColours = () =>
      text.evaluate((element) => {
        const { color, colorScheme } = getComputedStyle(element)
        const { backgroundColor } = getComputedStyle(globalThis.document.documentElement)
        return { color, colorScheme, backgroundColor }
      })
    await expect.poll(async () => (await readColours()).colorScheme).toBe('dark')
    await page.emulateMedia({ media: 'print' })
    await expect(toast).toBeHidden()
    const printedColours = await readColours()
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' })
    await expect.poll(readColours).toEqual(printedColours)
  },
)

/** Runs in the page. Returns the headings whose next block is on another page, and the code on several. */
function findBrokenParts(text: HTMLElement, pageHeight: number): string[] {
  Object.assign(document.body.style, { height: `${pageHeight}px`, columnWidth: '600px', columnFill: 'auto' })
  const pageOf = (element: Element | null) => element?.getClientRects()[0]?.left
  const all = [...text.querySelectorAll('h1, h2, h3')]
  if (new Set(all.map(pageOf)).size < 10) throw new Error('The text was not broken into pages.')
  const headings = all.filter((heading) => pageOf(heading) !== pageOf(heading.nextElementSibling))
  const code = [...text.querySelectorAll('pre')].filter((block) => block.getClientRects().length > 1)
  return [...headings, ...code].map(({ textContent }) => textContent)
}
