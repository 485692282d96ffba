/** What can be done by keyboard: the palette, the help, and the way through the parts of a window. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { holdScripts } from '../fixtures/hold-scripts.ts'
import { openOtherDevice, openWindowsDialog, readListedWindows } from '../fixtures/own-windows.ts'
import { detachedChipOf, dockPanels, panelOf } from '../fixtures/panels.ts'

const paletteIn = (page: Page) => page.getByRole('dialog', { name: 'Commands' })

async function searchCommand(page: Page, typed: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type(typed)
}

async function chooseCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await paletteIn(page).getByRole('option', { name: title }).click()
}

const readFocusedPane = (page: Page) =>
  page.evaluate(() => document.activeElement?.closest<HTMLElement>('[data-pane]')?.dataset.pane)

test('a command is found by a few letters, done, and the keyboard is back in the text', async ({
  editorWindow: { page, text, ...window },
}) => {
  await text.click()
  await page.keyboard.type('one ')
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('bol')
  await expect(paletteIn(page).getByRole('option')).toHaveText([/^Bold/])
  await page.keyboard.press('Enter')
  await expect(paletteIn(page)).toBeHidden()
  await expect(text).toBeFocused()
  await page.keyboard.type('two')
  await expect(text.locator('strong')).toHaveText('two')

  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.keyboard.type('shwo outlne')
  await expect(paletteIn(page).getByRole('option')).toHaveText([/^Show Outline/])
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('cut')
  await expect(paletteIn(page).getByRole('option', { name: 'Show Connection inspector' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.type('no such thing')
  await expect(paletteIn(page)).toContainText('No matching commands')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await expect(paletteIn(page)).toBeHidden()
  await expect(text).toBeFocused()
  await expect(window.saveState).toHaveText('Saved')
})

test('with a selection Mod+K makes a link', async ({ editorWindow: { page, text } }) => {
  await text.click()
  await page.keyboard.type('word')
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByRole('dialog', { name: 'Link' })).toBeVisible()
  await expect(paletteIn(page)).toBeHidden()
})

test('code holds no links, and says so @long', async ({ editorWindow: { page, text } }) => {
  await text.click()
  await page.keyboard.type('``` words')
  await page.keyboard.press('Shift+Home')
  await page.keyboard.press('ControlOrMeta+K')
  await expect(page.getByText('it holds no links')).toBeVisible()
  await expect(page.getByRole('dialog', { name: 'Link' })).toBeHidden()
})

test('the help lists the keys of every command, and only Ctrl+Enter, Escape and Ctrl+K mean two', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.press('ControlOrMeta+/')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const name of [
    'Bold',
    'Link',
    'Say whether everything is saved',
    'Show all commands',
    'Next window',
    'Open a panel in its own window',
    'Bring a panel back',
    'Send this document to another device or person',
  ])
    await expect(help.getByRole('term').filter({ hasText: name }).first()).toBeVisible()
  const lines = await help.locator('dl > div').allInnerTexts()
  const listedKeys = lines.flatMap((line) =>
    line.split('\n').filter((part) => /^(Ctrl|Alt|Shift|F\d|Esc)/.test(part)),
  )
  expect(listedKeys.filter((keys) => keys === 'Ctrl+B')).toHaveLength(1)
  const repeatedKeys = listedKeys.filter((keys, index) => listedKeys.indexOf(keys) !== index)
  expect(repeatedKeys).toEqual(['Ctrl+Enter', 'Escape', 'Ctrl+K'])
  for (const where of ['then Tab', 'while following', 'with a selection'])
    await expect(help.getByText(where)).toBeVisible()
  await page.keyboard.press('F6')
  await page.keyboard.press('Escape')
  await expect(help).toBeHidden()
  await expect(text).toBeFocused()
})

test('a palette that is opened while the help still closes has what was typed meanwhile @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('one')
  const typeWhileHelpCloses = async (keys: readonly string[]) => {
    await page.keyboard.press('ControlOrMeta+/')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    // All keys come at once, before anything has closed.
    await page.evaluate((pressed) => {
      const press = (key: string, held: KeyboardEventInit = {}) =>
        document.activeElement!.dispatchEvent(
          new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held }),
        )
      press('Escape')
      return new Promise<void>((resolve) =>
        requestAnimationFrame(() => {
          press('P', { ctrlKey: true, shiftKey: true })
          for (const key of pressed) press(key)
          resolve()
        }),
      )
    }, keys)
  }
  await typeWhileHelpCloses('undo'.split(''))
  await expect(paletteIn(page).getByRole('combobox')).toHaveValue('undo')
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await typeWhileHelpCloses([...'undo'.split(''), 'Enter'])
  await expect(text).toHaveText('')
  await expect(text).toBeFocused()
  await expect(paletteIn(page)).toHaveCount(0)
})

test('what is typed right after Escape reaches the text, and not the palette that closes @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('one')
  for (const word of [' two', ' three']) {
    await page.keyboard.press('ControlOrMeta+K')
    await expect(paletteIn(page).getByRole('option').first()).toBeVisible()
    await page.keyboard.press('Escape')
    await page.keyboard.type(word)
  }
  await expect(text).toHaveText('one two three')
})

test('Enter and Escape reach a palette that is still on its way @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('one ')
  const releaseScripts = await holdScripts(page)
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('bold')
  await page.keyboard.press('Enter')
  await page.keyboard.type('two')
  await expect(text.locator('strong')).toHaveText('two')
  await page.keyboard.press('ControlOrMeta+K')
  await page.keyboard.type('italic')
  await page.keyboard.press('Escape')
  await page.keyboard.type(' three')
  await expect(text).toHaveText('one two three')
  await releaseScripts()
  await page.keyboard.type(' four')
  await expect(text).toHaveText('one two three four')
  await expect(paletteIn(page)).toBeHidden()
})

test('the palette moves the section at the caret; the toast moves it back, and the palette does it again @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.type('# One\nfirst\n# Two\nsecond')
  const headings = text.getByRole('heading')
  await chooseCommand(page, 'Move section up')
  await expect(headings).toHaveText(['Two', 'One'])
  await page.getByRole('button', { name: 'Undo', exact: true }).last().click()
  await expect(headings).toHaveText(['One', 'Two'])
  await chooseCommand(page, 'Redo')
  await expect(headings).toHaveText(['Two', 'One'])
})

test('the palette saves a workspace and a version: their names are typed next @long', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await chooseCommand(page, 'Save this workspace…')
  await expect(page.getByRole('textbox', { name: 'Name of a workspace' })).toBeFocused()
  await page.keyboard.press('Escape')
  await chooseCommand(page, 'Name this version…')
  await expect(page.getByRole('textbox', { name: 'Name this version' })).toBeFocused()
})

test('F6 goes through the parts of a window, both ways, and comes back to where it was', async ({
  editorWindow: { page, text },
}) => {
  await text.click()
  await page.keyboard.press('F6')
  expect(await readFocusedPane(page)).toBe('bar')
  await page.keyboard.press('F6')
  expect(await readFocusedPane(page)).toBe('toolbar')
  await page.keyboard.press('ArrowRight')
  const button = await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))
  await page.keyboard.press('F6')
  await expect(text).toBeFocused()
  await page.keyboard.press('Shift+F6')
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(button)
})

test('a key shows the next window, the palette opens a panel in a window of its own and brings it back', async ({
  editorWindow: { page, text },
}) => {
  const context = page.context()
  await text.click()
  const opened = context.waitForEvent('page')
  await searchCommand(page, 'open outline own')
  await page.keyboard.press('Enter')
  const panelPage = await opened
  await expect(panelPage.getByRole('region', { name: 'Outline' })).toBeVisible()

  await page.bringToFront()
  await waitUntilListed(page, 2)
  const nextPage = context.waitForEvent('page')
  const closedEvent = panelPage.waitForEvent('close')
  await page.keyboard.press('ControlOrMeta+F6')
  const reopenedPanel = await nextPage
  await expect(reopenedPanel.getByRole('region', { name: 'Outline' })).toBeVisible()
  await closedEvent

  await reopenedPanel.bringToFront()
  await waitUntilListed(reopenedPanel, 2)
  await reopenedPanel.keyboard.press('ControlOrMeta+F6')
  await expect(reopenedPanel.getByText('Untitled is marked ●')).toBeVisible()
  const closed = reopenedPanel.waitForEvent('close')
  await searchCommand(reopenedPanel, 'bring back')
  // The window may be gone before the key is up.
  reopenedPanel.keyboard.press('Enter').catch(() => {})
  await closed
  await expect(page.getByRole('region', { name: 'Outline' })).toBeVisible()
})

/** A key shows a window that this one has heard of, and does nothing before. */
async function waitUntilListed(page: Page, count: number): Promise<void> {
  const dialog = await openWindowsDialog(page)
  await expect.poll(() => readListedWindows(page)).toHaveLength(count)
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('a key opens the focused panel in a window of its own, and another key brings it back @long', async ({
  editorWindow: { page },
}) => {
  await dockPanels(page, 'Outline')
  await panelOf(page, 'Outline').getByRole('button', { name: 'Close' }).focus()
  const opened = page.context().waitForEvent('page')
  await page.keyboard.press('ControlOrMeta+Alt+W')
  const panelPage = await opened
  await expect(panelOf(panelPage, 'Outline')).toBeVisible()
  await expect(detachedChipOf(page, 'Outline')).toBeVisible()
  await page.bringToFront()
  const closed = panelPage.waitForEvent('close')
  await page.keyboard.press('ControlOrMeta+Alt+B')
  await closed
  await expect(panelOf(page, 'Outline')).toBeVisible()
})

test(
  'what is sent to another device is offered there',
  { tag: '@long' },
  async ({ browser, editorWindow: { page, text } }) => {
    await using context = await openOtherDevice(browser, page.context())
    const otherPage = await context.newPage()
    await otherPage.goto(page.url())
    await expect(otherPage.getByRole('textbox', { name: 'Document' })).toBeVisible()

    await text.click()
    await searchCommand(page, 'send outline')
    await page.keyboard.press('Enter')
    await page.getByRole('list', { name: 'Your other devices' }).getByRole('button').click()
    const offer = otherPage.getByRole('region', { name: 'Sent here' })
    await expect(offer).toContainText('Outline – Untitled was sent here')
    const opened = context.waitForEvent('page')
    await offer.getByRole('button', { name: 'Open' }).click()
    await expect((await opened).getByRole('region', { name: 'Outline' })).toBeVisible()
  },
)

test(
  'a palette that does not load says so, leaves the focus in the text, and opens the next time',
  { tag: '@long' },
  async ({ editorWindow: { page, text } }) => {
    await text.click()
    // The code that shows messages is loaded with the first of them.
    await page.keyboard.press('ControlOrMeta+S')
    await expect(page.locator('[data-sonner-toast]')).toBeVisible()
    await page.route('**/_next/static/**', (route) => route.abort())
    await page.keyboard.press('ControlOrMeta+Shift+P')
    await expect(page.getByText('This did not load.')).toBeVisible()
    await expect(text).toBeFocused()
    await page.unrouteAll()
    await page.keyboard.press('ControlOrMeta+Shift+P')
    await expect(paletteIn(page)).toBeVisible()
  },
)
