import { expect, test } from '../fixtures/test.ts'

interface DroppedFile {
  readonly name: string
  readonly type: string
  readonly content: string
}

test('files are inserted or refused where they are dropped, and the page stays', async ({
  editorWindow: window,
}) => {
  const { page, text } = window
  await window.typeAtEnd('before')
  /** Returns whether the page handled the file: the browser opens a file that no page handles. */
  const dropFile = (selector: string, file: DroppedFile): Promise<boolean> =>
    page.locator(selector).evaluate((element, { name, type, content }) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([content], name, { type }))
      const { left, top } = element.getBoundingClientRect()
      const init = { dataTransfer, bubbles: true, cancelable: true, clientX: left + 1, clientY: top + 5 }
      const isOver = element.dispatchEvent(new DragEvent('dragover', init))
      return !isOver && !element.dispatchEvent(new DragEvent('drop', init))
    }, file)
  const markdown = { name: 'a.md', type: '', content: '# Title\n\n- [x] done' }
  const toast = page.locator('[data-sonner-toast]')

  expect(await dropFile('main', markdown)).toBe(true)
  await expect(toast).toContainText('Drop a file on the text')
  expect(await dropFile('.text > p', { name: 'a.txt', type: 'text/plain', content: 'one\ntwo ' })).toBe(true)
  await window.expectLines('one\ntwo before')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  expect(await dropFile('.text > p', markdown)).toBe(true)
  await expect(text.getByRole('heading', { name: 'Title' })).toBeVisible()
  await expect(text.getByRole('checkbox')).toBeChecked()
  await expect(window.saveState).toHaveText('Saved')
})

test('a line shows where the dragged text would go', async ({ editorWindow: window }) => {
  await window.typeAtEnd('one')
  const drag = (type: 'dragenter' | 'dragover' | 'dragend'): Promise<boolean> =>
    window.page.locator('.text > p').evaluate((element, type) => {
      const { left, top } = element.getBoundingClientRect()
      const at = { clientX: left + 1, clientY: top + 5 }
      return element.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, ...at }))
    }, type)
  const line = window.page.locator('.prosemirror-dropcursor-inline')
  await drag('dragenter')
  // Its code comes with the first drag, and the line with the next move.
  await expect(async () => {
    await drag('dragover')
    await expect(line).toHaveCount(1, { timeout: 250 })
  }).toPass()
  await drag('dragend')
  await expect(line).toHaveCount(0)
})

test(
  'a viewer who drops a file is told that they can only view',
  { tag: '@long' },
  async ({ createDocument, openWindow }) => {
    const window = await openWindow((await createDocument()).url('viewer'))
    const isHandled = await window.text.evaluate((element) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'a.txt', { type: 'text/plain' }))
      return !element.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }))
    })
    expect(isHandled).toBe(true)
    await expect(window.page.locator('[data-sonner-toast]')).toContainText('You can only view this document.')
  },
)
