/** Who wrote what, in the text and in History: by name and sign, never by colour alone. */
import type { Page } from '@playwright/test'
import type { DocumentWindow } from '../fixtures/document-window.ts'
import { joinAs } from '../fixtures/join-as.ts'
import { expectCleanPage, forLightAndDark } from '../fixtures/page-appearance.ts'
import { dockPanels, panelOf } from '../fixtures/panels.ts'
import { expectSaved } from '../fixtures/save-state.ts'
import { expect, test } from '../fixtures/test.ts'

const barIn = (page: Page) => page.getByRole('complementary', { name: 'Who wrote what' })
const signsIn = ({ text }: DocumentWindow) => text.locator('.author-sign')

async function runCommand({ page, text }: DocumentWindow, title: string): Promise<void> {
  await text.focus()
  await page.keyboard.press('ControlOrMeta+Shift+P')
  await page.getByRole('dialog', { name: 'Commands' }).getByRole('option', { name: title }).click()
}

/** The signs of the authors, in the order of the text. */
const readSigns = (window: DocumentWindow) =>
  signsIn(window).evaluateAll((signs) => signs.map((sign) => (sign as HTMLElement).dataset['sign']))

async function expectMessageAboveBar({ page, text }: DocumentWindow): Promise<void> {
  await text.press('Tab')
  const message = page.getByRole('listitem').filter({ hasText: 'Tab stays in the text' })
  await expect
    .poll(async () => {
      const [above, bar] = [await message.boundingBox(), await barIn(page).boundingBox()]
      return above && bar && Math.sign(bar.y - above.y - above.height)
    })
    .toBe(1)
}

/** Two people in one document, of whom Ada has written. */
const withTwoPeople = test.extend<{ people: { readonly ada: DocumentWindow; readonly bob: DocumentWindow } }>(
  {
    people: async ({ createDocument, openWindow }, use) => {
      const document = await createDocument()
      const [ada, bob] = [await openWindow(document.url('editor')), await openWindow(document.url('editor'))]
      await joinAs(ada, 'Ada Wren')
      await joinAs(bob, 'Bob Finch')
      await ada.typeAtEnd('Ada wrote this.')
      await expectSaved(ada.page)
      await use({ ada, bob })
    },
  },
)

withTwoPeople(
  'each letter shows by whom it is, also while both write',
  async ({ people: { ada, bob } }, info) => {
    await bob.expectLines('Ada wrote this.')
    await bob.typeAtEnd(' Bob added this.\nA line of his own.')
    await expectSaved(bob.page)
    await ada.expectLines('Ada wrote this. Bob added this.\nA line of his own.')

    await runCommand(ada, 'Show who wrote what')
    const names = barIn(ada.page).getByRole('list', { name: 'Authors on screen' }).getByRole('listitem')
    await expect(names).toHaveText(['Ada Wren', 'Bob Finch'])
    await expect.poll(() => readSigns(ada)).toEqual(['AW', 'BF', 'BF'])
    await expect(ada.text.locator('.author-run').nth(1)).toHaveText(' Bob added this.')
    await expect(ada.text.locator('.author-run').nth(1)).toHaveAttribute('title', /^Bob Finch, .*\d/)
    await ada.page.keyboard.press('ControlOrMeta+Home')
    await ada.page.keyboard.press('ArrowRight')
    await expect(barIn(ada.page).getByRole('status')).toHaveText(/^At the caret: Ada Wren, /)
    await forLightAndDark(ada.page, (scheme) => expectCleanPage(ada.page, `authors ${scheme}`, info))
    await expectMessageAboveBar(ada)
    await ada.page.setViewportSize({ width: 390, height: 800 })
    await expectCleanPage(ada.page, 'authors 390', info)
    await expectMessageAboveBar(ada)

    // The page marks new letters at once, and the text holds no mark.
    await ada.typeAtEnd(' And Ada again.')
    await expect.poll(() => readSigns(ada)).toEqual(['AW', 'BF', 'BF', 'AW'])
    await bob.expectLines('Ada wrote this. Bob added this.\nA line of his own. And Ada again.')
    await barIn(ada.page).getByRole('button', { name: 'Hide' }).click()
    await expect(signsIn(ada)).toHaveCount(0)
    await expect(ada.text.locator('.author-run')).toHaveCount(0)
  },
)

withTwoPeople(
  'History says by whom each change is, and lists the versions of one author @long',
  async ({ people: { ada, bob } }, info) => {
    await dockPanels(ada.page, 'History')
    const panel = panelOf(ada.page, 'History')
    const save = async (name: string) => {
      await panel.getByRole('textbox', { name: 'Name this version' }).fill(name)
      await panel.getByRole('button', { name: 'Save version' }).click()
      await expect(panel.getByRole('button', { name })).toBeVisible()
    }
    await save('By Ada alone')
    await bob.expectLines('Ada wrote this.')
    await bob.typeAtEnd(' Bob added this.')
    await expectSaved(bob.page)
    await ada.expectLines('Ada wrote this. Bob added this.')
    await save('With Bob')
    await panel.getByRole('button', { name: 'By Ada alone' }).click()
    await expect(panel.getByText(/^By Bob Finch, /)).toBeVisible()
    await expectCleanPage(ada.page, 'history authors', info)
    await panel.getByRole('button', { name: 'All versions' }).click()
    await panel.getByRole('combobox', { name: 'Versions by' }).selectOption('Bob Finch')
    await expect(panel.getByRole('list', { name: 'Versions' }).getByRole('button')).toHaveText([
      /^Now/,
      /^With Bob/,
    ])
  },
)
