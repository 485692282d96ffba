/** The small window that stays on top: Document Picture-in-Picture, which Chromium has. */
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

test(
  'the small window shows who is here, what is saved and the round trip, while the text is written elsewhere',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    const document = await createDocument()
    const { page, text } = await openWindow(document.url('editor'))
    await text.click()
    const opened = page.context().waitForEvent('page')
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('small window top')
    await page.keyboard.press('Enter')
    const smallWindow = await opened
    await expect(smallWindow.getByRole('heading', { name: 'Untitled' })).toBeVisible()
    await expectSaved(smallWindow)
    await expect(smallWindow.getByRole('main')).toContainText(/Connected, [\d.]+ ms/)

    const people = smallWindow.getByRole('list', { name: 'People' }).getByRole('listitem')
    await expect(people).toHaveCount(1)
    const other = await openWindow(document.url('editor'))
    await expect(people).toHaveCount(2)
    await other.close()
    await expect(people).toHaveCount(1)

    const closed = smallWindow.waitForEvent('close')
    await page.keyboard.press('ControlOrMeta+K')
    await page.keyboard.type('close the small')
    await page.keyboard.press('Enter')
    await closed
  },
)
