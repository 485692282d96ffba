/** Comments on a text, from one browser to another. */
import type { Page } from '@playwright/test'
import { waitForFrames } from '../fixtures/document-text.ts'
import { expect, test } from '../fixtures/test.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

const commentsPanelOf = (page: Page) => page.getByRole('region', { name: 'Comments', exact: true })
const threadOn = (page: Page, quote: string) =>
  commentsPanelOf(page).getByRole('article', { name: `Thread on “${quote}”` })
const marksIn = (page: Page) => page.locator('.text .comment-mark')

/** Joins the marks, since another person's caret within a mark cuts it in two. */
const expectMarked = (page: Page, words: string) =>
  expect.poll(async () => (await marksIn(page).allTextContents()).join('')).toBe(words)

/** Selects the last so many letters of the text. */
async function selectLast(window: DocumentWindow, letters: number): Promise<void> {
  await window.focusEnd()
  await pressKey(window, 'Shift+ArrowLeft', letters)
}

/** Waits afterwards until the editor has received the selection, which it does at the next frame: only a test is quicker. */
async function pressKey({ page }: DocumentWindow, keys: string, times = 1): Promise<void> {
  for (let count = 0; count < times; count++) await page.keyboard.press(keys)
  await waitForFrames(page)
}

async function addComment(window: DocumentWindow, text: string): Promise<void> {
  await window.page.keyboard.press('ControlOrMeta+Alt+m')
  await window.page.getByRole('textbox', { name: 'Comment' }).fill(text)
  await window.page.keyboard.press('ControlOrMeta+Enter')
}

test('a comment made here appears in a Comments window elsewhere, is answered there and resolved here', async ({
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const main = await openWindow(document.url('editor'))
  await main.typeAtEnd('The meeting is on Monday.')
  const otherWindow = await openWindow(document.url('editor'))
  await otherWindow.page.goto(`${otherWindow.page.url()}/p/comments`)
  await expect(commentsPanelOf(otherWindow.page)).toContainText('No comments yet')

  await selectLast(main, 'Monday.'.length)
  await addComment(main, 'Or on Tuesday?')
  await expect(marksIn(main.page)).toHaveText('Monday.')
  await expect(main.text).toBeFocused()
  const thread = threadOn(otherWindow.page, 'Monday.')
  await expect(thread).toContainText('Or on Tuesday?')

  await thread.getByRole('button', { name: 'Reply' }).click()
  await otherWindow.page.getByRole('textbox', { name: 'Reply' }).fill('Monday is fine.')
  await otherWindow.page.keyboard.press('ControlOrMeta+Enter')
  await expect(thread).toBeFocused()
  await expectCleanPage(otherWindow.page, 'comments', info)

  await main.page.goto(`${main.page.url()}/p/comments`)
  const localThread = threadOn(main.page, 'Monday.')
  await expect(localThread).toContainText('Monday is fine.')
  await localThread.getByRole('button', { name: 'Resolve' }).click()
  await expect(commentsPanelOf(otherWindow.page)).toContainText('No open comments')
  await otherWindow.page.getByRole('button', { name: 'Resolved 1' }).click()
  await expect(threadOn(otherWindow.page, 'Monday.')).toContainText('Resolved by')
})

test('the words of the current thread are unmarked once somebody else resolves it @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const main = await openWindow(document.url('editor'))
  await main.typeAtEnd('The meeting is on Monday.')
  const otherWindow = await openWindow(document.url('editor'))
  await otherWindow.page.goto(`${otherWindow.page.url()}/p/comments`)
  await selectLast(main, 'Monday.'.length)
  await addComment(main, 'Or on Tuesday?')
  await expect(main.page.locator('.text .comment-mark-active')).toHaveText('Monday.')
  // The panel's code is still loading: a thread that is resolved before it has loaded is shown among the resolved ones.
  await expect(threadOn(main.page, 'Monday.')).toHaveAttribute('aria-current', 'true')
  await threadOn(otherWindow.page, 'Monday.').getByRole('button', { name: 'Resolve' }).click()
  await expect(marksIn(main.page)).toHaveCount(0)
})

test('a comment keeps to its words while others write, and says so when they are gone @long', async ({
  createDocument,
  openWindow,
}) => {
  const document = await createDocument()
  const main = await openWindow(document.url('editor'))
  await main.typeAtEnd('One sentence. Another sentence.')
  const other = await openWindow(document.url('editor'))
  await selectLast(main, 'Another sentence.'.length)
  await addComment(main, 'Why?')
  await expect(marksIn(other.page)).toHaveText('Another sentence.')

  await other.focusStart()
  await other.type('Before all of that. ')
  await pressKey(main, 'End')
  await pressKey(main, 'ArrowLeft', 'sentence.'.length)
  await main.type('short ')
  // The line is split in front of the words. They are the shorter part, so they are new text then.
  await pressKey(main, 'ArrowLeft', 'Another short '.length)
  await main.page.keyboard.press('Enter')
  for (const { page } of [main, other]) await expectMarked(page, 'Another short sentence.')

  // The focus leaves the text once: within half a second, the deletion would be one step of undo with what was typed before.
  await main.page.getByRole('textbox', { name: 'Title' }).focus()
  await main.text.focus()
  await pressKey(main, 'Shift+End')
  await main.page.keyboard.press('Delete')
  for (const { page } of [main, other]) await expect(marksIn(page)).toHaveCount(0)
  await other.page.goto(`${other.page.url()}/p/comments`)
  const thread = threadOn(other.page, 'Another short sentence.')
  await expect(thread).toContainText('The commented text was deleted')
  await main.page.keyboard.press('Control+z')
  await expectMarked(main.page, 'Another short sentence.')
  await expect(thread).not.toContainText('The commented text was deleted')
})

