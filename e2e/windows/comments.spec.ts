/** Comments on a text, from one browser to another. */
import type { Page } from '@playwright/test'
import { expect, test } from '../support/fixtures.ts'
import { expectFit, inLightAndDark } from '../support/sight.ts'
import type { Window } from '../support/window.ts'

const panelOf = (page: Page) => page.getByRole('region', { name: 'Comments', exact: true })
const threadOn = (page: Page, quote: string) =>
  panelOf(page).getByRole('article', { name: `Thread on “${quote}”` })
const marks = (page: Page) => page.locator('.text .comment-mark')

/** Another person's caret within it cuts a mark in two. */
const expectMarked = (page: Page, words: string) =>
  expect.poll(async () => (await marks(page).allTextContents()).join('')).toBe(words)

/** Selects the last so many letters of the text. */
async function selectLast(window: Window, letters: number): Promise<void> {
  await window.focusEnd()
  await press(window, 'Shift+ArrowLeft', letters)
}

/** The editor hears of a selection at the next frame: only a test is quicker. */
async function press({ page }: Window, keys: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count++) await page.keyboard.press(keys)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  )
}

async function comment(window: Window, text: string): Promise<void> {
  await window.page.keyboard.press('ControlOrMeta+Alt+m')
  await window.page.getByRole('textbox', { name: 'Comment' }).fill(text)
  await window.page.keyboard.press('ControlOrMeta+Enter')
}

test('a comment made here appears in a Comments window elsewhere, is answered there and resolved here', async ({
  door,
  openWindow,
}, info) => {
  const document = await door.newDocument()
  const main = await openWindow(document.url('editor'))
  await main.append('The meeting is on Monday.')
  const elsewhere = await openWindow(document.url('editor'))
  await elsewhere.page.goto(`${elsewhere.page.url()}/p/comments`)
  await expect(panelOf(elsewhere.page)).toContainText('No comments yet')

  await selectLast(main, 'Monday.'.length)
  await comment(main, 'Or on Tuesday?')
  await expect(marks(main.page)).toHaveText('Monday.')
  await expect(main.text).toBeFocused()
  const thread = threadOn(elsewhere.page, 'Monday.')
  await expect(thread).toContainText('Or on Tuesday?')

  await thread.getByRole('button', { name: 'Reply' }).click()
  await elsewhere.page.getByRole('textbox', { name: 'Reply' }).fill('Monday is fine.')
  await elsewhere.page.keyboard.press('ControlOrMeta+Enter')
  await expect(thread).toBeFocused()
  await expectFit(elsewhere.page, 'comments', info)

  await main.page.goto(`${main.page.url()}/p/comments`)
  const here = threadOn(main.page, 'Monday.')
  await expect(here).toContainText('Monday is fine.')
  await here.getByRole('button', { name: 'Resolve' }).click()
  await expect(panelOf(elsewhere.page)).toContainText('No open comments')
  await elsewhere.page.getByRole('button', { name: 'Resolved 1' }).click()
  await expect(threadOn(elsewhere.page, 'Monday.')).toContainText('Resolved by')
})

test('the words of a thread that is looked at are unmarked once somebody else resolves it', async ({
  door,
  openWindow,
}) => {
  const document = await door.newDocument()
  const main = await openWindow(document.url('editor'))
  await main.append('The meeting is on Monday.')
  const elsewhere = await openWindow(document.url('editor'))
  await elsewhere.page.goto(`${elsewhere.page.url()}/p/comments`)
  await selectLast(main, 'Monday.'.length)
  await comment(main, 'Or on Tuesday?')
  await expect(main.page.locator('.text .comment-mark-active')).toHaveText('Monday.')
  await threadOn(elsewhere.page, 'Monday.').getByRole('button', { name: 'Resolve' }).click()
  await expect(marks(main.page)).toHaveCount(0)
})

test('a comment keeps to its words while others write, and says so when they are gone', async ({
  door,
  openWindow,
}) => {
  const document = await door.newDocument()
  const main = await openWindow(document.url('editor'))
  await main.append('One sentence. Another sentence.')
  const other = await openWindow(document.url('editor'))
  await selectLast(main, 'Another sentence.'.length)
  await comment(main, 'Why?')
  await expect(marks(other.page)).toHaveText('Another sentence.')

  await other.focusStart()
  await other.type('Before. ')
  await press(main, 'End')
  await press(main, 'ArrowLeft', 'sentence.'.length)
  await main.type('short ')
  // The line is split in front of the words, which are new text then.
  await press(main, 'ArrowLeft', 'Another short '.length)
  await main.page.keyboard.press('Enter')
  for (const { page } of [main, other]) await expectMarked(page, 'Another short sentence.')

  // The title and back: what half a second joins would be one step of undo with what was typed before.
  await main.page.getByRole('textbox', { name: 'Title' }).focus()
  await main.text.focus()
  await press(main, 'Shift+End')
  await main.page.keyboard.press('Delete')
  for (const { page } of [main, other]) await expect(marks(page)).toHaveCount(0)
  await other.page.goto(`${other.page.url()}/p/comments`)
  const thread = threadOn(other.page, 'Another short sentence.')
  await expect(thread).toContainText('The commented text was deleted')
  await main.page.keyboard.press('Control+z')
  await expectMarked(main.page, 'Another short sentence.')
  await expect(thread).not.toContainText('The commented text was deleted')
})

