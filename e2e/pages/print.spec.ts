import { pastePictureInto } from '../fixtures/paste.ts'
import { expect, test } from '../fixtures/test.ts'

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
