/** A panel window is a page of its own: it goes on whatever happens to the window that opened it, and text goes both ways. */
import type { Page } from '@playwright/test'
import { expect, test } from '../fixtures/test.ts'
import { crashPage } from '../fixtures/crash-page.ts'
import { expectLinesIn, textIn, typeAtEndOf } from '../fixtures/document-text.ts'
import { detachedChipOf, detachPanel, dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import type { DocumentWindow } from '../fixtures/document-window.ts'

interface DetachedEditor {
  readonly mainWindow: DocumentWindow
  readonly editorPage: Page
}

const withSecondEditor = test.extend<{ detachedEditor: DetachedEditor }>({
  detachedEditor: async ({ createDocument, openWindow }, use) => {
    const mainWindow = await openWindow((await createDocument()).url('editor'))
    await mainWindow.typeAtEnd('one')
    await dockPanels(mainWindow.page, 'Second editor')
    const editorPage = await detachPanel(mainWindow.page, 'Second editor')
    await expectLinesIn(editorPage, 'one')
    await use({ mainWindow, editorPage })
  },
})

withSecondEditor(
  '[W1] main is busy for two seconds or more, and its panel writes on',
  { tag: '@long' },
  async ({ detachedEditor }) => {
    const { mainWindow, editorPage } = detachedEditor
    // Main stays busy until it sees that the panel has saved. A cookie is the only thing that another process can tell a busy page.
    const sawSave = mainWindow.page.evaluate(() => {
      const startedAt = performance.now()
      const isSaveTold = () => document.cookie.includes('panel=saved')
      while (performance.now() - startedAt < 2_000);
      while (!isSaveTold() && performance.now() - startedAt < 30_000);
      return isSaveTold()
    })
    await typeAtEndOf(textIn(editorPage), ' two')
    await expectSaved(editorPage)
    await editorPage.evaluate(() => void (document.cookie = 'panel=saved; path=/'))
    expect(await sawSave).toBe(true)
    await expectLinesIn(mainWindow.page, 'one two')
    await typeAtEndOf(textIn(mainWindow.page), ' three')
    await expectLinesIn(editorPage, 'one two three')
  },
)

withSecondEditor(
  '[W1] main reloads: the panel goes on, and main knows it again',
  { tag: '@long' },
  async ({ detachedEditor }) => {
    const { mainWindow, editorPage } = detachedEditor
    const reloading = mainWindow.page.reload()
    await typeAtEndOf(textIn(editorPage), ' two')
    await reloading
    await expect(detachedChipOf(mainWindow.page, 'Second editor')).toBeVisible()
    await expectLinesIn(mainWindow.page, 'one two')
    await typeAtEndOf(textIn(mainWindow.page), ' three')
    await expectLinesIn(editorPage, 'one two three')
  },
)

withSecondEditor(
  '[W1] main closes: the panel goes on, and a new main window knows it',
  async ({ detachedEditor, openWindowIn }) => {
    const { mainWindow, editorPage } = detachedEditor
    const url = mainWindow.page.url()
    await mainWindow.page.close()
    await typeAtEndOf(textIn(editorPage), ' two')
    await expectSaved(editorPage)
    const nextMain = await openWindowIn(editorPage.context(), url)
    await expect(detachedChipOf(nextMain.page, 'Second editor')).toBeVisible()
    await expectLinesIn(nextMain.page, 'one two')
    await typeAtEndOf(textIn(nextMain.page), ' three')
    await expectLinesIn(editorPage, 'one two three')
  },
)

withSecondEditor(
  '[W1] main crashes: the panel goes on, and saves',
  { tag: '@long' },
  async ({ detachedEditor, openWindowIn }) => {
    const { mainWindow, editorPage } = detachedEditor
    const url = mainWindow.page.url()
    await crashPage(mainWindow.page)
    await typeAtEndOf(textIn(editorPage), ' two')
    await expectSaved(editorPage)
    const nextMain = await openWindowIn(editorPage.context(), url)
    await expectLinesIn(nextMain.page, 'one two')
    await typeAtEndOf(textIn(nextMain.page), ' three')
    await expectLinesIn(editorPage, 'one two three')
  },
)

withSecondEditor(
  'a panel window reloads, and keeps its place in main',
  { tag: '@long' },
  async ({ detachedEditor }) => {
    const { mainWindow, editorPage } = detachedEditor
    await editorPage.reload()
    await expectLinesIn(editorPage, 'one')
    await expect(detachedChipOf(mainWindow.page, 'Second editor')).toBeVisible()
    await typeAtEndOf(textIn(editorPage), ' two')
    await expectLinesIn(mainWindow.page, 'one two')
    await editorPage.close()
    await expect(panelOf(mainWindow.page, 'Second editor')).toBeVisible()
  },
)
