/** What stands around the text: new comments, the document's options, a toolbar at the selection and above a phone's keyboard. */
import type { Page } from '@playwright/test'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { expect, test } from '../fixtures/test.ts'

const optionsOf = (page: Page) => page.getByRole('button', { name: 'Document options' })
const signIn = (page: Page) => page.getByRole('button', { name: /new comments?$/ })

async function comment(page: Page, words: string): Promise<void> {
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('ControlOrMeta+Alt+m')
  await page.getByRole('textbox', { name: 'Comment' }).fill(words)
  await page.keyboard.press('ControlOrMeta+Enter')
}

test('the header counts the comments of others that are new, until Comments was on screen, also on a phone', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const [writer, reader] = [
    await openWindow(document.url('editor')),
    await openWindow(document.url('editor')),
  ]
  await writer.typeAtEnd('Monday')
  await comment(writer.page, 'Or Tuesday?')
  await expect(signIn(reader.page)).toHaveText('1')
  await expect(signIn(writer.page)).toHaveCount(0)
  await reader.page.setViewportSize({ width: 320, height: 700 })
  await expect(signIn(reader.page)).toBeInViewport({ ratio: 1 })
  const overflow = await reader.page.evaluate(
    () => globalThis.document.documentElement.scrollWidth - innerWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
  await reader.page.setViewportSize({ width: 1280, height: 720 })
  await signIn(reader.page).click()
  await expect(panelOf(reader.page, 'Comments')).toContainText('Or Tuesday?')
  await expect(signIn(reader.page)).toHaveCount(0)
  await reader.page.reload()
  await expect(panelOf(reader.page, 'Comments')).toContainText('Or Tuesday?')
  await expect(signIn(reader.page)).toHaveCount(0)
})

test('a document is renamed, duplicated and moved to the trash from within', async ({
  server,
  scheme,
  openWindow,
}, info) => {
  const { page, text, saveState } = await openWindow(`${server.origin(scheme)}/new`)
  await page.getByRole('textbox', { name: 'Title' }).fill('Budget')
  await text.click()
  await page.keyboard.type('words')
  await expect(saveState).toHaveText('Saved')
  await optionsOf(page).press('Enter')
  await forLightAndDark(page, (look) => expectCleanPage(page, `document options ${look}`, info))
  await page.getByRole('menuitem', { name: 'Rename' }).press('Enter')
  await expect(page.getByRole('textbox', { name: 'Title' })).toBeFocused()
  await page.keyboard.type('Plan')
  await expect(page.getByRole('textbox', { name: 'Title' })).toHaveValue('Plan')
  await expect(saveState).toHaveText('Saved')
  await optionsOf(page).click()
  await page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await expect(page.getByText(/copy/i).first()).toBeVisible()
  await optionsOf(page).click()
  await page.getByRole('menuitem', { name: /trash/i }).click()
  await expect(page.getByRole('list', { name: 'Documents' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toBeVisible()
})

test('letters selected with a mouse have a toolbar beside them, which keys reach and which stays in place @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('some words')
  const bubble = page.getByRole('toolbar', { name: 'Selection' })
  await page.keyboard.press('Shift+Home')
  await expect(bubble).toBeHidden()
  await page.keyboard.press('ArrowRight')
  const { x, y, height } = (await text.locator('p').boundingBox())!
  await page.mouse.dblclick(x + 10, y + height / 2)
  await expect(bubble).toBeVisible()
  await page.keyboard.press('Alt+F10')
  await page.keyboard.press('ArrowRight')
  await expect(bubble.getByRole('button', { name: 'Bold' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(text.locator('strong')).toHaveText('some')
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await expect(bubble).toBeHidden()
  await page.mouse.dblclick(x + 75, y + height / 2)
  await bubble.getByRole('button', { name: 'Comment' }).click()
  await page.getByRole('textbox', { name: 'Comment' }).fill('Why?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(text.locator('.comment-mark')).toHaveText('words')
  await expect(bubble).toBeHidden()
})

test('the second editor has a toolbar of its own @long', async ({ editorWindow: { page, text } }) => {
  await dockPanels(page, 'Second editor')
  const second = panelOf(page, 'Second editor')
  await second.getByRole('textbox', { name: 'Document' }).click()
  await page.keyboard.type('words')
  await page.keyboard.press('Shift+Home')
  await second.getByRole('button', { name: 'Bold', exact: true }).click()
  await expect(page.locator('#text strong')).toHaveText('words')
  await second.getByRole('button', { name: 'Comment', exact: true }).click()
  await expect(page.getByRole('dialog', { name: 'Comment' })).toHaveCount(1)
  await page.getByRole('textbox', { name: 'Comment' }).fill('Why?')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(text.locator('.comment-mark').first()).toHaveText('words')
})

test('panels that do not fit into their column become tabs @long', async ({
  editorWindow: { page },
}, info) => {
  await page.setViewportSize({ width: 1280, height: 500 })
  await dockPanels(page, 'People', 'Statistics', 'Comments')
  await expect(page.getByRole('tablist')).toBeHidden()
  await page.getByRole('button', { name: 'Panels', exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name: 'History' }).click()
  await page.keyboard.press('Escape')
  const tabs = page.getByRole('tablist').getByRole('tab')
  await expect(tabs).toHaveText(['People', 'Statistics', 'Comments', 'History'])
  await expect(panelOf(page, 'History')).toBeVisible()
  await tabs.nth(3).press('ArrowLeft')
  await expect(panelOf(page, 'Comments')).toBeVisible()
  await expect(panelOf(page, 'History')).toBeHidden()
  await forLightAndDark(page, (look) => expectCleanPage(page, `panel tabs ${look}`, info))
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect(page.getByRole('tablist')).toBeHidden()
  await expect(panelOf(page, 'History')).toBeVisible()
})

test('on a phone the toolbar stands above the keyboard, with all blocks in one menu', async ({
  editorWindow: { page, text },
}, info) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await text.click({ position: { x: 40, y: 12 } })
  await page.keyboard.type('words')
  // What a browser reports when its keyboard covers 300 px.
  await expect(async () => {
    await page.evaluate(() => {
      Object.defineProperty(visualViewport!, 'height', { configurable: true, value: innerHeight - 300 })
      visualViewport!.dispatchEvent(new Event('resize'))
    })
    await expect(page.locator('html')).toHaveAttribute('data-keyboard', '', { timeout: 500 })
  }).toPass()
  const toolbar = page.getByRole('toolbar')
  const { y, height } = (await toolbar.boundingBox())!
  expect(Math.round(y + height)).toBe(844 - 300)
  await expectCleanPage(page, 'phone keyboard', info)
  await page.getByRole('button', { name: 'All blocks' }).click()
  await page.getByRole('menuitem', { name: 'Task list' }).click()
  await expect(text.getByRole('checkbox')).toBeVisible()
})

test('on a phone a panel that is chosen gets the focus, Find its field @long', async ({
  editorWindow: { page },
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('button', { name: 'Panels' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Find' }).click()
  await expect(panelOf(page, 'Find').getByRole('searchbox', { name: 'Find' })).toBeFocused()
  await page.getByRole('button', { name: 'Panels' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Outline' }).click()
  await expect(panelOf(page, 'Outline')).toBeFocused()
})
