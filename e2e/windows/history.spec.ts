/** Earlier versions of a text: kept, compared, restored, from a window of their own. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { dockPanels } from '../fixtures/panels.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { expectSaved } from '../fixtures/save-state.ts'

const historyPanelOf = (page: Page) => page.getByRole('region', { name: 'History', exact: true })
const versionsIn = (page: Page) => historyPanelOf(page).getByRole('list', { name: 'Versions' })

/** Opens History as for a second screen: by the window itself. */
async function openHistory({ page }: DocumentWindow): Promise<Page> {
  const popup = page.waitForEvent('popup')
  await page.evaluate(() => void open(`${location.pathname}/p/history`, '', 'popup,width=1100,height=800'))
  const panel = await popup
  await expect(historyPanelOf(panel)).toBeVisible()
  return panel
}

async function saveVersion(page: Page, name: string): Promise<void> {
  await historyPanelOf(page).getByRole('textbox', { name: 'Name this version' }).fill(name)
  await historyPanelOf(page).getByRole('button', { name: 'Save version' }).click()
  await expect(versionsIn(page).getByRole('button', { name })).toBeVisible()
}

test('in a narrow column nothing of the panel is cut off @long', async ({ editorWindow: { page } }) => {
  await dockPanels(page, 'History')
  const panel = historyPanelOf(page)
  await expect(panel.getByRole('button', { name: 'Save version' })).toBeVisible()
  const [panelBox, button] = [
    await panel.boundingBox(),
    await panel.getByRole('button', { name: 'Save version' }).boundingBox(),
  ]
  expect(button!.x + button!.width).toBeLessThanOrEqual(panelBox!.x + panelBox!.width)
})

test('a version is named, compared with what was written since, and restored in every window', async ({
  editorWindow: main,
}, info) => {
  await main.typeAtEnd('The meeting is on Monday.\nBring a pen.')
  const panel = await openHistory(main)
  await expect(historyPanelOf(panel)).toContainText('No versions yet')
  await saveVersion(panel, 'Before the review')

  await main.typeAtEnd('\nAnd paper.')
  for (const key of ['Control+Home', 'End']) await main.page.keyboard.press(key)
  for (let letter = 0; letter < 'Monday.'.length; letter++) await main.page.keyboard.press('Shift+ArrowLeft')
  await main.type('Tuesday.')
  await versionsIn(panel).getByRole('button', { name: 'Before the review' }).click()
  const version = panel.getByRole('region', { name: 'Before the review' })
  await expect(version.getByRole('deletion')).toHaveText('Monday')
  await expect(version.getByRole('insertion')).toHaveText(['Tuesday', /And paper\./])
  await expect(version.getByRole('status')).toHaveText('2 changes: 3 words added, 1 removed')
  await forLightAndDark(panel, (scheme) => expectCleanPage(panel, `history ${scheme}`, info))
  await panel.setViewportSize({ width: 320, height: 640 })
  await expectCleanPage(panel, 'history 320', info)

  await version.getByRole('button', { name: 'Restore', exact: true }).click()
  await main.expectLines('The meeting is on Monday.\nBring a pen.')
  await expect(version.getByRole('status')).toHaveText('The text is the same.')
  await expect(version.getByRole('button', { name: 'Next change' })).toBeDisabled()
  await expect(version.getByRole('button', { name: 'Restore', exact: true })).toBeFocused()
  await panel.getByRole('button', { name: 'Undo' }).click()
  await main.expectLines('The meeting is on Tuesday.\nBring a pen.\nAnd paper.')

  // The text from before the restore is a version, too.
  await version.getByRole('button', { name: 'All versions' }).click()
  await expect(versionsIn(panel).getByRole('button')).toHaveCount(3)
  await expectCleanPage(panel, 'history list 320', info)
})

test('one place of a version is restored, and undone @long', async ({ editorWindow: main }) => {
  await main.typeAtEnd('The meeting is on Monday.\nBring a pen.')
  const panel = await openHistory(main)
  await saveVersion(panel, 'Draft')
  await main.typeAtEnd('\nAnd paper.')
  await main.page.keyboard.press('Control+Home')
  await main.type('New: ')
  await versionsIn(panel).getByRole('button', { name: 'Draft' }).click()
  const places = panel.getByRole('button', { name: 'Restore this place' })
  await expect(places).toHaveCount(2)
  await places.first().click()
  await main.expectLines('The meeting is on Monday.\nBring a pen.\nAnd paper.')
  await expect(places).toHaveCount(1)
  await panel.getByRole('button', { name: 'Undo' }).click()
  await main.expectLines('New: The meeting is on Monday.\nBring a pen.\nAnd paper.')
})