test('a click on words with a comment shows it beside the text, which keeps the keyboard', async ({
  door,
  openWindow,
}, info) => {
  const document = await door.newDocument()
  const main = await openWindow(document.url('editor'))
  const { page } = main
  // Not at the beginning: ProseMirror takes a caret that goes there right after the focus came for the browser's doing.
  await main.append('A line.\nOne word and another one.')
  await selectLast(main, 'one.'.length)
  await comment(main, 'The last.')
  const last = threadOn(page, 'one.')
  await expect(last).toHaveAttribute('aria-current', 'true')
  await expect(main.text).toBeFocused()
  await press(main, 'Home')
  await press(main, 'Shift+ArrowRight', 3)
  await comment(main, 'The first.')
  await expect(panelOf(page).getByRole('article')).toHaveText([/The first/, /The last/])
  await marks(page).filter({ hasText: 'one.' }).click()
  await expect(last).toHaveAttribute('aria-current', 'true')
  await expect(main.text).toBeFocused()
  await page.keyboard.press('F8')
  await expect(threadOn(page, 'One')).toHaveAttribute('aria-current', 'true')
  await expect(main.text).toBeFocused()
  await inLightAndDark(page, (scheme) => expectFit(page, `comments-docked-${scheme}`, info))
  await threadOn(page, 'One').getByRole('button', { name: 'Resolve' }).click()
  await expect(panelOf(page).getByRole('article')).toHaveCount(1)
  await expect(last).toBeFocused()
  await expect(marks(page)).toHaveText('one.')
  await last.getByRole('button', { name: 'Resolve' }).click()
  await expect(panelOf(page).getByRole('list', { name: 'Threads' })).toBeFocused()
})

test(
  'where Comments is a window of its own, a click on commented words shows them there',
  { tag: '@long' },
  async ({ door, openWindow, openWindowOf }) => {
    const document = await door.newDocument()
    const main = await openWindow(document.url('editor'))
    await main.append('One word and another one.')
    const panel = await openWindowOf(main.page.context(), `${main.page.url()}/p/comments`, { ready: false })
    await expect(panelOf(panel.page)).toContainText('No comments yet')
    await selectLast(main, 'one.'.length)
    await comment(main, 'The last.')
    await expect(threadOn(panel.page, 'one.')).toHaveAttribute('aria-current', 'true')
    await expect(panelOf(main.page)).toHaveCount(0)
    await expect(main.page.getByText('Comments is in another window.')).toBeVisible()
  },
)

test(
  'one’s own message is changed and deleted, and comes back',
  { tag: '@long' },
  async ({ door, openWindow }) => {
    const document = await door.newDocument()
    const main = await openWindow(document.url('editor'))
    await main.append('Word')
    await selectLast(main, 4)
    await comment(main, 'First')
    await main.page.goto(`${main.page.url()}/p/comments`)
    const { page } = main
    const choose = async (item: string) => {
      await page.getByRole('button', { name: 'Your message' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await choose('Edit')
    await page.getByRole('textbox', { name: 'Your message' }).fill('Second')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(threadOn(page, 'Word')).toContainText('Second')
    await choose('Delete')
    await expect(panelOf(page)).toContainText('No comments yet')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(threadOn(page, 'Word')).toContainText('Second')
  },
)

test('a viewer reads comments, and is told why there is nothing to write', async ({
  door,
  openWindow,
}, info) => {
  const document = await door.newDocument()
  const main = await openWindow(document.url('editor'))
  await main.append('Word')
  await selectLast(main, 4)
  await comment(main, 'Read me')
  const viewer = await openWindow(document.url('viewer'))
  await expect(marks(viewer.page)).toHaveText('Word')
  await viewer.page.setViewportSize({ width: 320, height: 640 })
  await viewer.page.goto(`${viewer.page.url()}/p/comments`)
  await expect(threadOn(viewer.page, 'Word')).toContainText('Read me')
  await expect(panelOf(viewer.page)).toContainText('You can read the comments here')
  await expect(viewer.page.getByRole('button', { name: 'Reply' })).toHaveCount(0)
  await expectFit(viewer.page, 'comments-viewer', info)
})
