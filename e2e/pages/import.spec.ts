import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'

const fileOf = (name: string, text: string) => ({ name, mimeType: '', buffer: Buffer.from(text) })

async function openDialog(page: Page) {
  await page.getByRole('button', { name: 'Import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Import documents' })
  await expect(dialog).toBeVisible()
  return dialog
}

test('files that are chosen become documents, with what they lost, and those that cannot be read say why', async ({
  page,
  server,
  scheme,
}) => {
  await page.goto(server.origin(scheme))
  const dialog = await openDialog(page)
  await expect(dialog.getByRole('button', { name: 'Choose files…' })).toBeFocused()
  await dialog
    .locator('input[type=file]')
    .setInputFiles([
      fileOf('plan.md', '# Plan\n\nHello ![a cat](https://cats.example/1.png)\n'),
      fileOf('a.exe', 'MZ'),
      fileOf('people.csv', 'Name,Age\nAda,36\n'),
    ])
  await expect(dialog.getByRole('link', { name: 'Open “Plan”' })).toBeVisible()
  await expect(dialog.getByText('1 image was on the web: a link to it is kept.')).toBeVisible()
  await expect(dialog.getByText('“a.exe” is none of the formats')).toBeVisible()
  await expect(dialog.getByRole('link', { name: 'Open “people”' })).toBeVisible()
  expect((await new AxeBuilder({ page }).include('[role=dialog]').analyze()).violations).toEqual([])

  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Import…' })).toBeFocused()
  const list = page.getByRole('list', { name: 'Documents' })
  await expect(list.getByRole('listitem')).toHaveCount(3)
  await list.getByRole('link', { name: 'people' }).click()
  await expect(page.getByRole('cell', { name: 'Ada' })).toBeVisible()
})

test('files that are dropped on the list are imported, and can be cancelled', async ({
  page,
  server,
  scheme,
}) => {
  await page.goto(server.origin(scheme))
  await expect(page.getByRole('listitem')).toHaveCount(1)
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/api/documents/import?*', async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  const isTaken = await page.locator('main').evaluate((element) => {
    const dataTransfer = new DataTransfer()
    for (const name of ['a.txt', 'b.txt']) dataTransfer.items.add(new File(['one'], name))
    const init = { dataTransfer, bubbles: true, cancelable: true }
    const isOver = element.dispatchEvent(new DragEvent('dragover', init))
    return !isOver && !element.dispatchEvent(new DragEvent('drop', init))
  })
  expect(isTaken).toBe(true)
  const dialog = page.getByRole('dialog', { name: 'Import documents' })
  await expect(dialog.getByRole('listitem')).toHaveCount(2)
  // A key that ends no import by mistake.
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog.getByText('Cancelled. Nothing was imported.')).toHaveCount(2)
  release()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('list', { name: 'Documents' }).getByRole('listitem')).toHaveCount(1)
})