test('any two versions are compared, and a slider goes through time @long', async ({
  editorWindow: main,
}, info) => {
  await main.typeAtEnd('One')
  const panel = await openHistory(main)
  for (const [name, letters] of [
    ['First', ' two'],
    ['Second', ' three'],
    ['Third', ' four'],
  ] as const) {
    await saveVersion(panel, name)
    await main.typeAtEnd(letters)
  }
  await versionsIn(panel).getByRole('button', { name: 'Third' }).click()
  const version = (name: string) => panel.getByRole('region', { name })
  await version('Third').getByRole('radio', { name: 'Changes between two versions' }).check()
  const other = version('Third').getByRole('combobox', { name: 'The other version' })
  await other.selectOption('First')
  await expect(version('Third').getByRole('insertion')).toHaveText('two three')
  await forLightAndDark(panel, (scheme) => expectCleanPage(panel, `two versions ${scheme}`, info))

  const slider = panel.getByRole('slider', { name: 'Version by time' })
  await expect(slider).toHaveAttribute('aria-valuetext', 'Third, 3 of 3')
  await slider.press('Home')
  await expect(version('First')).toBeVisible()
  await expect(slider).toBeFocused()
  await expect(slider).toHaveAttribute('aria-valuetext', 'First, 1 of 3')
  // The comparison stays chosen, and which one is older is seen from either side.
  await expect(version('First').getByRole('radio', { name: 'Changes between two versions' })).toBeChecked()
  await version('First').getByRole('combobox').selectOption('Third')
  await expect(version('First').getByRole('insertion')).toHaveText('two three')
  await slider.press('ArrowRight')
  await expect(version('Second').getByRole('insertion')).toHaveText('three')
  await panel.setViewportSize({ width: 320, height: 640 })
  await expectCleanPage(panel, 'two versions 320', info)
})

test('a version is renamed and deleted', async ({ page, server, scheme }) => {
  await page.goto(`${server.origin(scheme)}/new`)
  await expect(page.getByRole('textbox', { name: 'Document' })).toBeVisible()
  await page.goto(`${page.url()}/p/history`)
  await saveVersion(page, 'Draft')
  await versionsIn(page).getByRole('button', { name: 'Draft' }).click()
  await page.getByRole('button', { name: 'Rename' }).click()
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('First draft')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const version = page.getByRole('region', { name: 'First draft' })
  // In the width of a column beside the text all three stand in one row.
  await page.setViewportSize({ width: 304, height: 640 })
  const tops = ['Restore', 'Rename', 'Delete'].map((name) =>
    version.getByRole('button', { name }).evaluate((button) => button.getBoundingClientRect().top),
  )
  expect(new Set(await Promise.all(tops)).size).toBe(1)
  await version.getByRole('radio', { name: 'Changes in this version' }).check()
  await version.getByRole('button', { name: 'Delete' }).click()
  await version.getByRole('button', { name: 'Delete' }).click()
  await expect(historyPanelOf(page)).toContainText('No versions yet')
})

test('[A4] a viewer looks at versions, and cannot restore them @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const writer = await openWindow(document.url('editor'))
  await writer.typeAtEnd('Hello.')
  await saveVersion(await openHistory(writer), 'Greeting')
  await writer.typeAtEnd(' Goodbye.')

  const reader = await openWindow(document.url('viewer'))
  const panel = await openHistory(reader)
  await expect(historyPanelOf(panel).getByRole('textbox')).toHaveCount(0)
  await versionsIn(panel).getByRole('button', { name: 'Greeting' }).click()
  const version = panel.getByRole('region', { name: 'Greeting' })
  await expect(version.getByRole('insertion')).toHaveText('Goodbye.')
  await expect(version).toContainText('you cannot restore its versions')
  for (const name of ['Restore', 'Rename', 'Delete'])
    await expect(version.getByRole('button', { name })).toHaveCount(0) // nor one for a place
})

test('two versions stand in two windows, which go to the same change @long', async ({
  editorWindow: main,
}, info) => {
  await main.text.click()
  for (let line = 0; line < 40; line++) {
    await main.page.keyboard.insertText(`Line ${line}.`)
    if (line < 39) await main.page.keyboard.press('Enter')
  }
  await expectSaved(main.page)
  const panel = await openHistory(main)
  await saveVersion(panel, 'Earlier')
  await main.typeAtEnd(' The very end.')
  await expectSaved(main.page)
  await saveVersion(panel, 'Later')
  await versionsIn(panel).getByRole('button', { name: 'Later' }).click()
  await panel.getByRole('radio', { name: 'Changes between two versions' }).check()
  const popup = panel.waitForEvent('popup')
  await panel.getByRole('button', { name: 'In two windows' }).click()
  const other = await popup
  const later = panel.getByRole('region', { name: 'Later' })
  const earlier = other.getByRole('region', { name: 'Earlier' })
  await expect(earlier).toContainText('Line 39.')
  await expect(earlier).not.toContainText('The very end.')
  await expect(later).toContainText('The very end.')
  await forLightAndDark(panel, (scheme) =>
    expectCleanPage(panel, `version in its own window ${scheme}`, info),
  )
  await expect(later.getByText('Line 39.')).not.toBeInViewport()
  await earlier.getByRole('button', { name: 'Next change' }).click()
  await expect(earlier.getByText('Line 39.')).toBeInViewport()
  await expect(later.getByText('Line 39.')).toBeInViewport()
  await earlier.getByRole('button', { name: 'Both here' }).click()
  await expect(earlier).toContainText('The very end.')
})