test('a click on words with a comment shows it beside the text, which keeps the keyboard @long', async ({
  editorWindow: main,
}, info) => {
  const { page } = main
  // The words are not at the beginning: ProseMirror ignores a caret that goes there right after the focus, as the browser's doing.
  await main.typeAtEnd('A line.\nOne word and another one.')
  await selectLast(main, 'one.'.length)
  await addComment(main, 'The last.')
  const lastThread = threadOn(page, 'one.')
  await expect(lastThread).toHaveAttribute('aria-current', 'true')
  await expect(main.text).toBeFocused()
  await pressKey(main, 'Home')
  await pressKey(main, 'Shift+ArrowRight', 3)
  await addComment(main, 'The first.')
  await expect(commentsPanelOf(page).getByRole('article')).toHaveText([/The first/, /The last/])
  await marksIn(page).filter({ hasText: 'one.' }).click()
  await expect(lastThread).toHaveAttribute('aria-current', 'true')
  await expect(main.text).toBeFocused()
  await page.keyboard.press('F8')
  await expect(threadOn(page, 'One')).toHaveAttribute('aria-current', 'true')
  await expect(main.text).toBeFocused()
  await forLightAndDark(page, (scheme) => expectCleanPage(page, `comments-docked-${scheme}`, info))
  await threadOn(page, 'One').getByRole('button', { name: 'Resolve' }).click()
  await expect(commentsPanelOf(page).getByRole('article')).toHaveCount(1)
  await expect(lastThread).toBeFocused()
  await expect(marksIn(page)).toHaveText('one.')
  await lastThread.getByRole('button', { name: 'Resolve' }).click()
  await expect(commentsPanelOf(page).getByRole('list', { name: 'Threads' })).toBeFocused()
})

test(
  'where Comments is a window of its own, a new comment is shown there',
  { tag: '@long' },
  async ({ editorWindow: main, openWindowIn }) => {
    await main.typeAtEnd('One word and another one.')
    const panel = await openWindowIn(main.page.context(), `${main.page.url()}/p/comments`, { ready: false })
    await expect(commentsPanelOf(panel.page)).toContainText('No comments yet')
    await selectLast(main, 'one.'.length)
    await addComment(main, 'The last.')
    await expect(threadOn(panel.page, 'one.')).toHaveAttribute('aria-current', 'true')
    await expect(commentsPanelOf(main.page)).toHaveCount(0)
    await expect(main.page.getByText('Comments is in another window.')).toBeVisible()
  },
)

test(
  'one’s own message is edited, deleted and restored',
  { tag: '@long' },
  async ({ editorWindow: main }) => {
    await main.typeAtEnd('Word')
    await selectLast(main, 4)
    await addComment(main, 'First')
    await main.page.goto(`${main.page.url()}/p/comments`)
    const { page } = main
    const chooseMessageAction = async (item: string) => {
      await page.getByRole('button', { name: 'Your message' }).click()
      await page.getByRole('menuitem', { name: item }).click()
    }
    await chooseMessageAction('Edit')
    await page.getByRole('textbox', { name: 'Your message' }).fill('Second')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(threadOn(page, 'Word')).toContainText('Second')
    await chooseMessageAction('Delete')
    await expect(commentsPanelOf(page)).toContainText('No comments yet')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect(threadOn(page, 'Word')).toContainText('Second')
  },
)

test('a viewer reads comments, and is told why there is nothing to write @long', async ({
  createDocument,
  openWindow,
}, info) => {
  const document = await createDocument()
  const main = await openWindow(document.url('editor'))
  await main.typeAtEnd('Word')
  await selectLast(main, 4)
  await addComment(main, 'Read me')
  const viewer = await openWindow(document.url('viewer'))
  await expect(marksIn(viewer.page)).toHaveText('Word')
  await viewer.page.setViewportSize({ width: 320, height: 640 })
  await viewer.page.goto(`${viewer.page.url()}/p/comments`)
  await expect(threadOn(viewer.page, 'Word')).toContainText('Read me')
  await expect(commentsPanelOf(viewer.page)).toContainText('You can read the comments here')
  await expect(viewer.page.getByRole('button', { name: 'Reply' })).toHaveCount(0)
  await expectCleanPage(viewer.page, 'comments-viewer', info)
})
